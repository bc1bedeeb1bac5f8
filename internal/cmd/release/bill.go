package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"runtime/debug"
	"slices"
	"strings"
	"time"
)

// The parts of a software bill of materials in CycloneDX 1.6 (ECMA-424) that a Go program
// needs.
type (
	cdxBill struct {
		Schema       string          `json:"$schema"`
		Format       string          `json:"bomFormat"`
		Spec         string          `json:"specVersion"`
		Version      int             `json:"version"`
		Metadata     cdxMetadata     `json:"metadata"`
		Components   []cdxComponent  `json:"components"`
		Dependencies []cdxDependency `json:"dependencies"`
	}
	cdxMetadata struct {
		Timestamp string       `json:"timestamp"`
		Component cdxComponent `json:"component"`
	}
	cdxComponent struct {
		Type       string        `json:"type"`
		Ref        string        `json:"bom-ref"`
		Name       string        `json:"name"`
		Version    string        `json:"version"`
		PURL       string        `json:"purl,omitempty"`
		Hashes     []cdxHash     `json:"hashes,omitempty"`
		Properties []cdxProperty `json:"properties,omitempty"`
	}
	cdxHash struct {
		Algorithm string `json:"alg"`
		Content   string `json:"content"`
	}
	cdxProperty struct {
		Name  string `json:"name"`
		Value string `json:"value"`
	}
	cdxDependency struct {
		Ref       string   `json:"ref"`
		DependsOn []string `json:"dependsOn,omitempty"`
	}
)

// bill returns the list of what is in the programs of an archive, from what the linker
// wrote into them: what is in go.mod and not linked is not in it.
func bill(version string, released time.Time, t target, built []build) ([]byte, error) {
	main := built[0].info.Main.Path
	root := purl(main, version)
	out := cdxBill{
		Schema: "http://cyclonedx.org/schema/bom-1.6.schema.json", Format: "CycloneDX", Spec: "1.6", Version: 1,
		Metadata: cdxMetadata{
			Timestamp: released.Format(time.RFC3339),
			Component: cdxComponent{
				Type: "application", Ref: root, Name: main, Version: version, PURL: root,
				Properties: []cdxProperty{{"rdfproto:target", t.String()}},
			},
		},
		Components: []cdxComponent{},
	}
	top := cdxDependency{Ref: root}
	for _, b := range built {
		program := cdxComponent{
			Type: "application", Ref: "program:" + b.program, Name: b.program, Version: version,
			Hashes: []cdxHash{{"SHA-256", fmt.Sprintf("%x", sha256.Sum256(b.data))}},
		}
		for _, s := range b.info.Settings {
			program.Properties = append(program.Properties, cdxProperty{"go:build:" + s.Key, s.Value})
		}
		out.Components = append(out.Components, program)
		top.DependsOn = append(top.DependsOn, program.Ref)
		needs := cdxDependency{Ref: program.Ref}
		library := &debug.Module{Path: "std", Version: strings.TrimPrefix(b.info.GoVersion, "go")}
		for _, m := range append([]*debug.Module{library}, b.info.Deps...) {
			c := cdxComponent{Type: "library", Ref: purl(m.Path, m.Version), Name: m.Path, Version: m.Version, PURL: purl(m.Path, m.Version)}
			if m.Sum != "" {
				c.Properties = []cdxProperty{{"go:sum", m.Sum}}
			}
			needs.DependsOn = append(needs.DependsOn, c.Ref)
			if !slices.ContainsFunc(out.Components, func(o cdxComponent) bool { return o.Ref == c.Ref }) {
				out.Components = append(out.Components, c)
			}
		}
		out.Dependencies = append(out.Dependencies, needs)
	}
	out.Dependencies = append([]cdxDependency{top}, out.Dependencies...)
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(out); err != nil {
		return nil, err
	}
	return text.Bytes(), nil
}

// purl is the package URL of a module.
func purl(path, version string) string {
	return "pkg:golang/" + strings.ToLower(path) + "@" + strings.ReplaceAll(version, "+", "%2B")
}
