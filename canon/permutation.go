package canon

import (
	"bytes"
	"slices"
)

// group is the work on one related hash: steps 5.1 to 5.6 of section 4.8.3 for
// its blank node list.
//
// The algorithm tries every permutation of the list. What a permutation does
// depends only on the order of the nodes that have no identifier yet, the free
// ones: those take the next identifiers in that order, and the recursion goes
// over them in that order. Of all permutations with one order of the free
// nodes, the least path is the one that writes the identifiers in the least
// arrangement that this order allows, followed by the same recursion. So one
// permutation for each order of the free nodes is worked out, in its least
// arrangement, and stands for all with that order; its calls are counted as
// often as the algorithm would make them.
//
// The early exits of steps 5.4.4.3 and 5.4.5.5 are not taken. They never change
// the result, and because they ask that the path be as long as the chosen one,
// which is only so after the last call, they save no call.
type group struct {
	open         bool
	count, next  int    // the length of the recursion list, and how far it is done
	free         int    // free[free:free+count] is the recursion list in its present order
	weight       uint64 // of the calls of the present order
	from         int    // related[from:frame.at] is the list
	permutations uint64 // how many the list has
	issued       int    // how many identifiers there were before: the copy of step 5.4.1
	chosen, path int    // buf[chosen:path] is the chosen path, buf[path:] the path
	hasChosen    bool
	isChosen     bool // the order that was tried last is the chosen one
	saved        int  // saved[saved:] is what the chosen issuer issued
	tie          digest
}

// freeNode is a blank node of a list that has no identifier yet, and how often
// it is in the list: quads of several graphs relate two nodes the same way.
type freeNode struct{ node, times uint32 }

// beginGroup takes the next related hash.
func (d *ndegree) beginGroup(f *frame) error {
	list, hashes := d.related[f.at:f.end], d.hashes[f.related:f.end]
	list = list[:sameRelation(list, hashes)]
	d.buf = appendHash(d.buf, d.alg, &hashes[list[0].hash]) // step 5.1
	from := f.at
	f.at += len(list)
	n := list[0].node
	switch {
	case len(list) > 1:
		return d.beginPermutations(f, from)
	case d.canonical.id[n] != 0: // one permutation; step 5.4.4.1
		d.buf = d.appendCanonical(d.buf, n)
	case d.temporary.id[n] != 0: // step 5.4.4.2.2
		d.buf = d.appendTemporary(d.buf, n)
	default: // steps 5.4.4.2.1 and 5.4.4.2.2
		f.group = group{open: true, count: 1, free: len(d.free), weight: f.weight}
		d.free = append(d.free, freeNode{n, 1})
		d.temporary.issue(n)
		d.buf = d.appendTemporary(d.buf, n)
	}
	return nil
}

// beginPermutations begins a list of more than one entry: steps 5.2 to 5.4 with its
// first permutation.
func (d *ndegree) beginPermutations(f *frame, from int) error {
	list := d.related[from:f.at]
	g := group{
		open: true, free: len(d.free), from: from,
		permutations: permutationsOf(list),
		issued:       len(d.temporary.issued),
		chosen:       len(d.buf), path: len(d.buf),
		saved: len(d.saved),
	}
	if err := d.state.spendPermutations(times(f.weight, counted(g.permutations))); err != nil {
		return err
	}
	for i := 0; i < len(list); {
		n := sameNode(list[i:])
		if x := list[i].node; d.canonical.id[x] == 0 && d.temporary.id[x] == 0 {
			d.free = append(d.free, freeNode{x, uint32(n)})
		}
		i += n
	}
	g.count = len(d.free) - g.free
	f.group = g
	d.beginPermutation(f)
	return nil
}

// beginPermutation begins the present order of the free nodes: steps 5.4.1 to
// 5.4.4.
func (d *ndegree) beginPermutation(f *frame) {
	g := &f.group
	free := d.free[g.free:]
	g.next = 0
	g.weight = times(f.weight, permutationsInOrder(g.permutations, free))
	d.arrange(d.related[g.from:f.at], free)
}

// endPermutation is steps 5.4.6 to 5.6, or goes on to the next permutation.
func (d *ndegree) endPermutation(f *frame) error {
	g := &f.group
	if g.count > 1 {
		if err := d.choose(g); err != nil {
			return err
		}
		if nextOrder(d.free[g.free:]) {
			d.temporary.undo(g.issued)
			d.beginPermutation(f)
			return nil
		}
		if !g.isChosen { // step 5.6
			d.temporary.undo(g.issued)
			d.temporary.issueAll(d.saved[g.saved:])
		}
		d.saved = d.saved[:g.saved]
	}
	// Step 5.5 is done: the chosen path follows the data to hash.
	d.free = d.free[:g.free]
	f.group = group{}
	return nil
}

// choose is step 5.4.6: it keeps the path and what was issued if no lesser path
// was kept before, and drops the path otherwise.
func (d *ndegree) choose(g *group) error {
	path, issued := d.buf[g.path:], d.temporary.issued[g.issued:]
	order := -1
	if g.hasChosen {
		order = bytes.Compare(path, d.buf[g.chosen:g.path])
	}
	if g.isChosen = false; order <= 0 {
		tie, err := d.tie(issued)
		if err != nil {
			return err
		}
		if order < 0 || bytes.Compare(tie[:], g.tie[:]) < 0 {
			g.hasChosen, g.isChosen, g.tie = true, true, tie
			g.path = g.chosen + copy(d.buf[g.chosen:], path)
			d.saved = append(d.saved[:g.saved], issued...)
		}
	}
	d.buf = d.buf[:g.path]
	return nil
}

// arrange is step 5.4.4 for the least arrangement of a list in which the free
// nodes first come in their present order: it issues identifiers to them and
// appends those of the whole list to the path.
//
// The least is found from the front, since with the "_" that follows it no
// identifier is the beginning of another: the identifier that goes next is the
// least of those left, where a free node can only come after the free node
// before it has come.
func (d *ndegree) arrange(list []relatedNode, free []freeNode) {
	// ids holds the identifiers left in ascending order.
	ids := d.ids[:0]
	for _, r := range list {
		if id := d.canonical.id[r.node]; id != 0 {
			ids = append(ids, textKey(byCanonical, id-1))
		} else if id := d.temporary.id[r.node]; id != 0 {
			ids = append(ids, textKey(byTemporary, id-1))
		}
	}
	slices.Sort(ids)
	d.ids = ids
	for _, x := range free {
		d.temporary.issue(x.node)
		next := textKey(byTemporary, d.temporary.id[x.node]-1)
		for len(ids) > 0 && ids[0] < next {
			d.buf = appendTextKey(d.buf, ids[0])
			ids = ids[1:]
		}
		d.buf = appendTextKey(d.buf, next)
		for range x.times - 1 {
			i, _ := slices.BinarySearch(ids, next)
			ids = slices.Insert(ids, i, next)
		}
	}
	for _, id := range ids {
		d.buf = appendTextKey(d.buf, id)
	}
}

// textKey turns an identifier into a number that compares as the text does when
// "_" follows it, which is greater than a digit: ten digits in base 11 and the
// digit 10 after the end.
func textKey(by identity, n uint32) uint64 {
	var digits [10]byte
	text := appendID(digits[:0], "", n)
	key := uint64(0)
	for i := range digits {
		key *= 11
		if i < len(text) {
			key += uint64(text[i] - '0')
		} else {
			key += 10
		}
	}
	if by == byCanonical { // "c14n" is greater than "b"
		key |= canonicalKey
	}
	return key
}

const canonicalKey = 1 << 63

// appendTextKey appends "_:" and the identifier of a key.
func appendTextKey(dst []byte, key uint64) []byte {
	dst = append(dst, "_:"...)
	if key&canonicalKey != 0 {
		dst = append(dst, canonicalPrefix...)
		key &^= canonicalKey
	} else {
		dst = append(dst, temporaryPrefix...)
	}
	for unit := uint64(11 * 11 * 11 * 11 * 11 * 11 * 11 * 11 * 11); unit > 0; unit /= 11 {
		digit := key / unit % 11
		if digit == 10 {
			break
		}
		dst = append(dst, '0'+byte(digit))
	}
	return dst
}

// nextOrder moves on to the next order of the free nodes, by their numbers. It
// reports whether there was one.
func nextOrder(f []freeNode) bool {
	i := len(f) - 2
	for i >= 0 && f[i].node > f[i+1].node {
		i--
	}
	if i < 0 {
		return false
	}
	j := len(f) - 1
	for f[j].node < f[i].node {
		j--
	}
	f[i], f[j] = f[j], f[i]
	slices.Reverse(f[i+1:])
	return true
}

// counted returns how many of a list's permutations count: none where there are
// fewer than three. That leaves chains and rings, whose groups are pairs, to
// the limit of calls.
func counted(permutations uint64) uint64 {
	if permutations < 3 {
		return 0
	}
	return permutations
}

// permutationsOf returns the number of permutations of a blank node list,
// math.MaxUint64 if it does not fit. A node that is in the list more than once,
// because quads of several graphs relate it the same way, gives no new
// permutation by changing places with itself.
func permutationsOf(list []relatedNode) uint64 {
	p := uint64(1)
	for i := 0; i < len(list); {
		n := sameNode(list[i:])
		i += n
		p = times(p, binomial(uint64(i), uint64(n)))
	}
	return p
}

// permutationsInOrder returns how many of a list's permutations have its free nodes
// in this order, by where each first stands: the permutations of the list, divided by
// those of its free part, times those of the free part in this order. All fit, since
// the permutations of the list were within the limit.
func permutationsInOrder(permutations uint64, free []freeNode) uint64 {
	all, here, left := uint64(1), uint64(1), uint64(0)
	for i := len(free) - 1; i >= 0; i-- {
		n := uint64(free[i].times)
		left += n
		all *= binomial(left, n)
		here *= binomial(left-1, n-1)
	}
	return permutations / all * here
}

// sameNode returns how many entries at the beginning of a list are one node.
func sameNode(list []relatedNode) int {
	n := 1
	for n < len(list) && list[n].node == list[0].node {
		n++
	}
	return n
}
