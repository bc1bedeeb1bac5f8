package canon

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"hash"
	"slices"

	"github.com/rdfproto/rdfproto/rdf"
)

// ndegree is the state of Hash N-Degree Quads (section 4.8). Calls that have
// not returned are frames on a stack of its own, and what they hold lies in
// stacks beside it, for a call is as deep as a path of blank nodes is long.
// A blank node has at most one frame, so the stacks are linear in the dataset.
type ndegree struct {
	state     *state
	alg       Algorithm
	canonical *issuer
	temporary issuer

	alike  []uint32 // by blank node: the first node of its identifier list
	edges  []edge
	edgeAt []int // where the edges of a blank node begin
	memory memory
	long   map[beginning]hash.Cloner // what hashRelated has hashed of long predicates
	input  []byte                    // scratch of hashRelated and tie

	components []component // of one identifier list
	component  []uint32    // by blank node: its component plus one
	members    []uint32
	byHash     []hashed // the hash path list: components by hash

	frames  []frame
	related []relatedNode // the H_n of all frames, each in the order of step 5
	hashes  []digest      // the related hashes of all frames
	buf     []byte        // data to hash, chosen path and path of all frames
	free    []freeNode    // the permutations of all frames
	saved   []uint32      // what the chosen issuers of all frames issued
	ids     []uint64      // scratch of arrange

	severalGraphs bool   // the edges are of more than one graph, so that ties matter
	lines         []line // scratch of tie
}

// relatedNode is an entry of the map H_n: a blank node and its related hash.
type relatedNode struct {
	key  uint64 // the first eight bytes of the hash
	node uint32
	hash uint32 // where the hash lies among those of the frame
}

// frame is a call of Hash N-Degree Quads that has not returned.
type frame struct {
	node    uint32
	weight  uint64 // for how many calls of the algorithm it stands, see group
	related int    // related[related:end] is H_n and hashes[related:end] its hashes; at is the next of it
	at, end int
	data    int // buf[data:] is data to hash, chosen path and path
	group   group
}

// size returns roughly how much memory the state keeps, in bytes.
func (d *ndegree) size() int {
	return 12*cap(d.edges) + 64*cap(d.memory.slots) + 256*cap(d.frames) + 64*cap(d.hashes) + cap(d.buf) +
		4*cap(d.saved) + 20*cap(d.component) + 80*cap(d.components) + 16*cap(d.lines) + cap(d.input)
}

// begin prepares for the identifier lists of more than one blank node: it
// collects the edges of those nodes, which step 3 of section 4.8.3 looks at in
// every call.
func (d *ndegree) begin(s *state) error {
	d.state, d.alg, d.canonical = s, s.alg, &s.issuer
	d.temporary.reset(len(s.nodes))
	d.related, d.hashes = d.related[:0], d.hashes[:0]
	d.alike = sized(d.alike, len(s.nodes))
	for i, j := 0, 0; i < len(s.order); i = j {
		j = s.sameHash(i)
		for _, x := range s.order[i:j] {
			d.alike[x.node] = s.order[i].node
		}
	}
	d.edges, d.edgeAt = d.edges[:0], sized(d.edgeAt, len(s.nodes)+1)
	d.severalGraphs = false
	graph, known := rdf.ID(0), false
	for n := range s.nodes {
		d.edgeAt[n] = len(d.edges)
		if s.id[n] != 0 {
			continue // has an identifier: is never called for
		}
		for _, i := range s.mentioning(uint32(n)) {
			q := s.data.Quad(int(i))
			d.severalGraphs = d.severalGraphs || known && q.G != graph
			graph, known = q.G, true
			predicate := s.rank[q.P]
			d.addEdge(n, edge{predicate, s.node(q.S), 's'})
			d.addEdge(n, edge{predicate, s.node(q.O), 'o'})
			d.addEdge(n, edge{0, s.node(q.G), 'g'})
			if err := s.steps(1); err != nil {
				return err
			}
		}
	}
	d.edgeAt[len(s.nodes)] = len(d.edges)
	d.memory.begin(len(d.edges))
	clear(d.long)
	d.component = zeroed(d.component, len(s.nodes))
	return nil
}

// addEdge adds an edge of n unless it leads to no blank node or to n itself;
// its node is a number plus one.
func (d *ndegree) addEdge(n int, e edge) {
	if e.node != 0 && e.node != uint32(n)+1 {
		e.node--
		d.edges = append(d.edges, e)
	}
}

func (d *ndegree) edgesOf(n uint32) []edge { return d.edges[d.edgeAt[n]:d.edgeAt[n+1]] }

// findComponents finds the components of the blank nodes of a list.
func (d *ndegree) findComponents(list []hashed) error {
	d.components, d.members = d.components[:0], d.members[:0]
	for _, x := range list {
		if d.canonical.id[x.node] != 0 || d.component[x.node] != 0 {
			continue
		}
		from, number := len(d.members), uint32(len(d.components)+1)
		d.component[x.node] = number
		d.members = append(d.members, x.node)
		for i := from; i < len(d.members); i++ {
			edges := d.edgesOf(d.members[i])
			for _, e := range edges {
				if d.canonical.id[e.node] == 0 && d.component[e.node] == 0 {
					d.component[e.node] = number
					d.members = append(d.members, e.node)
				}
			}
			if err := d.state.steps(len(edges)); err != nil {
				return err
			}
		}
		d.components = append(d.components, component{from: from, to: len(d.members)})
	}
	return nil
}

// afford fails when a list is sure to exceed a limit: each of its blank nodes takes
// at least one call for every node of its component, and the permutations of the
// first call are known. So most poisoned datasets are refused at once.
func (d *ndegree) afford(list []hashed) error {
	var calls, permutations uint64
	for _, x := range list {
		if d.canonical.id[x.node] != 0 {
			continue
		}
		c := &d.components[d.component[x.node]-1]
		calls = plus(calls, uint64(c.to-c.from))
		if err := d.state.affordCalls(calls); err != nil {
			return err
		}
		if len(d.edgesOf(x.node)) < 3 {
			continue
		}
		if err := d.relate(x.node); err != nil {
			return err
		}
		for h := d.related; len(h) > 0; {
			n := sameRelation(h, d.hashes)
			permutations = plus(permutations, counted(permutationsOf(h[:n])))
			h = h[n:]
		}
		d.related, d.hashes = d.related[:0], d.hashes[:0]
		if err := d.state.affordPermutations(permutations); err != nil {
			return err
		}
	}
	return nil
}

// relate is steps 1 to 3 of section 4.8.3: it puts H_n for a blank node on the
// stack, in the order of step 5. Within a list, nodes are in the order of the
// input, those that occur more than once together.
func (d *ndegree) relate(n uint32) error {
	edges := d.edgesOf(n)
	if err := d.state.steps(1 + 8*len(edges)); err != nil {
		return err
	}
	from := len(d.related)
	for i, e := range edges { // steps 3 and 3.1
		by, value := d.identify(e.node)
		hash := d.hashRelated(relation{e.predicate, value, e.position, by}) // step 3.1.1
		d.hashes = append(d.hashes, *hash)
		d.related = append(d.related, relatedNode{binary.BigEndian.Uint64(hash[:]), e.node, uint32(i)}) // step 3.1.2
	}
	sortRelated(d.related[from:], d.hashes[from:])
	return nil
}

// sortRelated sorts entries of H_n by related hash, then by node.
func sortRelated(h []relatedNode, hashes []digest) {
	if len(h) > 32 {
		slices.SortFunc(h, func(a, b relatedNode) int { return compareRelated(a, b, hashes) })
		return
	}
	for i := 1; i < len(h); i++ {
		x := h[i]
		j := i
		for ; j > 0 && (x.key < h[j-1].key || x.key == h[j-1].key && compareRelated(x, h[j-1], hashes) < 0); j-- {
			h[j] = h[j-1]
		}
		h[j] = x
	}
}

func compareRelated(a, b relatedNode, hashes []digest) int {
	if a.key != b.key {
		return cmp.Compare(a.key, b.key)
	}
	if c := bytes.Compare(hashes[a.hash][:], hashes[b.hash][:]); c != 0 {
		return c
	}
	return cmp.Compare(a.node, b.node)
}

// sameRelation returns how many entries at the beginning of H_n have one
// related hash.
func sameRelation(h []relatedNode, hashes []digest) int {
	n := 1
	for n < len(h) && h[n].key == h[0].key && hashes[h[n].hash] == hashes[h[0].hash] {
		n++
	}
	return n
}

// call begins a call of Hash N-Degree Quads, steps 1 to 4.
func (d *ndegree) call(n uint32, weight uint64) error {
	if err := d.state.spendCalls(weight); err != nil {
		return err
	}
	from := len(d.related)
	if err := d.relate(n); err != nil {
		return err
	}
	d.frames = append(d.frames, frame{
		node: n, weight: weight,
		related: from, at: from, end: len(d.related),
		data: len(d.buf),
	})
	return nil
}

// hash is Hash N-Degree Quads (section 4.8.3) for a blank node that the
// temporary issuer has just given its first identifier. What the returned
// issuer is in the specification, the temporary issuer is afterwards.
func (d *ndegree) hash(n uint32) (digest, error) {
	d.frames, d.related, d.hashes, d.buf, d.free, d.saved = d.frames[:0], d.related[:0], d.hashes[:0], d.buf[:0], d.free[:0], d.saved[:0]
	if err := d.call(n, 1); err != nil {
		return digest{}, err
	}
	for {
		f := &d.frames[len(d.frames)-1]
		switch {
		case f.group.next < f.group.count: // step 5.4.5: another node of the recursion list
			if err := d.call(d.free[f.group.free+f.group.next].node, f.group.weight); err != nil { // step 5.4.5.1
				return digest{}, err
			}
		case f.group.open:
			if err := d.endPermutation(f); err != nil {
				return digest{}, err
			}
		case f.at < f.end: // step 5: another related hash
			if err := d.beginGroup(f); err != nil {
				return digest{}, err
			}
		default: // step 6
			hash, node := sum(d.alg, d.buf[f.data:]), f.node
			d.buf, d.related, d.hashes = d.buf[:f.data], d.related[:f.related], d.hashes[:f.related]
			if d.frames = d.frames[:len(d.frames)-1]; len(d.frames) == 0 {
				return hash, nil
			}
			d.buf = d.appendTemporary(d.buf, node)                            // step 5.4.5.2
			d.buf = append(appendHash(append(d.buf, '<'), d.alg, &hash), '>') // step 5.4.5.3
			d.frames[len(d.frames)-1].group.next++                            // step 5.4.5.4 is done: there is one issuer
		}
	}
}

func (d *ndegree) appendTemporary(dst []byte, n uint32) []byte {
	return appendID(append(dst, "_:"...), temporaryPrefix, d.temporary.id[n]-1)
}

func (d *ndegree) appendCanonical(dst []byte, n uint32) []byte {
	return appendID(append(dst, "_:"...), canonicalPrefix, d.canonical.id[n]-1)
}
