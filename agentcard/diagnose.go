package agentcard

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/internal/strictjson"
)

// diagnosis explains why signatures failed: it looks for a payload, a key or a
// form of the signature with which they would have been valid. Nothing that it
// finds makes a card verified. It stops when it has made limit bytes of payloads.
type diagnosis struct {
	v       *verification
	left    int
	stopped bool
	tried   map[canon.Digest]bool // payloads, for the current signature
}

// diagnose tries the readings that the policy does not accept (C-R2), and the rest
// when the policy asks to explain.
func (v *verification) diagnose(read []*signature) {
	d := &diagnosis{v: v, left: v.card.limits.Diagnosis}
	under := map[Reading]bool{}
	for i, s := range read {
		e := &v.report.Entries[i]
		if s == nil || e.Result == ResultValid {
			continue
		}
		d.signature(e, s, under)
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
}

func (d *diagnosis) signature(e *Entry, s *signature, under map[Reading]bool) {
	d.tried = map[canon.Digest]bool{}
	note := func(code Code, format string, args ...any) {
		e.Diagnosis = append(e.Diagnosis, Finding{Code: code, Text: fmt.Sprintf(format, args...)})
	}
	try := *s
	if e.Code == CodeSigDER {
		raw, _ := parseDER(s.bytes, s.alg.coordinate())
		if raw == nil {
			return
		}
		try.bytes = raw
	}
	keys := d.candidates(&try)
	if len(keys) == 0 {
		return
	}
	found := func(k *Key) {
		if e.Code == CodeSigDER {
			note(CodeDiagDER, "the signature is valid once it is converted from ASN.1 DER to the raw form of R and S")
		}
		if k.id != s.kid {
			note(CodeDiagWrongKid, "the header names the kid %s, but the key %s verifies the signature", shorten(s.kid), shorten(k.id))
		}
	}
	for r := Spec; r <= PythonLegacy; r++ {
		p := d.v.payload(r)
		if p.err != nil {
			continue
		}
		k := d.verify(keys, &try, p.bytes)
		if k == nil {
			continue
		}
		if !slices.Contains(d.v.policy.Readings, r) {
			under[r] = true
			note(CodeDiagReading, "the signature is valid under the reading %s, which is not accepted", r)
		}
		found(k)
		return
	}
	if !d.v.policy.Explain {
		return
	}
	if pointers, k := d.restored(keys, &try); k != nil {
		note(CodeDiagFalse, "the signature is valid when false is put back at %s: a typed model without presence dropped it", strings.Join(pointers, ", "))
		found(k)
		return
	}
	if reading, f, k := d.forms(keys, &try); k != nil {
		note(CodeDiagForm, "the signature is valid under the reading %s with %s", reading, f)
		found(k)
		return
	}
	if d.stopped {
		note(CodeDiagStopped, "the diagnosis stopped after %d bytes of payloads", d.v.card.limits.Diagnosis)
	}
}

// candidates returns the keys that could have made a signature, those with its kid
// first. Keys outside their time count: the question is what went wrong.
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
	const most = 8 // each is tried with each payload
	return all[:min(len(all), most)]
}

// verify tries a payload that was not tried before with all keys.
func (d *diagnosis) verify(keys []*Key, s *signature, payload []byte) *Key {
	if d.left -= len(payload) * len(keys); d.left < 0 {
		d.stopped = true
		return nil
	}
	sum := canon.Sum(payload)
	if d.tried[sum] {
		return nil
	}
	d.tried[sum] = true
	for _, k := range keys {
		if k.verify(s, payload) {
			return k
		}
	}
	return nil
}

// restored puts explicit false flags back into the capabilities, which a model
// without presence drops, in every combination (the source's second failure mode).
func (d *diagnosis) restored(keys []*Key, s *signature) ([]string, *Key) {
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
			var pointers []string
			var flags []byte
			for i, name := range missing {
				if set&(1<<i) != 0 {
					pointers = append(pointers, "/capabilities/"+name)
					flags = append(append(append(flags, '"'), name...), `":false,`...)
				}
			}
			text, ok := insertCapabilities(p.bytes, flags)
			if !ok || d.stopped {
				continue
			}
			payload, err := canonicalize(text, d.v.card.limits.card())
			if err != nil {
				continue
			}
			if k := d.verify(keys, s, payload); k != nil {
				return pointers, k
			}
		}
	}
	return nil, nil
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
func (d *diagnosis) forms(keys []*Key, s *signature) (Reading, form, *Key) {
	for _, r := range []Reading{Spec, SDK, Raw} {
		p := d.v.payload(r)
		if p.err != nil {
			continue
		}
		for o := range numOrders {
			for e := range numEscapes {
				for n := range numNumbers {
					f := form{o, e, n}
					if d.stopped {
						return 0, form{}, nil
					}
					text, err := reform(p.stripped.out, d.v.card.limits, f)
					if err != nil {
						continue
					}
					if k := d.verify(keys, s, text); k != nil {
						return r, f, k
					}
				}
			}
		}
	}
	return 0, form{}, nil
}
