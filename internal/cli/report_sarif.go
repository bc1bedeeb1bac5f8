package cli

import (
	"crypto/sha256"
	"encoding/hex"
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/vocab"
	"github.com/rdfproto/rdfproto/shacl"
)

// The parts of the Static Analysis Results Interchange Format (SARIF) 2.1.0,
// OASIS Standard, that a validation report needs; sections in brackets.
type (
	sarifLog struct { // [3.13]
		Version string     `json:"version"`
		Schema  string     `json:"$schema"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct { // [3.14]
		Tool       sarifTool     `json:"tool"`
		ColumnKind string        `json:"columnKind"`
		Results    []sarifResult `json:"results"`
	}
	sarifTool struct { // [3.18]
		Driver sarifDriver `json:"driver"`
	}
	sarifDriver struct { // [3.19]
		Name    string      `json:"name"`
		Version string      `json:"version,omitempty"` // of a release
		About   string      `json:"informationUri"`
		Rules   []sarifRule `json:"rules"`
	}
	sarifRule struct { // [3.49]
		ID      string       `json:"id"`
		Summary sarifMessage `json:"shortDescription"`
		Help    string       `json:"helpUri,omitempty"`
	}
	sarifResult struct { // [3.27]
		RuleID       string            `json:"ruleId"`
		RuleIndex    int               `json:"ruleIndex"`
		Level        string            `json:"level"`
		Message      sarifMessage      `json:"message"`
		Locations    []sarifLocation   `json:"locations"`
		Related      []sarifLocation   `json:"relatedLocations,omitempty"`
		Fingerprints map[string]string `json:"partialFingerprints"`
		Properties   sarifProperties   `json:"properties"`
	}
	sarifMessage struct { // [3.11]
		Text string `json:"text"`
	}
	sarifLocation struct { // [3.28]
		ID       *int           `json:"id,omitempty"`
		Physical sarifPhysical  `json:"physicalLocation"`
		Logical  []sarifLogical `json:"logicalLocations,omitempty"`
		Message  *sarifMessage  `json:"message,omitempty"`
	}
	sarifPhysical struct { // [3.29]
		Artifact sarifArtifact `json:"artifactLocation"`
		Region   *sarifRegion  `json:"region,omitempty"`
	}
	sarifArtifact struct { // [3.4]
		URI string `json:"uri"`
	}
	sarifRegion struct { // [3.30]
		StartLine   int `json:"startLine"`
		StartColumn int `json:"startColumn"`
	}
	sarifLogical struct { // [3.33]
		FullyQualifiedName string `json:"fullyQualifiedName"`
	}
	// sarifProperties are the terms of a result in N-Triples syntax [3.8].
	sarifProperties struct {
		FocusNode string `json:"focusNode"`
		Path      string `json:"path,omitempty"`
		Value     string `json:"value,omitempty"`
		Shape     string `json:"shape"`
		Severity  string `json:"severity"`
	}
)

// writeSARIF writes the report as a SARIF log with one run. A rule is a
// constraint component, its id the component's local name.
func (v *validation) writeSARIF(r *shacl.Report, n *shapeNamer) error {
	results := r.Results
	run := sarifRun{
		Tool:       sarifTool{sarifDriver{Name: "rdfproto", Version: releaseVersion(), About: "https://github.com/rdfproto/rdfproto", Rules: sarifRules(results)}},
		ColumnKind: "unicodeCodePoints",
		Results:    []sarifResult{},
	}
	for i := range results {
		res := &results[i]
		rule := newSarifRule(res)
		run.Results = append(run.Results, sarifResult{
			RuleID:       rule.ID,
			RuleIndex:    slices.Index(run.Tool.Driver.Rules, rule), // the identifier alone need not be unique
			Level:        sarifLevel(res.Severity),
			Message:      sarifMessage{sarifText(res, n)},
			Locations:    []sarifLocation{v.sarifPlace(res.Place, res.Focus)},
			Related:      sarifShapePlace(res.ShapePlace),
			Fingerprints: map[string]string{"rdfproto/v1": fingerprint(res)},
			Properties: sarifProperties{
				FocusNode: res.Focus.String(), Path: res.Path.Short(rdf.Term.String), Value: res.Value.String(),
				Shape: res.Shape.String(), Severity: res.Severity,
			},
		})
	}
	line, err := marshal(sarifLog{
		Version: "2.1.0", Schema: "https://json.schemastore.org/sarif-2.1.0.json", Runs: []sarifRun{run},
	})
	if err != nil {
		return err
	}
	_, err = v.app.out.Write(append(visible(line), '\n'))
	return err
}

// sarifRules describes the constraint components of the results, in
// alphabetical order.
func sarifRules(results []shacl.Result) []sarifRule {
	rules := []sarifRule{}
	for i := range results {
		if rule := newSarifRule(&results[i]); !slices.Contains(rules, rule) {
			rules = append(rules, rule)
		}
	}
	slices.SortStableFunc(rules, func(a, b sarifRule) int { return strings.Compare(a.ID, b.ID) })
	return rules
}

// newSarifRule describes the constraint component of a result.
func newSarifRule(res *shacl.Result) sarifRule {
	rule := sarifRule{
		ID:      localName(res.Constraint),
		Summary: sarifMessage{"a constraint of sh:" + strings.TrimPrefix(res.Property(), vocab.SH) + " does not hold"},
	}
	if local, ok := strings.CutPrefix(res.Constraint, vocab.SH); ok {
		rule.Help = "https://www.w3.org/TR/shacl/#" + local
	}
	return rule
}

// localName is what follows the last "#" or "/" of an IRI.
func localName(iri string) string { return iri[strings.LastIndexAny(iri, "#/")+1:] }

// sarifLevel is the level of a severity [3.27.10]; one that is not the
// standard's is as grave as a violation.
func sarifLevel(severity string) string {
	return []string{"error", "warning", "note"}[severityRank(severity)]
}

// sarifText says what is wrong, and why: code hosts show the message alone.
func sarifText(res *shacl.Result, n *shapeNamer) string {
	var b strings.Builder
	var say func(indent string, res *shacl.Result)
	say = func(indent string, res *shacl.Result) {
		if path := res.Path.Short(n.Term); path != "" {
			b.WriteString(path + ": ")
		}
		if len(res.Messages) > 0 {
			b.WriteString(printable(res.Message()))
		} else {
			b.WriteString(n.reason(res))
		}
		for i := range res.Details {
			b.WriteString("\n" + indent + "- ")
			say(indent+"  ", &res.Details[i])
		}
		if res.Truncated {
			b.WriteString("\n" + indent + "- ... and more")
		}
	}
	say("", res)
	return b.String()
}

func (v *validation) sarifPlace(p rdf.Place, focus rdf.Term) sarifLocation {
	if p.File == "" {
		p.File = display(v.data)
	}
	return sarifLocation{
		Physical: physical(p),
		Logical:  []sarifLogical{{focus.String()}},
	}
}

func sarifShapePlace(p rdf.Place) []sarifLocation {
	if p.IsZero() {
		return nil
	}
	first := 0
	return []sarifLocation{{ID: &first, Physical: physical(p), Message: &sarifMessage{"the shape"}}}
}

func physical(p rdf.Place) sarifPhysical {
	at := sarifPhysical{Artifact: sarifArtifact{fileURI(p.File)}}
	if !p.IsZero() {
		at.Region = &sarifRegion{p.Line, p.Column}
	}
	return at
}

// fileURI is the URI reference of a file as it was named: relative names stay
// relative, so that a code host finds the file from its root.
func fileURI(file string) string {
	u := url.URL{Path: filepath.ToSlash(file)}
	if filepath.IsAbs(file) {
		u.Scheme = "file"
		if !strings.HasPrefix(u.Path, "/") {
			u.Path = "/" + u.Path // C:/... is no authority
		}
	}
	return u.String()
}

// fingerprint identifies a result over changes of the files that move it: what
// is wrong with which node, not where it stands. Blank nodes have no name that
// lasts.
func fingerprint(res *shacl.Result) string {
	h := sha256.New()
	for _, t := range []rdf.Term{res.Focus, res.Value, res.Shape} {
		text := t.String()
		if t.Kind() == rdf.KindBlank {
			text = "_:"
		}
		h.Write([]byte(text + "\n"))
	}
	h.Write([]byte(res.Path.String() + "\n" + res.Constraint + "\n"))
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// releaseVersion returns the version of this build, "" where it is none that was
// released: two builds of one working tree would differ.
func releaseVersion() string {
	if version, _ := BuildVersion(); strings.HasPrefix(version, "v") {
		return version
	}
	return ""
}
