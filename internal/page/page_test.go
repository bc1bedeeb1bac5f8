package page_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/internal/page"
	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/rdfio"
)

const pin = "sha256:4af1e70e42283872cbc0dd3a5eeaa1bd86adda728c993447bed8930d990ab509"

func file(t *testing.T, name ...string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(append([]string{"..", ".."}, name...)...))
	require.NoError(t, err)
	return string(data)
}

// texts are those of the page that most tests begin with.
func texts(t *testing.T) page.Input {
	t.Helper()
	return page.Input{
		Document: page.Text{Text: file(t, "testdata", "grant-access.ttl")},
		Intent:   page.Text{Text: file(t, "testdata", "intent.ttl")},
		Now:      time.Date(2026, 8, 1, 0, 0, 0, 0, time.UTC),
	}
}

func authority(t *testing.T) string { return file(t, "web", "examples", "authority.txtar") }

func judge(t *testing.T, in page.Input) page.Output {
	t.Helper()
	out, err := page.Judge(t.Context(), in, bytes.NewReader(make([]byte, 1<<10)))
	require.NoError(t, err)
	return out
}

func replaced(t *testing.T, text, old, new string) string {
	t.Helper()
	require.Contains(t, text, old)
	return strings.Replace(text, old, new, 1)
}

func TestJudge(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		name   string
		change func(*page.Input)
		status page.Status
		code   string
		// last is the last step that was reached, "" for no trace.
		last string
	}{
		{"nothing", func(in *page.Input) { *in = page.Input{Intent: page.Text{Text: " \n"}} }, page.Nothing, "", ""},
		{"a document alone", func(in *page.Input) { in.Intent.Text = "" }, page.Yes, "", ""},
		{"an intent alone", func(in *page.Input) { in.Document.Text = "" }, page.Refused, "no-document", ""},
		{"both", func(*page.Input) {}, page.Yes, "", "7.3.8"},
		{"an intent that does not conform", func(in *page.Input) { in.Intent.Text = file(t, "testdata", "intent-incomplete.ttl") }, page.No, "intent-invalid", "7.3.6"},
		{"an intent that cannot be read", func(in *page.Input) { in.Intent.Text = "<urn:x> a" }, page.No, "malformed-payload", "7.3.4"},
		{"no intent in the graph", func(in *page.Input) { in.Intent.Text = "<urn:x> a <urn:y> ." }, page.No, "intent-invalid", "7.3.5"},
		{"a document that cannot be read", func(in *page.Input) { in.Document.Text += "x" }, page.Refused, "syntax", ""},
		{"a graph that is no document", func(in *page.Input) { in.Document.Text = "<urn:x> a <urn:y> ." }, page.Refused, "invalid-protocol-document", ""},
		{"a feature that is not evaluated", func(in *page.Input) {
			in.Document.Text = replaced(t, in.Document.Text, "sh:maxCount 1 ;", "sh:sparql [] ;")
		}, page.Refused, "unsupported-feature", ""},
		{"a document that can never be satisfied", func(in *page.Input) {
			in.Document.Text = replaced(t, in.Document.Text, "sh:maxCount 1 ;", "sh:maxCount 0 ;")
		}, page.Refused, "invalid-protocol-document", ""},
		{"the wrong syntax", func(in *page.Input) { in.Intent.Syntax = "jsonld" }, page.No, "malformed-payload", "7.3.4"},
		{"an unknown syntax", func(in *page.Input) { in.Document.Syntax = "x" }, page.Refused, "unsupported-media-type", ""},
		{"a remote context", func(in *page.Input) {
			in.Intent.Text = `{"@context":"https://a.example/c","@type":"https://w3id.org/jeswr/a2a#Intent"}`
		}, page.No, "malformed-payload", "7.3.4"},
		{"authority that permits", func(in *page.Input) { in.Authority = authority(t) }, page.Yes, "", "7.3.8"},
		{"authority that does not cover the intent", func(in *page.Input) {
			in.Authority, in.Intent.Text = authority(t), file(t, "web", "examples", "intent-write.ttl")
		}, page.No, "authorization-denied", "7.3.7"},
		{"authority for an intent that is refused before", func(in *page.Input) {
			in.Authority, in.Intent.Text = authority(t), file(t, "testdata", "intent-incomplete.ttl")
		}, page.No, "intent-invalid", "7.3.6"},
		{"authority alone", func(in *page.Input) { *in = page.Input{Authority: authority(t)} }, page.Yes, "", ""},
		{"authority alone, at another time", func(in *page.Input) {
			*in = page.Input{Authority: replaced(t, authority(t), `"now": "2026`, `"now": "2025`)}
		}, page.No, "NOT_YET_VALID", ""},
		{"a policy that was changed", func(in *page.Input) {
			in.Authority = replaced(t, authority(t), "# Bob passes", "# bob passes")
		}, page.No, "authorization-denied", "7.3.7"},
		{"another actor", func(in *page.Input) {
			*in = page.Input{Authority: replaced(t, authority(t), `"actor": "https://agent.bob.example/#it"`, `"actor": "https://mallory.example/#me"`)}
		}, page.No, "IDENTITY_COMPOSITION_FAILED", ""},
		{"a key that is not there", func(in *page.Input) {
			*in = page.Input{Authority: replaced(t, authority(t), "-- keys/bob.json --", "-- other/bob.json --")}
		}, page.No, "ISSUER_MISMATCH", ""},
		{"a file that is not there", func(in *page.Input) {
			*in = page.Input{Authority: replaced(t, authority(t), "-- task.ttl --", "-- tsk.ttl --")}
		}, page.Refused, "invalid-input", ""},
		{"authority that is no JSON", func(in *page.Input) { in.Authority = "x" }, page.Refused, "syntax", ""},
		{"authority without a root", func(in *page.Input) { *in = page.Input{Authority: "{}"} }, page.Refused, "invalid-input", ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			in := texts(t)
			row.change(&in)
			out := judge(t, in)
			require.Equal(t, row.status, out.Verdict.Status, out)
			require.Equal(t, row.code, out.Verdict.Code, out.Verdict.Message)
			require.NotEmpty(t, out.Verdict.Message)
			last := ""
			for _, s := range out.Trace {
				if s.State != page.NotReached {
					last = s.Name
				}
			}
			require.Equal(t, row.last, last)
			if row.last != "" {
				require.Len(t, out.Trace, 8)
			}
		})
	}
}

func TestDocument(t *testing.T) {
	t.Parallel()
	d := judge(t, texts(t)).Document
	require.Equal(t, pin, d.Pin)
	require.Equal(t, "Grant access", d.Title)
	require.Equal(t, 37, strings.Count(d.Canonical, "\n"))
	require.True(t, d.Review.Acceptable)
	require.Positive(t, d.Review.Request.Checks[0])
	require.NotEmpty(t, d.Review.Explained)

	in := texts(t)
	in.Document.Text = replaced(t, in.Document.Text, "sh:targetClass a2a:Intent ;", "")
	d = judge(t, in).Document
	require.Len(t, d.Review.Findings, 1)
	require.Equal(t, "no-intent-target", d.Review.Findings[0].Code)
}

// TestPlaces: what is said of a text says where.
func TestPlaces(t *testing.T) {
	t.Parallel()
	in := texts(t)
	in.Intent.Text = file(t, "testdata", "intent-incomplete.ttl")
	r := judge(t, in).Report
	require.False(t, r.Conforms)
	require.Len(t, r.Results, 1)
	top := r.Results[0]
	require.Equal(t, rdf.Place{File: page.FileIntent, Line: 8, Column: 16}, top.Place)
	require.Equal(t, page.FileDocument, top.ShapePlace.File)
	var messages []string
	for _, d := range top.Details {
		messages = append(messages, d.Path+": "+d.Message)
		require.Equal(t, page.FileIntent, d.Place.File)
	}
	require.Equal(t, []string{"schema:recipient: expected at least 1 value, found 0", `a2a:mode: expected an IRI, found a literal`}, messages)

	for _, row := range []struct {
		name   string
		change func(*page.Input)
		place  rdf.Place
	}{
		{"a document", func(in *page.Input) { in.Document.Text = "\n <urn:x> a x:y ." }, rdf.Place{File: page.FileDocument, Line: 2, Column: 12}},
		{"an intent", func(in *page.Input) { in.Intent.Text = "\n\n  ." }, rdf.Place{File: page.FileIntent, Line: 3, Column: 3}},
		{"an input", func(in *page.Input) { in.Authority = "{\"rootPrincipal\":\"urn:r\",\n\"actor\":1}" }, rdf.Place{File: page.FileAuthority, Line: 2, Column: 9}},
		{"a file twice", func(in *page.Input) { in.Authority = "{}\n-- a --\n-- a --\n" }, rdf.Place{File: page.FileAuthority, Line: 3, Column: 1}},
		{"keys", func(in *page.Input) {
			in.Authority = replaced(t, authority(t), "-- keys/alice.json --\n{", "-- keys/alice.json --\n")
		}, rdf.Place{File: page.FileAuthority, Line: 154, Column: 13}},
	} {
		in := texts(t)
		row.change(&in)
		out := judge(t, in)
		require.NotEmpty(t, out.Problems, row.name)
		require.Equal(t, row.place, out.Problems[0].Place, row.name)
	}
}

func TestAuthority(t *testing.T) {
	t.Parallel()
	in := texts(t)
	require.Nil(t, judge(t, in).Authority)
	step := judge(t, in).Trace[6]
	require.Equal(t, page.Step{Name: "7.3.7", What: "the authority of the sender", State: page.NotAsked, Note: "not asked: no authority input was given"}, step)

	in.Authority = authority(t)
	a := judge(t, in).Authority
	require.True(t, a.Asked)
	require.True(t, a.Authorized)
	require.True(t, a.FromIntent)
	require.Equal(t, "2026-08-01T00:00:00Z", a.At)
	require.Equal(t, []page.Ask{
		{"control", "https://alice.pod.example/notes/meeting"}, {"read", "https://alice.pod.example/notes/meeting"},
	}, a.Asks)
	require.Len(t, a.Chains, 1)
	c := a.Chains[0]
	require.Equal(t, "https://alice.pod.example/profile#me", c.Root)
	require.Len(t, c.Links, 2)
	require.Equal(t, "https://agent.bob.example/#it", c.Links[1].To)
	require.True(t, c.Links[1].Verified)
	require.Empty(t, c.Links[1].Broken)
	require.Equal(t, []string{"odrl:inform, open"}, a.Duties)

	in.Intent.Text = file(t, "web", "examples", "intent-write.ttl")
	a = judge(t, in).Authority
	require.False(t, a.Authorized)
	require.Equal(t, "POLICY_DENIED", a.Code)
	require.Contains(t, a.Chains[0].Links[0].Broken, "[POLICY_DENIED]")

	in.Intent.Text = file(t, "testdata", "intent-incomplete.ttl")
	a = judge(t, in).Authority
	require.False(t, a.Asked)
	require.False(t, a.Authorized)
}

func TestDetect(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]rdfio.Syntax{
		"": rdfio.Turtle, "<urn:a> a <urn:b> .": rdfio.Turtle, " {": rdfio.JSONLD, "[\n{": rdfio.JSONLD, "[] a <urn:b> .": rdfio.Turtle, "[ a": rdfio.Turtle,
	} {
		require.Equal(t, want, page.Detect(text), text)
	}
}

func TestParseBundle(t *testing.T) {
	t.Parallel()
	b, err := page.ParseBundle("{}\n-- a b --\r\none\n-- not --x\n-- --\n-- c --\n")
	require.NoError(t, err)
	require.Equal(t, page.Bundle{Input: "{}\n", Files: []page.BundleFile{
		{Name: "a b", Content: "one\n-- not --x\n-- --\n", Line: 3}, {Name: "c", Content: "", Line: 7},
	}}, b)
	_, err = page.ParseBundle(strings.Repeat(" ", 5<<20))
	require.Error(t, err)
}

// TestFilesNamedOften: a file that an input names many times is in memory once, and is found
// without looking through all others. It counts what is allocated, so that nothing runs beside
// it.
func TestFilesNamedOften(t *testing.T) {
	const n = 20_000
	var bundle strings.Builder
	fmt.Fprintf(&bundle, `{"rootPrincipal":"https://a.example/#me","request":{"action":"read","target":"https://a.example/"},"primaryChain":{"policies":[],"credentials":[%s]}}`+"\n",
		strings.TrimSuffix(strings.Repeat(`"a.json",`, n), ","))
	for i := range n {
		fmt.Fprintf(&bundle, "-- %d --\n", i)
	}
	bundle.WriteString("-- a.json --\n" + strings.Repeat(" ", 100_000))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	out := judge(t, page.Input{Authority: bundle.String(), Now: texts(t).Now})
	runtime.ReadMemStats(&after)
	require.Equal(t, page.No, out.Verdict.Status, out.Verdict.Message)
	require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(100<<20))
}

func TestCanceled(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	out, err := page.Judge(ctx, texts(t), bytes.NewReader(nil))
	require.ErrorIs(t, err, context.Canceled)
	require.NotEqual(t, page.Yes, out.Verdict.Status)
}

// TestReportBytes shows a part of a report that would be megabytes.
func TestReportBytes(t *testing.T) {
	t.Parallel()
	in := texts(t)
	in.Document.Text = replaced(t, in.Document.Text, `sh:name "target" ;`, `sh:message "`+strings.Repeat("m", 50_000)+`" ;`)
	var values strings.Builder
	values.WriteString(`"0"`)
	for i := range 60 {
		fmt.Fprintf(&values, `, "%d"`, i+1)
	}
	in.Intent.Text = replaced(t, in.Intent.Text, "<https://alice.pod.example/notes/meeting>", values.String())
	out := judge(t, in)
	require.False(t, out.Report.Conforms)
	require.True(t, out.Report.Results[0].Truncated)
	require.NotEmpty(t, out.Report.Results[0].Details)
	text, err := json.Marshal(out.Report)
	require.NoError(t, err)
	require.Less(t, len(text), 1<<20)
}
