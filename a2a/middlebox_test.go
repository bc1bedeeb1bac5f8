package a2a_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/a2a"
	"github.com/rdfproto/rdfproto/engine"
	"github.com/rdfproto/rdfproto/protocol"
)

// node is a JSON value that keeps the order of members, and can be written wrongly.
type node struct {
	names  []string // of an object; nil for an array
	items  []*node
	object bool
	array  bool
	text   []byte // of a scalar
}

func readNode(t testing.TB, data []byte) *node {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	n, err := nextNode(d)
	require.NoError(t, err, "%s", data)
	return n
}

func nextNode(d *json.Decoder) (*node, error) {
	token, err := d.Token()
	if err != nil {
		return nil, err
	}
	delim, ok := token.(json.Delim)
	if !ok {
		text, err := json.Marshal(token)
		return &node{text: text}, err
	}
	n := &node{object: delim == '{', array: delim == '['}
	for d.More() {
		if n.object {
			name, err := d.Token()
			if err != nil {
				return nil, err
			}
			n.names = append(n.names, name.(string))
		}
		item, err := nextNode(d)
		if err != nil {
			return nil, err
		}
		n.items = append(n.items, item)
	}
	_, err = d.Token()
	return n, err
}

func (n *node) write(b *bytes.Buffer) {
	if !n.object && !n.array {
		b.Write(n.text)
		return
	}
	open, end := byte('['), byte(']')
	if n.object {
		open, end = '{', '}'
	}
	b.WriteByte(open)
	for i, item := range n.items {
		if i > 0 {
			b.WriteByte(',')
		}
		if n.object {
			name, _ := json.Marshal(n.names[i])
			b.Write(name)
			b.WriteByte(':')
		}
		item.write(b)
	}
	b.WriteByte(end)
}

func (n *node) bytes() []byte {
	var b bytes.Buffer
	n.write(&b)
	return b.Bytes()
}

// paths lists every value below n, by the positions that lead to it, with its pointer.
func (n *node) paths(at []int, pointer string, f func(at []int, pointer string)) {
	for i, item := range n.items {
		p := fmt.Sprintf("%s/%d", pointer, i)
		if n.object {
			p = pointer + "/" + n.names[i]
		}
		here := append(slices.Clone(at), i)
		f(here, p)
		item.paths(here, p, f)
	}
}

// alter changes a value into another one of its kind.
func (n *node) alter() *node {
	switch {
	case n.object || n.array:
		return &node{object: n.object, array: n.array}
	case bytes.Equal(n.text, []byte("true")):
		return &node{text: []byte("false")}
	case bytes.Equal(n.text, []byte("false")):
		return &node{text: []byte("true")}
	case n.text[0] == '"':
		return &node{text: append(slices.Clone(n.text[:len(n.text)-1]), `x"`...)}
	default:
		return &node{text: append(slices.Clone(n.text), '1')}
	}
}

// nodeOps is what the middle box does to one value of a message.
var nodeOps = []struct {
	name string
	do   func(parent *node, i int)
}{
	{"drop", func(p *node, i int) {
		p.items = slices.Delete(p.items, i, i+1)
		if p.object {
			p.names = slices.Delete(p.names, i, i+1)
		}
	}},
	{"null", func(p *node, i int) { p.items[i] = &node{text: []byte("null")} }},
	{"alter", func(p *node, i int) { p.items[i] = p.items[i].alter() }},
	{"empty text", func(p *node, i int) { p.items[i] = &node{text: []byte(`""`)} }},
	{"another kind", func(p *node, i int) { p.items[i] = &node{text: []byte("7")} }},
	{"double", func(p *node, i int) {
		p.items = slices.Insert(p.items, i, p.items[i])
		if p.object {
			p.names = slices.Insert(p.names, i, p.names[i])
		}
	}},
	{"double with another value", func(p *node, i int) {
		p.items = append(p.items, p.items[i].alter())
		if p.object {
			p.names = append(p.names, p.names[i])
		}
	}},
	{"reorder", func(p *node, i int) {
		slices.Reverse(p.items)
		slices.Reverse(p.names)
	}},
	{"another case", func(p *node, i int) {
		if p.object {
			p.names[i] = strings.ToUpper(p.names[i])
		}
	}},
	{"another case besides", func(p *node, i int) {
		if p.object {
			p.names = append(p.names, strings.ToUpper(p.names[i]))
			p.items = append(p.items, p.items[i].alter())
		}
	}},
}

// damage is one thing that the middle box does.
type damage struct {
	exchange int    // of which request and answer, from 0
	answer   bool   // to the answer, else to the request
	whole    string // what is done to it as a whole; "" for what is done to one value
	at       []int
	op       int
	header   string // or to a header
	replay   bool   // the request goes through, and once more with the damage
}

func (d damage) String() string {
	what := d.whole + d.header
	if d.at != nil {
		what = fmt.Sprint(nodeOps[d.op].name, " ", d.at)
	}
	return fmt.Sprintf("exchange %d, answer %v, replay %v: %s", d.exchange, d.answer, d.replay, what)
}

// run is one conversation through the middle box.
type run struct {
	damage damage

	mu       sync.Mutex
	requests [][]byte
	answers  [][]byte
	prose    int
	carried  int
	held     []func() // requests that are late
}

type runKey struct{}

// middlebox stands between clients and an agent, over HTTP without its protection.
type middlebox struct {
	t    testing.TB
	mu   sync.Mutex
	runs map[string]*run
}

func (b *middlebox) wrap(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		b.mu.Lock()
		run := b.runs[r.Header.Get("Authorization")]
		b.mu.Unlock()
		body, err := io.ReadAll(r.Body)
		if err != nil || run == nil {
			panic(http.ErrAbortHandler)
		}
		r = r.WithContext(context.WithValue(r.Context(), runKey{}, run))
		run.serve(b.t, next, w, r, body)
	})
}

func (x *run) serve(t testing.TB, next http.Handler, w http.ResponseWriter, r *http.Request, body []byte) {
	x.mu.Lock()
	i := len(x.requests)
	x.requests = append(x.requests, body)
	if !bytes.Contains(body, []byte(protocol.KeyKind)) {
		x.prose++
	}
	late := x.held
	x.held = nil
	x.mu.Unlock()

	forward := func(header http.Header, body []byte) *httptest.ResponseRecorder {
		out := r.Clone(r.Context())
		out.Header = header.Clone()
		out.Body = io.NopCloser(bytes.NewReader(body))
		out.ContentLength = int64(len(body))
		rec := httptest.NewRecorder()
		next.ServeHTTP(rec, out)
		return rec
	}
	d := x.damage
	mine := d.exchange == i
	sent, header := body, r.Header
	if mine && !d.answer {
		switch d.whole {
		case "drop":
			panic(http.ErrAbortHandler)
		case "late":
			x.mu.Lock()
			x.held = append(x.held, func() { forward(header, body) })
			x.mu.Unlock()
			panic(http.ErrAbortHandler)
		case "twice":
			forward(header, body)
		case "twice at once":
			var wg sync.WaitGroup
			wg.Go(func() { forward(header, body) })
			defer wg.Wait()
		}
		if d.at != nil {
			sent = damaged(t, body, d)
		}
		if d.header != "" {
			header = header.Clone()
			if d.op == 0 {
				header.Del(d.header)
			} else {
				header.Set(d.header, header.Get(d.header)+"x")
			}
		}
		if d.replay {
			forward(r.Header, body)
		}
	}
	rec := forward(header, sent)
	for _, f := range late {
		f()
	}
	x.mu.Lock()
	x.answers = append(x.answers, rec.Body.Bytes())
	x.mu.Unlock()
	if mine && d.answer {
		switch d.whole {
		case "drop":
			panic(http.ErrAbortHandler)
		case "the answer before":
			x.mu.Lock()
			if i > 0 {
				rec.Body = bytes.NewBuffer(x.answers[i-1])
			}
			x.mu.Unlock()
		case "cut":
			rec.Body.Truncate(rec.Body.Len() / 2)
		case "empty":
			rec.Body.Reset()
		}
		if d.at != nil {
			rec.Body = bytes.NewBuffer(damaged(t, rec.Body.Bytes(), d))
		}
		if d.header != "" {
			if d.op == 0 {
				rec.Header().Del(d.header)
				w.Header()[d.header] = nil // nor one that the server would guess
			} else {
				rec.Header().Set(d.header, rec.Header().Get(d.header)+"x")
			}
		}
	}
	for name, values := range rec.Header() {
		w.Header()[name] = values
	}
	w.WriteHeader(rec.Code)
	_, _ = w.Write(rec.Body.Bytes())
}

// damaged changes one value of a JSON text.
func damaged(t testing.TB, body []byte, d damage) []byte {
	root := readNode(t, body)
	parent := root
	for _, i := range d.at[:len(d.at)-1] {
		if i >= len(parent.items) {
			return body
		}
		parent = parent.items[i]
	}
	last := d.at[len(d.at)-1]
	if last >= len(parent.items) {
		return body
	}
	nodeOps[d.op].do(parent, last)
	return root.bytes()
}

// damages lists everything that can be done to the exchanges of a run that went well.
func (x *run) damages(t testing.TB) []damage {
	var list []damage
	for i := range x.requests {
		for _, whole := range []string{"drop", "late", "twice", "twice at once"} {
			list = append(list, damage{exchange: i, whole: whole})
		}
		for _, whole := range []string{"drop", "the answer before", "cut", "empty"} {
			list = append(list, damage{exchange: i, answer: true, whole: whole})
		}
		for op := range 2 {
			for _, h := range []string{"A2a-Extensions", "A2a-Version", "Content-Type", "Authorization"} {
				list = append(list, damage{exchange: i, header: h, op: op})
			}
			for _, h := range []string{"A2a-Extensions", "Content-Type"} {
				list = append(list, damage{exchange: i, answer: true, header: h, op: op})
			}
		}
		readNode(t, x.requests[i]).paths(nil, "", func(at []int, pointer string) {
			for op := range nodeOps {
				list = append(list, damage{exchange: i, at: at, op: op})
				// Another messageId or context makes another message (a2a-rdf, section 9.6):
				// such a copy is for the authorizer to catch, and for the transport.
				if !strings.HasSuffix(pointer, "/messageId") && !strings.HasSuffix(pointer, "/contextId") && !strings.HasSuffix(pointer, "/message") &&
					!strings.HasSuffix(pointer, "/params") {
					list = append(list, damage{exchange: i, at: at, op: op, replay: true})
				}
			}
		})
		readNode(t, x.answers[i]).paths(nil, "", func(at []int, _ string) {
			for op := range nodeOps {
				list = append(list, damage{exchange: i, answer: true, at: at, op: op})
			}
		})
	}
	return list
}

// A middle box that drops, doubles, reorders, strips or alters whatever there is in any
// message never gets a client to send prose after a required offer, and never gets the
// application to carry out one message twice.
func TestMiddlebox(t *testing.T) {
	t.Parallel()
	httpBindings(t, func(t *testing.T, b a2a.Binding) {
		box := &middlebox{t: t, runs: map[string]*run{}}
		a := newAgent(t, agentOptions{wrap: box.wrap, ran: func(ctx context.Context) {
			x := ctx.Value(runKey{}).(*run)
			x.mu.Lock()
			x.carried++
			x.mu.Unlock()
		}})
		card := given(a.card)
		serial := 0
		one := func(d damage) (*run, []engine.Kind) {
			serial++
			name := fmt.Sprint("Bearer run-", serial)
			x := &run{damage: d}
			box.mu.Lock()
			box.runs[name] = x
			box.mu.Unlock()
			config := a.clientConfig(t, b)
			config.Cards = card
			config.Authorize = func(context.Context, a2a.Endpoint) (http.Header, error) {
				return http.Header{"Authorization": {name}}, nil
			}
			ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
			defer cancel()
			c, err := a2a.Dial(ctx, a.cardURL(), config)
			require.NoError(t, err)
			v := c.Conversation("")
			var kinds []engine.Kind
			r, _ := v.Offer(ctx, offer(a, a.grant, true))
			kinds = append(kinds, r.Kind)
			_, err = v.Say(ctx, "then let us talk")
			require.Error(t, err, d)
			r, err = v.Intent(ctx, engine.IntentDraft{Pin: a.grant.Pin(), Graph: intent(t, protocol.VerbGrant, container)})
			kinds = append(kinds, r.Kind)
			if err == nil && r.Kind == engine.KindResponse {
				require.Equal(t, 1, x.carried, d)
			}
			_, err = v.Say(ctx, "then let us talk")
			require.Error(t, err, d)
			// Everything is sent once more, by the box.
			for _, f := range x.held {
				f()
			}
			require.NoError(t, c.Close())
			return x, kinds
		}
		whole, kinds := one(damage{exchange: -1})
		require.Equal(t, []engine.Kind{engine.KindAgreed, engine.KindResponse}, kinds)
		require.Equal(t, 1, whole.carried)
		require.Len(t, whole.requests, 2)
		list := whole.damages(t)
		require.Greater(t, len(list), 500)
		refused := 0
		step := 1
		if testing.Short() {
			step = 7
		}
		tried := 0
		for i := 0; i < len(list); i += step {
			d := list[i]
			tried++
			x, kinds := one(d)
			require.Zero(t, x.prose, d)
			require.LessOrEqual(t, x.carried, 1, d)
			if len(kinds) < 2 || kinds[1] != engine.KindResponse {
				refused++
			}
		}
		t.Logf("%d damages, %d of them noticed", tried, refused)
		require.Greater(t, refused, tried/3)
	})
}
