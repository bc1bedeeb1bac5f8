package agentcard

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/internal/strictjson"
)

// diagnosis explains why signatures failed: it looks for a payload, a key or a form
// of the signature with which they would have been valid. Nothing that it finds makes
// a card verified. It tries all readings; after that it stops once the payloads that it
// tried have as many bytes as the card's limit says, each number counting as more. It stops
// in any case when its checks of signatures cost maxChecks.
type diagnosis struct {
	v       *verification
	left    int // bytes of payloads
	numbers int // what the card's numbers cost for each payload, in bytes
	checks  int // what checks of signatures may still cost
	stopped bool
}

// maxChecks takes a third of a second at most, and is enough for all forms of a card with a
// few signatures and a few keys.
const maxChecks = 4000

// costOfCheck returns what checking a signature costs, about: one with ES384 takes eight
// times as long as one with ES256, one with ES512 forty times.
func (a Algorithm) costOfCheck() int {
	switch {
	case a == ES512:
		return 40
	case a == ES384 || a.isRSA(): // of 4096 bits
		return 8
	}
	return 4 // so few that nobody waits for them
}

// costOfNumbers returns how many bytes of text take as long to write in another form as the
// numbers within a value do beyond their own: each is read to a double and written again,
// several times, and one of large magnitude or many digits takes big arithmetic.
func costOfNumbers(v strictjson.Value) int {
	const plain, hard, digits = 8, 128, 17
	cost := 0
	switch v.Kind() {
	case strictjson.Number:
		if n, _ := v.Number(); len(n) > digits || strings.ContainsAny(n, "eE") {
			return hard
		}
		return plain
	case strictjson.Array:
		for _, e := range v.Items() {
			cost += costOfNumbers(e)
		}
	case strictjson.Object:
		for _, m := range v.Members() {
			cost += costOfNumbers(m)
		}
	}
	return cost
}

// suspect is a signature that failed, with what might explain it.
type suspect struct {
	entry *Entry
	sig   signature // converted if it is in DER
	keys  []*Key
	tried map[canon.Digest]bool // payloads
}

// diagnose tries the readings that the policy does not accept for every signature
// (C-R2), and then the rest when the policy asks to explain.
func (v *verification) diagnose(read []*signature) {
	d := &diagnosis{v: v, left: v.card.limits.Diagnosis, numbers: costOfNumbers(v.card.root), checks: maxChecks}
	under := map[Reading]bool{}
	var open []*suspect
	for i, s := range read {
		e := &v.report.Entries[i]
		if s == nil || e.Result == ResultValid {
			continue
		}
		if x := d.suspect(e, s); x != nil && !d.readings(x, under) {
			open = append(open, x)
		}
	}
	for r := Spec; r <= PythonLegacy; r++ {
		if !under[r] {
			continue
		}
		v.report.WouldVerifyUnder = append(v.report.WouldVerifyUnder, r)
		if spec := v.payload(Spec); r != Spec && spec.err == nil {
			v.report.Differences = append(v.report.Differences, differences(spec.stripped, v.payload(r).stripped)...)
		}
	}
	for _, x := range open {
		if v.policy.Explain {
			d.explain(x)
		}
		if d.stopped && len(x.entry.Diagnosis) == 0 {
			x.note(CodeDiagStopped, "the diagnosis stopped at its limit; there may be an explanation")
		}
	}
}

// suspect prepares a signature, and returns nil for one that no key could verify.
func (d *diagnosis) suspect(e *Entry, s *signature) *suspect {
	x := &suspect{entry: e, sig: *s, tried: map[canon.Digest]bool{}}
	if e.Code == CodeSigDER {
		if x.sig.bytes, _ = parseDER(s.bytes, s.alg.coordinate()); x.sig.bytes == nil {
			return nil
		}
	}
	if x.keys = d.candidates(&x.sig); len(x.keys) == 0 {
		return nil
	}
	return x
}

func (x *suspect) note(code Code, format string, args ...any) {
	x.entry.Diagnosis = append(x.entry.Diagnosis, Finding{Code: code, Text: fmt.Sprintf(format, args...)})
}

// verifiedBy notes what else is wrong with a signature that a key verifies.
func (x *suspect) verifiedBy(k *Key) {
	if x.entry.Code == CodeSigDER {
		x.note(CodeDiagDER, "the signature is valid once it is converted from ASN.1 DER to the raw form of R and S")
	}
	if k.id != x.sig.kid {
		x.note(CodeDiagWrongKid, "the header names the kid %s, but the key %s verifies the signature", shorten(x.sig.kid), shorten(k.id))
	}
}

// key returns the key with which a signature covers a payload, nil for none, for a payload
// that was tried before, and when there were too many checks.
func (d *diagnosis) key(x *suspect, payload []byte) *Key {
	sum := canon.Sum(payload)
	if x.tried[sum] {
		return nil
	}
	x.tried[sum] = true
	const step = 16 << 10 // bytes that cost as much to hash as a check costs in units
	if d.checks -= len(x.keys) * (x.sig.alg.costOfCheck() + len(payload)/step); d.checks < 0 {
		d.stopped = true
		return nil
	}
	for _, k := range x.keys {
		if k.verify(&x.sig, payload) {
			return k
		}
	}
	return nil
}

// readings tries the payload of every reading.
func (d *diagnosis) readings(x *suspect, under map[Reading]bool) bool {
	for r := Spec; r <= PythonLegacy; r++ {
		p := d.v.payload(r)
		if p.err != nil {
			continue
		}
		if k := d.key(x, p.bytes); k != nil {
			if !slices.Contains(d.v.policy.Readings, r) {
				under[r] = true
				x.note(CodeDiagReading, "the signature is valid under the reading %s, which is not accepted", r)
			}
			x.verifiedBy(k)
			return true
		}
	}
	return false
}

// explain tries the other mistakes that are known from the field.
func (d *diagnosis) explain(x *suspect) {
	if pointers, k := d.restored(x); k != nil {
		x.note(CodeDiagFalse, "the signature is valid when false is put back at %s: a typed model without presence dropped it", strings.Join(pointers, ", "))
		x.verifiedBy(k)
		return
	}
	if reading, f, k := d.forms(x); k != nil {
		x.note(CodeDiagForm, "the signature is valid under the reading %s with %s", reading, f)
		x.verifiedBy(k)
	}
}

// candidates returns the keys that could have made a signature, those with its kid
// first. Keys outside their validity count: the question is what went wrong.
func (d *diagnosis) candidates(s *signature) []*Key {
	var all []*Key
	if t := d.v.keys.Trust; t != nil {
		for _, p := range t.keys {
			all = append(all, p.key)
		}
	}
	all = append(all, d.v.keys.Supplied.Keys()...)
	if s.hasJKU {
		all = append(all, d.v.keys.Sets.known(s.jku)...)
	}
	all = slices.DeleteFunc(all, func(k *Key) bool {
		return k.fault != "" || k.alg != "" && !k.alg.same(s.alg) || !fitsKey(s.alg, k.public)
	})
	slices.SortStableFunc(all, func(a, b *Key) int {
		switch {
		case a.id == s.kid && b.id != s.kid:
			return -1
		case b.id == s.kid && a.id != s.kid:
			return 1
		}
		return 0
	})
	const most = 8 // every key is tried with every payload
	return all[:min(len(all), most)]
}

// verify tries a payload within the limits.
func (d *diagnosis) verify(x *suspect, payload []byte) *Key {
	if d.left -= len(payload)*len(x.keys) + d.numbers; d.left < 0 {
		d.stopped = true
		return nil
	}
	return d.key(x, payload)
}

// restored puts explicit false flags back into the capabilities, in every combination: a
// model without presence drops them (the source's second failure mode).
func (d *diagnosis) restored(x *suspect) ([]string, *Key) {
	capabilities := d.v.card.root.Get("capabilities")
	if capabilities.Kind() != strictjson.Object {
		return nil, nil
	}
	var missing []string
	for _, f := range schema[agentCapabilities].fields {
		if f.kind == flag && !capabilities.Get(f.name).Exists() {
			missing = append(missing, f.name)
		}
	}
	for _, r := range []Reading{Spec, SDK, Raw} {
		p := d.v.payload(r)
		if p.err != nil {
			continue
		}
		for set := 1; set < 1<<len(missing); set++ {
			if d.stopped { // before the payload is read once more
				return nil, nil
			}
			pointers, flags := falseFlags(missing, set)
			text, ok := insertCapabilities(p.bytes, flags)
			if !ok {
				continue
			}
			payload, err := strictjson.Canonicalize(text, d.v.card.limits.card())
			if err != nil {
				continue
			}
			if k := d.verify(x, payload); k != nil {
				return pointers, k
			}
		}
	}
	return nil, nil
}

// falseFlags returns the capabilities of a set of names as false flags, each followed by a
// comma, and their pointers. Bit i of set stands for name i.
func falseFlags(names []string, set int) (pointers []string, flags []byte) {
	for i, name := range names {
		if set&(1<<i) != 0 {
			pointers = append(pointers, "/capabilities/"+name)
			flags = append(append(append(flags, '"'), name...), `":false,`...)
		}
	}
	return pointers, flags
}

// insertCapabilities puts members at the front of the capabilities of a canonical
// payload, in which an object without members may have disappeared.
func insertCapabilities(payload, members []byte) ([]byte, bool) {
	v, err := strictjson.Parse(payload, strictjson.Limits{Bytes: int64(len(payload)) + 1, Depth: 1000, Values: len(payload) + 1, Members: len(payload) + 1})
	if err != nil {
		return nil, false
	}
	c := v.Get("capabilities")
	out := make([]byte, 0, len(payload)+len(members)+20)
	switch {
	case c.Kind() == strictjson.Object:
		at := c.Offset() + 1
		if c.Len() == 0 {
			members = members[:len(members)-1]
		}
		return append(append(append(out, payload[:at]...), members...), payload[at:]...), true
	case !c.Exists() && v.Kind() == strictjson.Object:
		out = append(out, `{"capabilities":{`...)
		out = append(append(out, members[:len(members)-1]...), '}')
		if v.Len() > 0 {
			out = append(out, ',')
		}
		return append(out, payload[1:]...), true
	}
	return nil, false
}

// forms tries the readings in every form of writing that is known from the field.
func (d *diagnosis) forms(x *suspect) (Reading, form, *Key) {
	for _, r := range []Reading{Spec, SDK, Raw} {
		p := d.v.payload(r)
		if p.err != nil {
			continue
		}
		for f := range forms {
			if d.stopped {
				return 0, form{}, nil
			}
			text, err := reform(p.stripped.out, d.v.card.limits, f)
			if err != nil {
				continue
			}
			if k := d.verify(x, text); k != nil {
				return r, f, k
			}
		}
	}
	return 0, form{}, nil
}
