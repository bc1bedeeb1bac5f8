package terms

import (
	"net/url"
	"strconv"
	"strings"

	"github.com/rdfproto/rdfproto/agentcard"
	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/internal/strictjson"
)

// ExtensionURI names the extension in a card. It is compared byte by byte (D-1).
const ExtensionURI = "https://agentsow.com/extensions/a2a-terms/v1"

// Declaration is what a card says about terms (section B.2). It is not verified: it says
// where to look, and what must be found there.
type Declaration struct {
	// Declared reports that the card has an extension with the exact URI. A card
	// without one is silent.
	Declared bool
	// Code says why no entry counts, and is "" when they do.
	Code Code
	// SOWSpec is the version of the Agent SoW specification that the proposals follow.
	// No proposal is refused because of it (D-6).
	SOWSpec string
	// Entries are the proposals that are listed, including those that do not count.
	Entries []Entry
	// Findings say what else is wrong or unwise.
	Findings []Finding
}

// Entry is one proposal of a declaration (section B.3).
type Entry struct {
	// Code says why the entry does not count, and is "" when it does.
	Code Code
	URL  string // where the document is served
	// Digest is the digest that the document must have: the commitment.
	Digest   canon.Digest
	SOW      string // the document's identifier, a label
	Offering string // the offering that the document prices, a label
	// Findings say what else is wrong or unwise.
	Findings []Finding
	// Line and Column are the place of the entry in the card.
	Line, Column int
}

// ReadDeclaration reads what a card says about terms.
func ReadDeclaration(card *agentcard.Card, limits Limits) Declaration {
	var d Declaration
	var found []strictjson.Value
	root := card.Root()
	for _, v := range root.Get("capabilities").Get("extensions").Items() {
		if text(v.Get("uri")) == ExtensionURI {
			found = append(found, v)
		}
	}
	if len(found) == 0 {
		return d
	}
	d.Declared = true
	r := declarationReader{Declaration: &d}
	if len(found) > 1 {
		r.refuse(found[1], CodeDeclDuplicate)
		return d
	}
	r.read(found[0], limits.OrDefault())
	d.compareEntries()
	d.compareCard(root)
	return d
}

// declarationReader reads a declaration and its entries.
type declarationReader struct {
	*Declaration
	finder
}

// maxFindings bounds what is said about one declaration or entry: nobody reads more.
const maxFindings = 100

func (d *declarationReader) find(v strictjson.Value, code Code) {
	if len(d.Findings) < maxFindings {
		d.Findings = append(d.Findings, d.at(v, code, "%s", code.Text()))
	}
}

// refuse makes the declaration state nothing.
func (d *declarationReader) refuse(v strictjson.Value, code Code) {
	d.Code = code
	d.find(v, code)
}

func (d *declarationReader) read(v strictjson.Value, limits Limits) {
	if b, _ := v.Get("required").Bool(); b {
		d.find(v.Get("required"), CodeRequiredTrue)
	}
	params := v.Get("params")
	d.SOWSpec = text(params.Get("sow_spec"))
	if d.SOWSpec == "" {
		d.find(orElse(params.Get("sow_spec"), orElse(params, v)), CodeDeclSOWSpec)
	}
	for i := range params.Len() {
		if m := params.Member(i); params.Kind() == strictjson.Object && m.Str() != "sow_spec" && m.Str() != "proposals" {
			d.find(m.Name, CodeDeclUnknown)
		}
	}
	list := params.Get("proposals")
	switch {
	case list.Kind() != strictjson.Array || list.Len() == 0:
		d.refuse(orElse(list, orElse(params, v)), CodeDeclProposals)
		return
	case list.Len() > limits.Proposals:
		d.refuse(list, CodeLimit)
		return
	}
	for _, e := range list.Items() {
		d.Entries = append(d.Entries, d.entry(e))
	}
}

func (d *declarationReader) entry(v strictjson.Value) Entry {
	var e Entry
	e.Line, e.Column = d.place(v)
	find := func(at strictjson.Value, code Code) {
		if len(e.Findings) < maxFindings {
			e.Findings = append(e.Findings, d.at(at, code, "%s", code.Text()))
		}
	}
	for i := range v.Len() {
		if v.Kind() != strictjson.Object {
			break
		}
		switch m := v.Member(i); m.Str() {
		case "url", "digest":
		case "sow", "offering":
			if text(m.Value) == "" {
				find(m.Value, CodeEntryType)
			}
		default:
			find(m.Name, CodeDeclUnknown)
		}
	}
	e.SOW, e.Offering = text(v.Get("sow")), text(v.Get("offering"))
	var err error
	e.Digest, err = canon.ParseDigest(text(v.Get("digest")))
	if u := text(v.Get("url")); isDocumentURL(u) {
		e.URL = u
	}
	switch {
	case e.URL == "":
		e.Code = CodeURL
	case err != nil:
		e.Code = CodeDigestFormat
	}
	return e
}

// maxURLBytes bounds the address of a document.
const maxURLBytes = 2048

// isDocumentURL reports whether an entry may have an address (E-1): an absolute
// https URL as RFC 3986 writes it, with a host and without a user name. The fetcher
// judges whether the host may be contacted.
func isDocumentURL(s string) bool {
	if len(s) > maxURLBytes {
		return false
	}
	for i := range len(s) {
		if s[i] <= ' ' || s[i] >= 0x7f || strings.IndexByte("\"<>\\^`{|}", s[i]) >= 0 {
			return false
		}
	}
	u, err := url.Parse(s)
	return err == nil && u.Scheme == "https" && u.Hostname() != "" && u.User == nil && u.Opaque == ""
}

// Resource returns the address of a document in a normal form, in which two spellings of
// one address are equal (RFC 3986, sections 6.2.2 and 6.2.3): case, escapes, dot
// segments, the default port, and no fragment, which is not sent to a server. A text that
// is not an https URL is returned as it is.
func Resource(address string) string {
	u, err := url.Parse(address)
	if err != nil || !strings.EqualFold(u.Scheme, "https") || u.Host == "" {
		return address
	}
	host := strings.ToLower(strings.TrimSuffix(u.Hostname(), "."))
	if strings.Contains(host, ":") { // IPv6
		host = "[" + host + "]"
	}
	if port := u.Port(); port != "" && port != "443" {
		host += ":" + port
	}
	path := new(url.URL).ResolveReference(&url.URL{Scheme: "https", Path: u.Path, RawPath: normalEscapes(u.EscapedPath())}).EscapedPath()
	if path == "" {
		path = "/"
	}
	if u.RawQuery != "" || u.ForceQuery {
		path += "?" + normalEscapes(u.RawQuery)
	}
	if u.User != nil {
		host = u.User.String() + "@" + host
	}
	return "https://" + host + path
}

// normalEscapes writes escapes with capital digits, and none for characters that
// need none.
func normalEscapes(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '%' || i+2 >= len(s) {
			b.WriteByte(s[i])
			continue
		}
		escape := strings.ToUpper(s[i : i+3])
		n, err := strconv.ParseUint(escape[1:], 16, 8)
		switch c := byte(n); {
		case err != nil:
			b.WriteByte(s[i])
			continue
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', strings.IndexByte("-._~", c) >= 0:
			b.WriteByte(c)
		default:
			b.WriteString(escape)
		}
		i += 2
	}
	return b.String()
}

// compareEntries finds entries with one address or one document (E-6).
func (d *Declaration) compareEntries() {
	byURL, byDigest := map[string]int{}, map[canon.Digest]bool{}
	for i := range d.Entries {
		e := &d.Entries[i]
		if e.Code != "" {
			continue
		}
		key := Resource(e.URL)
		if first, ok := byURL[key]; !ok {
			byURL[key] = i
		} else if !d.Entries[first].Digest.Equal(e.Digest) {
			e.Code = CodeEntryConflict
			d.Entries[first].Code = CodeEntryConflict
		}
		if byDigest[e.Digest] {
			e.Findings = append(e.Findings, Finding{Code: CodeEntryDuplicate, Text: CodeEntryDuplicate.Text(), Line: e.Line, Column: e.Column})
		}
		byDigest[e.Digest] = true
	}
	// The first of a conflict is known when the second comes; a third that agrees with
	// the first is then refused as well.
	for i := range d.Entries {
		e := &d.Entries[i]
		if first, ok := byURL[Resource(e.URL)]; ok && e.Code == "" && d.Entries[first].Code == CodeEntryConflict {
			e.Code = CodeEntryConflict
		}
	}
}

// compareCard finds entries that do not fit the rest of the card (E-4, E-5).
func (d *Declaration) compareCard(root strictjson.Value) {
	skills := map[string]bool{}
	for _, s := range root.Get("skills").Items() {
		skills[text(s.Get("id"))] = true
	}
	hosts := cardHosts(root)
	for i := range d.Entries {
		e := &d.Entries[i]
		note := func(code Code) {
			e.Findings = append(e.Findings, Finding{Code: code, Text: code.Text(), Line: e.Line, Column: e.Column})
		}
		if e.Offering != "" && len(skills) > 0 && !skills[e.Offering] {
			note(CodeOfferingSkill)
		}
		if e.URL != "" && len(hosts) > 0 && !under(hostOf(e.URL), hosts) {
			note(CodeThirdParty)
		}
	}
}

// cardHosts returns the hosts that a card names as its publisher's.
func cardHosts(root strictjson.Value) []string {
	var out []string
	add := func(v strictjson.Value) {
		if h := hostOf(text(v)); h != "" {
			out = append(out, h)
		}
	}
	for _, v := range root.Get("supportedInterfaces").Items() {
		add(v.Get("url"))
	}
	add(root.Get("provider").Get("url"))
	return out
}

func hostOf(rawURL string) string {
	u, err := url.Parse(rawURL)
	if err != nil {
		return ""
	}
	return strings.ToLower(strings.TrimSuffix(u.Hostname(), "."))
}

// under reports whether a host is one of hosts or below one.
func under(host string, hosts []string) bool {
	for _, h := range hosts {
		if host == h || strings.HasSuffix(host, "."+h) {
			return true
		}
	}
	return false
}
