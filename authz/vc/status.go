package vc

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/internal/strictjson"
	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/rdfio"
	"github.com/rdfproto/rdfproto/rdf/vocab"
	"github.com/rdfproto/rdfproto/rdf/xsd"
)

// The purposes of status entries that are understood.
const (
	purposeRevocation = "revocation"
	purposeSuspension = "suspension"
)

// statusTTL is how long a status list may be kept.
const statusTTL = vocab.Status + "ttl"

// RevocationMemory remembers revoked credentials: a credential that was once seen
// revoked stays so, whatever a later list says. It must be safe for concurrent use.
type RevocationMemory interface {
	// Revoked reports whether a credential of an issuer is remembered.
	Revoked(ctx context.Context, issuer, credential string) (bool, error)
	// Remember remembers it.
	Remember(ctx context.Context, issuer, credential string) error
}

// Memory is a RevocationMemory that lasts as long as the process. The zero Memory
// is empty. It forgets nothing. Once it is full, Remember fails for a credential that
// is not in it; that credential is refused all the same. It is safe for concurrent use.
type Memory struct {
	// Max is how many credentials are remembered; 0 means a million, which take some
	// 60 MB however long their names are.
	Max int

	mu      sync.Mutex
	revoked map[canon.Digest]struct{}
}

// memoryKey is the key under which a credential of an issuer is kept. No IRI has a line
// feed.
func memoryKey(issuer, credential string) canon.Digest {
	return canon.Sum([]byte(issuer + "\n" + credential))
}

// Revoked implements [RevocationMemory].
func (m *Memory) Revoked(_ context.Context, issuer, credential string) (bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	_, revoked := m.revoked[memoryKey(issuer, credential)]
	return revoked, nil
}

// Remember implements [RevocationMemory].
func (m *Memory) Remember(_ context.Context, issuer, credential string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	most := m.Max
	if most <= 0 {
		most = 1_000_000
	}
	key := memoryKey(issuer, credential)
	if _, known := m.revoked[key]; !known && len(m.revoked) >= most {
		return errors.New("the memory of revoked credentials is full")
	}
	if m.revoked == nil {
		m.revoked = map[canon.Digest]struct{}{}
	}
	m.revoked[key] = struct{}{}
	return nil
}

// StatusReport is the outcome of checking the status of a credential. The zero
// StatusReport refuses.
type StatusReport struct {
	outcome
	checked bool
	entries []CheckedEntry
}

// CheckedEntry is a status entry that was evaluated, for a record of the decision.
type CheckedEntry struct {
	Purpose   string
	List      string // URL of the list
	Index     int64
	Set       bool
	ValidFrom string // of the list, as written
}

// Clear reports whether every entry was evaluated and none is set.
func (r *StatusReport) Clear() bool { return r.checked && len(r.findings) == 0 }

// Code returns the code to report where there is room for one: a revocation before
// a suspension before an entry that could not be evaluated (section 4); "" exactly
// when the status is clear.
func (r *StatusReport) Code() Code {
	if r.Clear() {
		return ""
	}
	for _, c := range []Code{CodeRevoked, CodeSuspended} {
		if slices.Contains(r.Codes(), c) {
			return c
		}
	}
	return CodeStatusRetrievalError
}

// Entries returns the entries that were evaluated, in order.
func (r *StatusReport) Entries() []CheckedEntry { return r.entries }

// CheckStatus evaluates all status entries of a verified credential at a time
// (section 4). An entry that cannot be evaluated never counts as "not revoked". A
// credential without entries is clear. An error means that the call was wrong or ctx is
// done.
func (v *Verifier) CheckStatus(ctx context.Context, c *Credential, at time.Time) (*StatusReport, error) {
	if err := checkTime(at); err != nil {
		return nil, err
	}
	if c == nil || c.source == nil {
		return nil, errors.New("expected a verified credential")
	}
	v = v.call()
	r := &StatusReport{checked: true}
	switch {
	case c.statusUnknown:
		r.add(found(CodeStatusRetrievalError, strictjson.Value{}, "whether the credential has a status cannot be read: %s", c.lossText))
	case len(c.status) > v.config.Limits.StatusEntries:
		r.add(found(CodeStatusRetrievalError, strictjson.Value{}, "expected at most %d status entries, found %d", v.config.Limits.StatusEntries, len(c.status)))
	default:
		lists := map[string]listRead{}
		for i, e := range c.status {
			if f := v.checkEntry(ctx, c, e, at, lists, r); f != nil {
				f.Entry = i + 1
				r.add(*f)
			}
		}
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return r, nil
}

// statusFault makes a finding about an entry.
func statusFault(code Code, problem, format string, args ...any) *Finding {
	f := found(code, strictjson.Value{}, format, args...)
	if problem != "" {
		f.Problem = problem
	}
	return &f
}

// checkEntry makes the checks of section 4; the numbers are the rows of its table.
func (v *Verifier) checkEntry(ctx context.Context, c *Credential, e StatusEntry, at time.Time, lists map[string]listRead, r *StatusReport) *Finding {
	index, f := readEntry(e) // 1
	if f != nil {
		return f
	}
	memory := v.config.Revoked
	if memory != nil && c.id != "" && e.Purpose == purposeRevocation { // 2
		revoked, err := memory.Revoked(ctx, c.issuer, c.id)
		if err != nil {
			return statusFault(CodeStatusRetrievalError, "", "the memory of revocations failed: %v", err)
		}
		if revoked {
			return statusFault(CodeRevoked, "", "the credential was seen revoked before")
		}
	}
	read, ok := lists[e.Credential]
	if !ok {
		read.list, read.fault = v.loadList(ctx, e.Credential, c, at) // 3 to 8
		lists[e.Credential] = read
	}
	if read.fault != nil {
		f := *read.fault
		return &f
	}
	list := read.list
	if !slices.Contains(list.purposes, e.Purpose) { // 9
		return statusFault(CodeStatusRetrievalError, ProblemStatusVerification, "the status list is not for the purpose %s", e.Purpose)
	}
	set, ok := list.set[index] // 12
	if !ok {
		return statusFault(CodeStatusRetrievalError, ProblemRange, "the status list has %d entries, expected more than %d", list.entries, index)
	}
	r.entries = append(r.entries, CheckedEntry{Purpose: e.Purpose, List: e.Credential, Index: index, Set: set, ValidFrom: list.validFrom})
	switch { // 13
	case !set:
		return nil
	case e.Purpose == purposeSuspension:
		return statusFault(CodeSuspended, "", "entry %d of the status list is set", index)
	}
	if memory != nil && c.id != "" {
		if err := memory.Remember(ctx, c.issuer, c.id); err != nil {
			r.add(*statusFault(CodeStatusRetrievalError, "", "the memory of revocations failed: %v", err))
		}
	}
	return statusFault(CodeRevoked, "", "entry %d of the status list is set", index)
}

// readEntry is row 1: the form of an entry.
func readEntry(e StatusEntry) (int64, *Finding) {
	refuse := func(format string, args ...any) (int64, *Finding) {
		return 0, statusFault(CodeStatusRetrievalError, ProblemStatusVerification, format, args...)
	}
	switch {
	case !e.single:
		return refuse("expected one value for each property of a status entry, and strings for statusPurpose and statusListIndex")
	case !slices.Contains(e.Types, vocab.StatusBitstringStatusListEntry):
		return refuse("expected a status entry of type BitstringStatusListEntry")
	case e.Purpose != purposeRevocation && e.Purpose != purposeSuspension:
		return refuse("expected the statusPurpose revocation or suspension, found %s", rdf.Abbreviate(e.Purpose))
	case e.Size != "" && e.Size != "1":
		return refuse("expected a statusSize of 1, found %s", rdf.Abbreviate(e.Size))
	case !strings.HasPrefix(e.Credential, "https://") && !strings.HasPrefix(e.Credential, "http://"):
		return refuse("expected a URL for statusListCredential, found %s", rdf.Abbreviate(e.Credential))
	}
	const most = 1<<53 - 1
	n, err := strconv.ParseInt(e.Index, 10, 64)
	if err != nil || n < 0 || n > most || strconv.FormatInt(n, 10) != e.Index {
		return refuse("expected a decimal number without leading zeros for statusListIndex, found %s", rdf.Abbreviate(e.Index))
	}
	return n, nil
}

// indexes returns the entries of a status list that the status of the credential names,
// ascending.
func (c *Credential) indexes(list string) []int64 {
	var all []int64
	for _, e := range c.status {
		if e.Credential != list {
			continue
		}
		if i, f := readEntry(e); f == nil {
			all = append(all, i)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// statusList is what one credential needs of a status list credential that was verified.
// It holds nothing of the document, and the list is never held as a whole.
type statusList struct {
	validFrom string
	purposes  []string
	entries   int64
	set       map[int64]bool // of the entries that were asked for and are there
}

// listRead is what came of reading a status list: one of the two. One that is refused is
// not read again for the next entry.
type listRead struct {
	list  *statusList
	fault *Finding
}

// loadList reads and verifies a status list credential (rows 3 to 8, 10, 11), and takes
// the entries of it that the status of a credential names.
func (v *Verifier) loadList(ctx context.Context, url string, of *Credential, at time.Time) (*statusList, *Finding) {
	refuse := func(problem, format string, args ...any) (*statusList, *Finding) {
		return nil, statusFault(CodeStatusRetrievalError, problem, format, args...)
	}
	if v.config.Documents == nil {
		return refuse("", "no status list can be read here")
	}
	doc, err := v.config.Documents.Document(ctx, url)
	if err != nil {
		return refuse("", "<%s> could not be read: %v", rdf.Abbreviate(url), err)
	}
	if int64(len(doc.Content)) > v.config.Limits.StatusListBytes {
		return refuse("", "expected a status list of at most %d bytes", v.config.Limits.StatusListBytes)
	}
	if all := v.work.lists.Add(int64(len(doc.Content))); (all+statusLists-1)/statusLists > v.config.Limits.StatusListBytes {
		return refuse("", "expected at most %d bytes of all status lists together", statusLists*v.config.Limits.StatusListBytes)
	}
	around := outside(doc.Content)
	if v.work.around.Add(around) > v.config.Limits.PresentationBytes {
		return refuse("", "expected at most %d bytes of all status lists together around what they list", v.config.Limits.PresentationBytes)
	}
	c, fault := v.listCredential(ctx, url, doc, int64(len(doc.Content))-around+termsOf(around), of, at)
	if fault != nil {
		return refuse(ProblemStatusVerification, "the status list is refused: %s", fault)
	}
	if c.HasStatus() { // it is not followed, and so it may have ended
		return refuse(ProblemStatusVerification, "expected a status list without a status of its own")
	}
	if property := otherLimit(c.graph, c.subject, statusTTL); property != "" {
		return refuse(ProblemStatusVerification, "the status list has <%s>, which may begin or end it and is not known", rdf.Abbreviate(property))
	}
	if c.id != url {
		return refuse(ProblemStatusVerification, "expected the status list <%s>, found <%s>", rdf.Abbreviate(url), rdf.Abbreviate(c.id))
	}
	if !c.HasType(vocab.StatusBitstringStatusListCredential) && !c.HasType(vocab.SVCBitstringStatusListCredential) {
		return refuse(ProblemStatusVerification, "expected a credential of type BitstringStatusListCredential")
	}
	l := &statusList{validFrom: strings.Clone(c.validFrom)}
	for _, t := range c.Claims(vocab.StatusStatusPurpose) {
		if !plain(t) {
			return refuse(ProblemStatusVerification, "expected a string for statusPurpose")
		}
		if p := t.Value(); p == purposeRevocation || p == purposeSuspension { // no entry asks for another
			l.purposes = append(l.purposes, strings.Clone(p))
		}
	}
	for _, size := range c.Claims(vocab.StatusStatusSize) { // drafts have it here, and not in the entry
		if size.Kind() != rdf.KindLiteral || size.Value() != "1" {
			return refuse(ProblemStatusVerification, "expected a status list of entries of one bit, found the statusSize %s", size.Abbreviated())
		}
	}
	encoded := c.Claims(vocab.StatusEncodedList)
	if len(encoded) != 1 || !plain(encoded[0]) && encoded[0].Datatype() != vocab.SecMultibase {
		return refuse(ProblemStatusVerification, "expected one encodedList, found %d", len(encoded))
	}
	picked := &pick{wanted: of.indexes(url), set: map[int64]bool{}}
	to := &spending{ctx: ctx, to: picked, spent: &v.work.inflated, most: v.config.Limits.Inflated, of: "all status lists once inflated"}
	size, err := inflate(to, encoded[0].Value(), v.config.Limits)
	if err != nil {
		problem := ProblemStatusVerification
		if e, ok := errors.AsType[*listError](err); ok {
			problem = e.problem
		}
		return refuse(problem, "%v", err)
	}
	if k, ok := v.config.Documents.(Keeper); ok {
		k.Keep(url, doc, c.timeToLive(), c.end())
	}
	l.entries, l.set = size*8, picked.set
	return l, nil
}

// timeToLive returns how long a status list credential says that it may be kept: the
// shortest ttl in its graph, in milliseconds (Bitstring Status List 1.0, section 2.2). One
// that cannot be read counts as 0.
func (c *Credential) timeToLive() time.Duration {
	life := time.Duration(math.MaxInt64)
	p := c.graph.LookupIRI(statusTTL)
	if p == 0 {
		return life
	}
	for q := range c.graph.Default().Predicate(p).Quads() {
		ms := milliseconds(c.graph.Term(q.O))
		switch {
		case ms == 0:
			return 0
		case ms < float64(life/time.Millisecond):
			life = time.Duration(ms * float64(time.Millisecond))
		}
	}
	return life
}

// milliseconds reads a ttl: digits, as an integer or a text, or what JSON-LD makes of a
// number with a fraction, which is a double. Anything else is 0: an infinity would hold for
// ever.
func milliseconds(t rdf.Term) float64 {
	number := false
	switch t.Datatype() {
	case vocab.XSDInteger, vocab.XSDString:
		number = strings.Trim(t.Value(), "0123456789") == ""
	case vocab.XSDDouble:
		_, err := xsd.Parse(xsd.Double, t.Value())
		number = err == nil && !strings.ContainsAny(t.Value(), "IN") // INF, NaN
	}
	ms, err := strconv.ParseFloat(t.Value(), 64)
	if !number || err != nil {
		return 0
	}
	return max(ms, 0)
}

// end returns when a credential or the first of its proofs ends, the zero Time for never.
func (c *Credential) end() (first time.Time) {
	ends := []string{c.validUntil}
	for _, p := range c.source.proofs {
		if p.expires != nil {
			ends = append(ends, *p.expires)
		}
	}
	for _, text := range ends {
		if text == "" {
			continue
		}
		t, err := time.Parse(time.RFC3339Nano, text)
		if err != nil { // an xsd:dateTimeStamp that Go cannot hold: it is judged at every use
			return time.Unix(0, 0)
		}
		if first.IsZero() || t.Before(first) {
			first = t
		}
	}
	return first
}

// outside returns how many bytes of a status list credential are not its list: all but the
// longest run of characters of base64url, in any syntax.
func outside(content []byte) int64 {
	longest, run := 0, 0
	for _, c := range content {
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-' || c == '_' {
			run++
			longest = max(longest, run)
		} else {
			run = 0
		}
	}
	return int64(len(content) - longest)
}

// listCredential verifies a status list credential by its media type: JSON like any
// credential, Turtle in the SVC profile. Without a media type it is read as Turtle. Its
// issuer must be that of the credential, or may issue the lists of others. Its terms may
// take some bytes.
func (v *Verifier) listCredential(ctx context.Context, url string, doc Document, terms int64, of *Credential, at time.Time) (*Credential, error) {
	list := *v
	list.config.Authority = false // its demands are on credentials that grant something
	list.listOf = of
	r := &Report{}
	syntax, known := rdfio.ByMediaType(doc.MediaType)
	switch {
	case isJSON(doc.MediaType) || known && syntax == rdfio.JSONLD:
		if s, fault := list.parse(doc.Content, v.config.Limits.StatusListBytes); fault != nil {
			r.add(*fault)
		} else {
			s.terms = terms
			list.verify(ctx, s, at, r)
			if c := r.Credential(); c != nil && c.graph == nil {
				r.add(found(CodeMalformed, strictjson.Value{}, "its claims cannot be read: %s", c.lossText))
			}
		}
	case doc.MediaType == "" || known && syntax == rdfio.Turtle:
		list.verifyTurtle(ctx, url, doc.Content, terms, at, r)
	default:
		return nil, fmt.Errorf("its media type %s is not one of status lists", rdf.Abbreviate(doc.MediaType))
	}
	if !r.Verified() {
		if len(r.findings) == 0 {
			return nil, errors.New("it is not verified")
		}
		return nil, errors.New(r.findings[0].String())
	}
	return r.credential, nil
}

// isJSON reports whether a media type is one of JSON credentials.
func isJSON(header string) bool {
	name, _, _ := strings.Cut(header, ";")
	switch strings.ToLower(strings.TrimSpace(name)) {
	case "application/vc", "application/vc+ld+json", "application/ld+json", "application/json":
		return true
	}
	return false
}
