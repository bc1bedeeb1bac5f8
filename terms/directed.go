package terms

import (
	"slices"
	"time"

	"github.com/rdfproto/rdfproto/internal/lifetime"
	"github.com/rdfproto/rdfproto/internal/strictjson"
)

// Channel says how the reader came by a card. The zero Channel is public.
type Channel uint8

// The channels.
const (
	// Public is every channel that serves the card to everyone. A card that was
	// fetched without credentials is public, whatever else is known about it.
	Public Channel = iota
	// Restricted is a channel to one party.
	Restricted
)

// String returns "public" or "restricted".
func (c Channel) String() string {
	if c == Restricted {
		return "restricted"
	}
	return "public"
}

// ChannelByName returns the channel with a name, as [Channel.String] spells it, and
// whether there is one.
func ChannelByName(name string) (Channel, bool) {
	for _, c := range []Channel{Public, Restricted} {
		if c.String() == name {
			return c, true
		}
	}
	return 0, false
}

// offeredTo is the party that a directed proposal names (SoW, section 12.1.1).
type offeredTo struct {
	agent    string
	ends     bool // at a time; otherwise the offer ends with an occasion alone
	expires  time.Time
	occasion bool
	fault    *Error // a malformed restriction is not an absent one
}

// readOfferedTo returns the restriction of a document, nil when there is none.
func (d *Document) readOfferedTo() *offeredTo {
	parties := d.root.Get("parties")
	v := parties.Get("offered_to")
	if at := restriction(d.root, true); at.Exists() {
		return &offeredTo{fault: refuseAt(at, CodeDirectedMalformed, "expected offered_to among the parties and spelt so, found %s", quoted(text(at)))}
	}
	if at := restriction(parties, false); at.Exists() {
		return &offeredTo{fault: refuseAt(at, CodeDirectedMalformed, "expected offered_to, found %s", quoted(text(at)))}
	}
	if !v.Exists() {
		return nil
	}
	o := &offeredTo{agent: text(v.Get("agent"))}
	malformed := func(at strictjson.Value, format string, args ...any) *offeredTo {
		o.fault = refuseAt(orElse(at, v), CodeDirectedMalformed, format, args...)
		return o
	}
	if v.Kind() != strictjson.Object {
		return malformed(v, "expected one object for offered_to, found %s", v.Kind())
	}
	for _, name := range []string{"agent", "owner"} {
		if text(v.Get(name)) == "" {
			return malformed(v.Get(name), "expected a string for offered_to.%s", name)
		}
	}
	for _, name := range []string{"handle", "organization"} {
		if m := v.Get(name); m.Exists() && text(m) == "" {
			return malformed(m, "expected a string for offered_to.%s", name)
		}
	}
	for i := range v.Len() {
		if m := v.Member(i); text(m.Name) != "expires_at" && lifetime.Limits(text(m.Name)) {
			return malformed(m.Name, "expected no member %s in offered_to: it may end the offer and is not known", quoted(text(m.Name)))
		}
	}
	if !isGrade(text(v.Get("grade"))) {
		return malformed(v.Get("grade"), "expected enforced, evidence or recorded for offered_to.grade")
	}
	if m := v.Get("occasion"); m.Exists() {
		if o.occasion = text(m) != "" || m.Kind() == strictjson.Object && m.Len() > 0; !o.occasion {
			return malformed(m, "expected a name or an object for offered_to.occasion")
		}
	}
	m := v.Get("expires_at")
	if !m.Exists() {
		if !o.occasion {
			o.fault = refuseAt(v, CodeDirectedUnbounded, "expected offered_to.expires_at: an offer to one party needs an end")
		}
		return o
	}
	if o.expires, o.ends = instant(text(m)); !o.ends {
		return malformed(m, "expected a time as in RFC 3339 for offered_to.expires_at")
	}
	return o
}

// restriction returns the name of a member that restricts who may take an offer in another
// spelling than that of the specification, or, with anyhow, in any: whoever ignored it
// would take an offer to one party for one to everybody.
func restriction(v strictjson.Value, anyhow bool) strictjson.Value {
	for i := range v.Len() {
		if m := v.Member(i); lifetime.Plain(text(m.Name)) == "offeredto" && (anyhow || text(m.Name) != "offered_to") {
			return m.Name
		}
	}
	return strictjson.Value{}
}

// lapsed reports whether the offer has ended. At the instant itself it has.
func (o *offeredTo) lapsed(now time.Time) bool {
	return o.ends && !now.Before(o.expires)
}

// checkReader decides whether a reader on a channel may be shown a directed
// proposal (section B.6, E-8).
func (o *offeredTo) checkReader(c Channel, me string) Code {
	switch {
	case c != Restricted:
		return CodeDirectedPublic
	case me == "" || o.agent != "" && o.agent != me:
		return CodeDirectedOther
	case o.fault != nil:
		return o.fault.Code
	}
	return ""
}

// namesTwo reports whether the restrictions name two parties.
func namesTwo(all []*offeredTo) bool {
	return slices.ContainsFunc(all, func(o *offeredTo) bool { return o.agent != all[0].agent })
}
