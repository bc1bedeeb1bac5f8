package a2a_test

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/a2aproject/a2a-go/v2/a2apb/v1"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/protobuf/encoding/protowire"

	"github.com/rdfproto/rdfproto/a2a"
	"github.com/rdfproto/rdfproto/internal/peak"
	"github.com/rdfproto/rdfproto/protocol"
)

// field is a field of protobuf that has a length: a message, a text or bytes.
func field(number protowire.Number, body []byte) []byte {
	return protowire.AppendBytes(protowire.AppendTag(nil, number, protowire.BytesType), body)
}

// Fields of A2A 1.0 and of google.protobuf.Struct.
const (
	requestMessage, requestMetadata                = 2, 4
	messageID, messageContext, messageRole         = 1, 2, 4
	messageParts, messageMetadata, messageURIs     = 5, 6, 7
	messageReferences                              = 8
	partText, partRaw, partURL, partData, partMeta = 1, 2, 3, 4, 5
	partMediaType                                  = 7
	structFields, entryKey, entryValue, listValues = 1, 1, 2, 1
	valueNumber, valueText, valueStruct, valueList = 2, 3, 5, 6
)

func joinBytes(parts ...[]byte) []byte { return bytes.Join(parts, nil) }

// member is a member of a Struct.
func member(name string, value []byte) []byte {
	return field(structFields, joinBytes(field(entryKey, []byte(name)), field(entryValue, value)))
}

func textValue(s string) []byte { return field(valueText, []byte(s)) }

func numberValue(f float64) []byte {
	return protowire.AppendFixed64(protowire.AppendTag(nil, valueNumber, protowire.Fixed64Type), math.Float64bits(f))
}

// wireMessage is a request with one message of bob's, to which parts and more are added.
func wireMessage(id string, more ...[]byte) []byte {
	role := protowire.AppendVarint(protowire.AppendTag(nil, messageRole, protowire.VarintType), 1)
	return field(requestMessage, joinBytes(field(messageID, []byte(id)), field(messageContext, []byte("ctx")), role, joinBytes(more...)))
}

func tags(pin string) []byte {
	return field(partMeta, joinBytes(member(protocol.KeyKind, textValue("intent")), member(protocol.KeyProtocolHash, textValue(pin))))
}

func uri() []byte { return field(messageURIs, []byte(protocol.ExtensionURI)) }

// intentParts is what a part with an intent is made of.
func intentParts(pin, text string) []byte {
	return joinBytes(field(partText, []byte(text)), field(partMediaType, []byte("text/turtle")), tags(pin))
}

// fill repeats something up to the limit on a message, less some room.
func fill(unit []byte) []byte { return bytes.Repeat(unit, (a2a.MaxMessage-512)/len(unit)) }

// nested puts a value into n lists.
func nested(n int, wrap func([]byte) []byte) []byte {
	v := textValue("x")
	for range n {
		v = wrap(v)
	}
	return v
}

func inList(v []byte) []byte { return field(valueList, field(listValues, v)) }

func inStruct(v []byte) []byte { return field(valueStruct, member("a", v)) }

// hostileRequests are requests within the limit on bytes, and what comes of them: the
// status and the code, of which a response has none.
func hostileRequests(pin string) []struct {
	name string
	body func(id string) []byte
	want string
} {
	type row = struct {
		name string
		body func(id string) []byte
		want string
	}
	const (
		fields = "Internal more than 65536 fields"
		deep   = "Internal nested deeper"
		twice  = "Internal twice"
	)
	intent := intentParts(pin, readIntent)
	part := func(b ...[]byte) []byte { return field(messageParts, joinBytes(b...)) }
	with := func(more ...[]byte) func(string) []byte {
		return func(id string) []byte { return wireMessage(id, append([][]byte{uri()}, more...)...) }
	}
	data := func(members ...[]byte) []byte { return field(partData, field(valueStruct, joinBytes(members...))) }
	almost := func(unit []byte, n int) []byte { return bytes.Repeat(unit, n) }
	var names []byte
	for i := range 60_000 / 3 {
		names = append(names, member(fmt.Sprintf("%x", i), nil)...)
	}
	return []row{
		{"an intent", with(part(intent)), "OK"},
		{"nothing", func(string) []byte { return nil }, "InvalidArgument"},
		{"no message", func(string) []byte { return field(requestMetadata, nil) }, "InvalidArgument"},
		{"no id", func(string) []byte { return wireMessage("", uri(), part(intent)) }, "InvalidArgument"},

		// Decoded, each of these would be a multiple of its bytes.
		{"texts without end", with(fill(part(field(partText, nil)))), fields},
		{"texts without end after an intent", with(part(intent), fill(part(field(partText, nil)))[:1_000_000]), fields},
		{"parts without content", with(fill(part())), fields},
		{"values without end", with(part(data(member("a", field(valueList, fill(field(listValues, nil))))), tags(pin))), fields},
		{"values without end in a request", func(id string) []byte {
			return joinBytes(wireMessage(id, uri(), part(intent)), field(requestMetadata, member("a", field(valueList, fill(field(listValues, nil))[:1_000_000]))))
		}, fields},
		{"extensions without end", func(id string) []byte { return wireMessage(id, fill(field(messageURIs, nil)), part(intent)) }, fields},
		{"references without end", with(part(intent), fill(field(messageReferences, nil))[:1_000_000]), fields},
		{"unknown fields without end", func(id string) []byte {
			return joinBytes(wireMessage(id, uri(), part(intent)), bytes.Repeat(field(99, nil), 300_000))
		}, fields},

		// As many as may be.
		{"texts", with(almost(part(field(partText, nil)), 32_000)), "InvalidArgument limit-exceeded"},
		{"long texts", with(almost(part(field(partText, bytes.Repeat([]byte("x"), 24))), 32_000)), "InvalidArgument limit-exceeded"},
		{"values", with(part(data(member("a", field(valueList, almost(field(listValues, nil), 65_000)))), tags(pin))), "InvalidArgument"},
		{"members", with(part(data(names), tags(pin))), "InvalidArgument malformed-payload"},
		{"metadata", with(part(intent), field(messageMetadata, names)), "InvalidArgument limit-exceeded"},
		{"extensions", with(part(intent), almost(field(messageURIs, nil), 60_000)), "OK"},
		{"references", with(part(intent), almost(field(messageReferences, nil), 60_000)), "OK"},
		{"a long text", with(part(field(partText, fill([]byte("x"))), field(partMediaType, []byte("text/turtle")), tags(pin))), "InvalidArgument limit-exceeded"},
		{"unknown fields", func(id string) []byte {
			return joinBytes(wireMessage(id, uri(), part(intent)), bytes.Repeat(field(99, nil), 60_000))
		}, "OK"},

		{"lists in lists", with(part(data(member("a", nested(4_000, inList))), tags(pin))), deep},
		{"objects in objects", with(part(field(partData, nested(3_000, inStruct)), tags(pin))), deep},
		{"lists deeper than protobuf reads", with(part(data(member("a", nested(12_000, inList))), tags(pin))), deep},
		{"lists as deep as may be", with(part(data(member("a", nested(60, inList))), tags(pin))), "InvalidArgument malformed-payload"},
		{"groups in groups", func(id string) []byte {
			return joinBytes(wireMessage(id, uri(), part(intent)), bytes.Repeat([]byte{0x9b, 0x06}, 20_000))
		}, "Internal"},

		{"a message twice", func(id string) []byte { return joinBytes(wireMessage(id, uri()), wireMessage(id, part(intent))) }, twice},
		{"an id twice", with(part(intent), field(messageID, []byte("another"))), twice},
		{"a context twice", with(part(intent), field(messageContext, []byte("another"))), twice},
		{"a text twice", with(part(intent, field(partText, []byte(grantIntent)))), twice},
		{"a text and data", with(part(intent, data())), twice},
		{"data and a text", with(part(data(), intent)), twice},
		{"a text and bytes", with(part(intent, field(partRaw, []byte("x")))), twice},
		{"a text and an address", with(part(intent, field(partURL, []byte("https://a.example/")))), twice},
		{"a media type twice", with(part(intent, field(partMediaType, []byte("text/plain")))), twice},
		{"tags twice", with(part(intent, tags(pin))), twice},
		{"a kind twice", with(part(field(partText, []byte(readIntent)), field(partMediaType, []byte("text/turtle")),
			field(partMeta, joinBytes(member(protocol.KeyKind, textValue("text")), member(protocol.KeyKind, textValue("intent")), member(protocol.KeyProtocolHash, textValue(pin)))))), twice},
		{"a kind of two values", with(part(field(partText, []byte(readIntent)), field(partMediaType, []byte("text/turtle")),
			field(partMeta, joinBytes(member(protocol.KeyKind, joinBytes(textValue("text"), textValue("intent"))), member(protocol.KeyProtocolHash, textValue(pin)))))), twice},
		{"a member twice", with(part(data(member("a", textValue("b")), member("a", textValue("b"))), tags(pin))), twice},
		{"a member without a name twice", with(part(data(field(structFields, nil), field(structFields, nil)), tags(pin))), twice},
		{"a value of two kinds", with(part(data(member("a", joinBytes(textValue("b"), numberValue(1)))), tags(pin))), twice},

		{"numbers that are none", with(part(data(member("a", numberValue(math.NaN())), member("b", numberValue(math.Inf(-1)))), tags(pin))), "InvalidArgument malformed-payload"},
		{"data that is a list", with(part(field(partData, field(valueList, nil)), tags(pin))), "InvalidArgument"},
		{"data that is a text", with(part(field(partData, textValue(readIntent)), field(partMediaType, []byte("text/turtle")), tags(pin))), "InvalidArgument"},
		{"data that is nothing", with(part(field(partData, nil), tags(pin))), "InvalidArgument"},
		{"bytes", with(part(field(partRaw, []byte(readIntent)), field(partMediaType, []byte("text/turtle")), tags(pin))), ""},
		{"an address", with(part(field(partURL, []byte("https://a.example/")), field(partMediaType, []byte("text/turtle")), tags(pin))), "InvalidArgument"},
		{"a kind that is a number", with(part(field(partText, []byte(readIntent)), field(partMediaType, []byte("text/turtle")), field(partMeta, member(protocol.KeyKind, numberValue(1))))), "InvalidArgument"},
		{"a text that is not UTF-8", with(part(field(partText, []byte("\xff")), field(partMediaType, []byte("text/turtle")), tags(pin))), "Internal"},
		{"two intents", with(part(intent), part(intent)), "InvalidArgument"},
		{"another role", func(id string) []byte {
			return field(requestMessage, joinBytes(field(messageID, []byte(id)), protowire.AppendVarint(protowire.AppendTag(nil, messageRole, protowire.VarintType), 7), uri(), part(intent)))
		}, "InvalidArgument"},
		{"an agent's", func(id string) []byte {
			return field(requestMessage, joinBytes(field(messageID, []byte(id)), protowire.AppendVarint(protowire.AppendTag(nil, messageRole, protowire.VarintType), 2), uri(), part(intent)))
		}, "InvalidArgument"},
		{"a task of nobody", with(part(intent), field(3, []byte("t"))), "NotFound"},
	}
}

// TestGRPCHostile: requests that are made to cost much, or to be read in two ways.
func TestGRPCHostile(t *testing.T) {
	a := newAgent(t, agentOptions{})
	j := newJudged(t, a, a.read)
	w := a.grpcWire(t)
	together := 8
	if testing.Short() { // as under the race detector
		together = 2
	}
	for i, row := range hostileRequests(a.read.Pin().String()) {
		body := row.body(fmt.Sprintf("m%03d-00", i))
		before := len(a.executed())
		got := w.call(t.Context(), sendMessage, body, grpcHeader())
		documented(t, got, row.name)
		for _, want := range strings.SplitN(row.want, " ", 2) {
			require.Contains(t, got.status.String()+" "+got.text+" "+got.code, want, "%s: %s", row.name, got)
		}
		require.Equal(t, got.status == codes.OK, len(a.executed()) == before+1, "%s: %s", row.name, got)
		if len(body) < 20_000 || !attackLong() && strings.HasPrefix(row.want, "Internal") {
			continue
		}
		bodies := make([][]byte, together)
		for k := range bodies {
			bodies[k] = bytes.Replace(body, fmt.Appendf(nil, "m%03d-00", i), fmt.Appendf(nil, "m%03d-%02d", i, k+1), 1)
		}
		most, took := holds(func() {
			var wg sync.WaitGroup
			for k := range bodies {
				wg.Go(func() {
					again := w.call(t.Context(), sendMessage, bodies[k], grpcHeader())
					assert.Equal(t, got.status, again.status, "%s: %s", row.name, again)
				})
			}
			wg.Wait()
		})
		t.Logf("%s: %d bytes, %d at once: %s, %d MB: %.100s", row.name, len(body), together, took, most>>20, got)
		require.Less(t, most, uint64(200<<20), row.name)
	}
	j.check()
	require.Zero(t, a.prose.got.Load())
}

// TestGRPCMetadata: what the metadata of a request says counts as it does over HTTP.
func TestGRPCMetadata(t *testing.T) {
	t.Parallel()
	a := newAgent(t, agentOptions{})
	j := newJudged(t, a, a.read)
	w := a.grpcWire(t)
	const version, user = "1.0", "Bearer bob"
	uri := protocol.ExtensionURI
	for i, row := range []struct {
		name   string
		header metadata.MD
		want   string
	}{
		{"as it should be", grpcHeader(), "OK"},
		{"stripped", metadata.Pairs("a2a-version", version), "InvalidArgument extension-not-active"},
		{"empty", metadata.Pairs("a2a-version", version, "a2a-extensions", ""), "InvalidArgument extension-not-active"},
		{"no version", metadata.Pairs("a2a-extensions", uri), ""},
		{"repeated", metadata.Pairs("a2a-version", version, "a2a-extensions", uri, "a2a-extensions", uri), "OK"},
		{"after another", metadata.Pairs("a2a-version", version, "a2a-extensions", "https://other.example/", "a2a-extensions", uri), "OK"},
		{"in one value", metadata.Pairs("a2a-version", version, "a2a-extensions", "https://other.example/ , "+uri+" ,,"), "OK"},
		{"in another case", metadata.Pairs("a2a-version", version, "a2a-extensions", strings.ToUpper(uri)), "InvalidArgument extension-not-active"},
		{"with a slash", metadata.Pairs("a2a-version", version, "a2a-extensions", uri+"/"), "InvalidArgument extension-not-active"},
		{"another version of it", metadata.Pairs("a2a-version", version, "a2a-extensions", strings.TrimSuffix(uri, "1")+"2"), "InvalidArgument extension-not-active"},
		{"as bytes", metadata.Pairs("a2a-version", version, "a2a-extensions-bin", uri), "InvalidArgument extension-not-active"},
		{"under its old name", metadata.Pairs("a2a-version", version, "x-a2a-extensions", uri), "InvalidArgument extension-not-active"},
		{"after too many others", metadata.Pairs(append([]string{"a2a-version", version}, many("a2a-extensions", 64, uri)...)...), "InvalidArgument extension-not-active"},
		{"after many others", metadata.Pairs(append([]string{"a2a-version", version}, many("a2a-extensions", 63, uri)...)...), "OK"},
		{"A2A 0.3", metadata.Pairs("a2a-version", "0.3", "a2a-extensions", uri), "InvalidArgument extension-not-active"},
		{"A2A 0.3 among others", metadata.Pairs("a2a-version", version, "a2a-version", "0.3", "a2a-extensions", uri), "InvalidArgument extension-not-active"},
		{"two users", metadata.Pairs("a2a-version", version, "a2a-extensions", uri, "authorization", user, "authorization", "Bearer carol"), ""},
		{"a large value", metadata.Pairs("a2a-version", version, "a2a-extensions", uri, "x", strings.Repeat("x", 70_000)), "Internal"},
		{"another encoding", metadata.Pairs("a2a-version", version, "a2a-extensions", uri, "grpc-encoding", "x"), ""},
	} {
		before := len(a.executed())
		got := w.call(t.Context(), sendMessage, wireMessage(fmt.Sprint("m", i), field(messageURIs, []byte(uri)), field(messageParts, intentParts(a.read.Pin().String(), readIntent))), row.header)
		if row.name != "a large value" { // by HTTP/2 itself
			documented(t, got, row.name)
		}
		require.Equal(t, got.status == codes.OK, len(a.executed()) == before+1, row.name)
		if row.want != "" {
			require.Equal(t, row.want, strings.TrimSpace(got.status.String()+" "+got.code), "%s: %s", row.name, got)
		}
		if row.want == "OK" {
			require.Equal(t, []string{uri}, got.trailer.Get("a2a-extensions"), row.name)
		}
	}
	j.check()
	require.Zero(t, a.prose.got.Load())
}

func many(name string, n int, last string) (pairs []string) {
	for i := range n {
		pairs = append(pairs, name, fmt.Sprintf("https://other.example/%d", i))
	}
	return append(pairs, name, last)
}

// TestGRPCTooLarge: over the limit on bytes, compressed or not.
func TestGRPCTooLarge(t *testing.T) {
	t.Parallel()
	a := newAgent(t, agentOptions{})
	w := a.grpcWire(t)
	body := wireMessage("m", uri(), field(messageParts, joinBytes(field(partText, bytes.Repeat([]byte(" "), a2a.MaxMessage)), field(partMediaType, []byte("text/turtle")), tags(a.read.Pin().String()))))
	for _, options := range [][]grpc.CallOption{nil, {grpc.UseCompressor("gzip")}} {
		got := w.call(t.Context(), sendMessage, body, grpcHeader(), options...)
		require.Equal(t, codes.ResourceExhausted, got.status, got)
	}
	got := w.call(t.Context(), sendMessage, wireMessage("m2", uri(), field(messageParts, intentParts(a.read.Pin().String(), readIntent))), grpcHeader(), grpc.UseCompressor("gzip"))
	require.Equal(t, codes.OK, got.status, got)
	require.Equal(t, []string{"m2"}, a.executed())
}

// TestGRPCMethods gives every method what is no request of it.
func TestGRPCMethods(t *testing.T) {
	t.Parallel()
	a := newAgent(t, agentOptions{})
	w := a.grpcWire(t)
	for _, m := range a2apb.A2AService_ServiceDesc.Methods {
		for i, body := range [][]byte{nil, {0xff}, {0x0a}, field(1, nil), field(1, []byte("x")), field(2, []byte("x")), joinBytes(field(1, []byte("x")), field(2, []byte("y")), field(3, []byte("z"))), field(1, []byte("\xff")), bytes.Repeat([]byte{8, 0xff}, 9), wireMessage("m", uri())} {
			ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
			got := w.call(ctx, "/"+a2apb.A2AService_ServiceDesc.ServiceName+"/"+m.MethodName, body, grpcHeader())
			cancel()
			require.NotContains(t, []codes.Code{codes.Unknown, codes.Unavailable, codes.DeadlineExceeded, codes.Canceled}, got.status, "%s %d: %s", m.MethodName, i, got)
		}
	}
	require.Empty(t, a.executed())
}

// holds returns the most memory that something takes at a time, and how long it takes.
func holds(do func()) (most uint64, took time.Duration) {
	start := time.Now()
	most = peak.Heap(do)
	return most, time.Since(start)
}

// TestLargeIntents: intents of long names under a short prefix, many at once, each within
// the limits on a payload or just over one.
func TestLargeIntents(t *testing.T) {
	a := newAgent(t, agentOptions{})
	w := a.grpcWire(t)
	var text strings.Builder
	text.WriteString("@prefix p: <urn:" + strings.Repeat("x", 2_000) + "> .\n")
	for i := range 9_000 {
		fmt.Fprintf(&text, "p:%d p:p p:o .\n", i)
	}
	intents := 32
	if testing.Short() {
		intents = 6
	}
	most, took := holds(func() {
		var wg sync.WaitGroup
		for i := range intents {
			wg.Go(func() {
				got := w.call(t.Context(), sendMessage, wireMessage(fmt.Sprint("m", i), uri(), field(messageParts, intentParts(a.read.Pin().String(), text.String()))), grpcHeader())
				assert.Equal(t, string(protocol.CodeLimitExceeded), got.code, got)
			})
		}
		wg.Wait()
	})
	t.Logf("%s, %d MB", took, most>>20)
	require.Less(t, most, uint64(400<<20))
	require.Empty(t, a.executed())
}
