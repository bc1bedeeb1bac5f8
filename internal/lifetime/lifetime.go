package lifetime

import (
	"slices"
	"strings"
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
	name, _, _ = last(name)
	name = strings.TrimPrefix(name, "is")
	return value && slices.Contains(running[:], name) || !value && slices.Contains(over[:], name)
}

// perpetual are what a validity without an end is said to be.
var perpetual = [...]string{"perpetual", "indefinite", "unlimited"}

// Perpetual reports whether a value, an IRI or a text, says of a validity that it has no end, as
// dalicc:perpetual of a dalicc:validityType.
func Perpetual(name, value string) bool {
	name, _, _ = last(name)
	value, _, _ = last(value)
	return strings.HasPrefix(name, "valid") && slices.Contains(perpetual[:], value)
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
	name, isIRI, long := last(name)
	if long || name == "exp" || name == "nbf" || !isIRI && word(name) {
		return true
	}
	return slices.ContainsFunc(parts[:], func(part string) bool { return strings.Contains(name, part) })
}

func word(name string) bool {
	return slices.Contains(words[:], name) || slices.Contains(running[:], strings.TrimPrefix(name, "is"))
}

// Bounds is [Limits] for what is said of something that is in force or not, as a policy:
// that schema:endDate and dcterms:valid are of many things does not matter there. A status
// may say that it goes on, see [Status].
func Bounds(name string) bool {
	plain, isIRI, _ := last(name)
	return Limits(name) || isIRI && plain != "status" && word(plain) ||
		slices.ContainsFunc(closing[:], func(end string) bool { return strings.HasSuffix(plain, end) })
}

// Status reports whether a property is a status, as adms:status, dpv:hasConsentStatus and the
// state of a negotiation.
func Status(property string) bool {
	plain, _, _ := last(property)
	return strings.HasSuffix(plain, "status") || strings.HasSuffix(plain, "state")
}

// Over reports whether a status, an IRI or a text, reads like that of what was withdrawn or
// has expired, or of what was not given in the first place.
func Over(status string) bool {
	plain, _, _ := last(status)
	return Limits(status) && !Lasts(status, true) ||
		slices.ContainsFunc(ungiven[:], func(part string) bool { return strings.Contains(plain, part) })
}

// last returns the last part of an IRI, or a name, as [Plain] does, or that it is too long.
func last(name string) (plain string, isIRI, long bool) {
	name = strings.TrimRight(name, "#/")
	end := name[max(0, len(name)-longest-1):]
	at := strings.LastIndexAny(end, "#/:")
	if part := end[at+1:]; len(part) <= longest {
		return Plain(part), at >= 0, false
	}
	return "", false, true
}

// Plain returns a name in lower case without separators, so that spellings of one name are
// equal: expires_at, expiresAt, Expires-At.
func Plain(name string) string {
	const separators = "_-. "
	name = strings.ToLower(name)
	if !strings.ContainsAny(name, separators) {
		return name
	}
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(separators, r) {
			return -1
		}
		return r
	}, name)
}
