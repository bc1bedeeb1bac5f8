package lifetime

import (
	"bytes"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"
)

// parts are what names of a beginning or an end have in them, without separators.
var parts = [...]string{
	"revok", "revoc", "expir", "until", "deactivat", "inactiv", "disabled", "suspend", "compromis",
	"withdraw", "cancel", "terminat", "retire", "invalid", "superseded", "replacedby",
	"deprecat", "rescind", "annulled", "discontinu",
	"notafter", "notbefore", "validfrom", "validto", "validthrough", "validbefore", "validafter", "validity",
}

// words are names that say it alone. In a vocabulary they are of many things: what people
// say they are doing is their foaf:status.
var words = [...]string{"status", "end", "ends", "endsat", "enddate", "endtime", "deadline", "lapses", "lapsesat", "lapsed", "lapsedat", "maxage", "ttl", "validfor"}

// closing are what names of an end have last in them, of what is in force or not: of time:hasEnd
// and ids:contractEnd, and of a policyEndDate.
var closing = [...]string{"enddate", "endtime", "hasend", "contractend"}

// ungiven are what statuses have in them of what was not given or not yet: of dpv:ConsentRefused
// and dpv:ContractUnderNegotiation, of adms:UnderDevelopment, of a draft.
var ungiven = [...]string{
	"refused", "rejected", "declined", "denied", "requested", "deferred", "unknown", "pending",
	"draft", "proposed", "offered", "negotiating", "negotiation", "underreview", "underdevelopment", "obsolete",
}

// running and over are names of what is true or false. A name that is nearly one of the
// second, such as nonExpired, may be one of the first.
var (
	running = [...]string{"active", "enabled", "valid"}
	over    = [...]string{
		"revoked", "expired", "deactivated", "inactive", "disabled", "suspended", "compromised",
		"withdrawn", "cancelled", "canceled", "terminated", "retired", "invalid", "superseded", "lapsed",
		"deprecated", "rescinded", "annulled", "discontinued",
	}
)

// Lasts reports whether a truth value of a member or property that [Limits] what it is said
// of says that it goes on: that it is not revoked, or that it is active. False stands for
// everything else that it may be called.
func Lasts(name string, value bool) bool {
	var room [longest]byte
	n := last(&room, name)
	return n.lasts(value)
}

// perpetual are what a validity without an end is said to be.
var perpetual = [...]string{"perpetual", "indefinite", "unlimited"}

// Perpetual reports whether a value, an IRI or a text, says of a validity that it has no end, as
// dalicc:perpetual of a dalicc:validityType.
func Perpetual(name, value string) bool {
	var room [longest]byte
	if n := last(&room, name); !n.begins("valid") {
		return false
	}
	n := last(&room, value)
	return n.isOne(perpetual[:])
}

// longest is more than the names of members and the last parts of IRIs have. What is longer
// is not looked through.
const longest = 256

// Limits reports whether the name of a member or the IRI of a property reads like one that
// begins, ends or suspends what it is said of: the whole IRI of sec:revoked, what other
// specifications call it, a claim of a web token, in any case and with any separators. Of
// an IRI the last part counts: who publishes a vocabulary may be called anything. A name of
// more than 256 bytes may say anything.
func Limits(name string) bool {
	var room [longest]byte
	n := last(&room, name)
	return n.limits()
}

// Bounds is [Limits] for what is said of something that is in force or not, as a policy:
// that schema:endDate and dcterms:valid are of many things does not matter there. A status
// may say that it goes on, see [Status].
func Bounds(name string) bool {
	var room [longest]byte
	n := last(&room, name)
	return n.limits() || n.isIRI && !n.is("status") && n.isWord() || slices.ContainsFunc(closing[:], n.ends)
}

// Status reports whether a property is a status, as adms:status, dpv:hasConsentStatus and the
// state of a negotiation.
func Status(property string) bool {
	var room [longest]byte
	n := last(&room, property)
	return n.ends("status") || n.ends("state")
}

// Over reports whether a status, an IRI or a text, reads like that of what was withdrawn or
// has expired, or of what was not given in the first place.
func Over(status string) bool {
	var room [longest]byte
	n := last(&room, status)
	return n.limits() && !n.lasts(true) || slices.ContainsFunc(ungiven[:], n.has)
}

// name is a name, or the last part of an IRI, as [Plain] has it. What is read for each
// property of a document is not worth an allocation.
type name struct {
	plain       []byte
	isIRI, long bool
}

// last returns the last part of an IRI, or a name, or that it is too long.
func last(room *[longest]byte, text string) name {
	text = strings.TrimRight(text, "#/")
	end := text[max(0, len(text)-longest-1):]
	at := strings.LastIndexAny(end, "#/:")
	if part := end[at+1:]; len(part) <= longest {
		return name{plain: appendPlain(room[:0], part), isIRI: at >= 0}
	}
	return name{long: true}
}

func (n *name) is(word string) bool     { return string(n.plain) == word }
func (n *name) has(part string) bool    { return bytes.Contains(n.plain, []byte(part)) }
func (n *name) begins(part string) bool { return bytes.HasPrefix(n.plain, []byte(part)) }
func (n *name) ends(part string) bool   { return bytes.HasSuffix(n.plain, []byte(part)) }

func (n *name) isOne(words []string) bool { return slices.ContainsFunc(words, n.is) }

func (n *name) limits() bool {
	return n.long || n.is("exp") || n.is("nbf") || !n.isIRI && n.isWord() || n.hasPart()
}

// hasPart looks for all parts in one go.
func (n *name) hasPart() bool {
	by := partsByLetter()
	for i, c := range n.plain {
		if c < 'a' || c > 'z' {
			continue
		}
		for _, part := range by[c-'a'] {
			if bytes.HasPrefix(n.plain[i:], []byte(part)) {
				return true
			}
		}
	}
	return false
}

// partsByLetter are the parts by their first letters.
var partsByLetter = sync.OnceValue(func() *['z' - 'a' + 1][]string {
	var by ['z' - 'a' + 1][]string
	for _, part := range parts {
		by[part[0]-'a'] = append(by[part[0]-'a'], part)
	}
	return &by
})

func (n *name) isWord() bool { return n.isOne(words[:]) || n.said().isOne(running[:]) }

func (n *name) lasts(value bool) bool {
	return value && n.said().isOne(running[:]) || !value && n.said().isOne(over[:])
}

// said returns what a truth value is of: isActive is active.
func (n *name) said() *name { return &name{plain: bytes.TrimPrefix(n.plain, []byte("is"))} }

// Plain returns a name in lower case without separators, so that spellings of one name are
// equal: expires_at, expiresAt, Expires-At.
func Plain(name string) string {
	var room [longest]byte
	return string(appendPlain(room[:0], name))
}

func appendPlain(dst []byte, name string) []byte {
	for i := range len(name) {
		switch c := name[i]; {
		case c >= utf8.RuneSelf:
			return appendLower(dst, name[i:])
		case isSeparator(rune(c)):
		case 'A' <= c && c <= 'Z':
			dst = append(dst, c-'A'+'a')
		default:
			dst = append(dst, c)
		}
	}
	return dst
}

// appendLower is appendPlain for names with letters beyond ASCII, of which some are those
// of ASCII in lower case.
func appendLower(dst []byte, name string) []byte {
	for _, r := range strings.ToLower(name) {
		if !isSeparator(r) {
			dst = utf8.AppendRune(dst, r)
		}
	}
	return dst
}

func isSeparator(r rune) bool { return r == '_' || r == '-' || r == '.' || r == ' ' }
