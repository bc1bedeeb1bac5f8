package lifetime

import (
	"slices"
	"strings"
)

// parts are what names of a beginning or an end have in them, without separators.
var parts = [...]string{
	"revo", "expir", "until", "deactivat", "inactiv", "disabled", "suspend", "compromis",
	"notafter", "notbefore", "validfrom", "validto", "validthrough", "validbefore", "validafter", "validity",
}

// words are names that say it alone. In a vocabulary they are of many things: what people
// say they are doing is their foaf:status.
var words = [...]string{"status", "active", "enabled", "valid", "end", "ends", "endsat", "enddate", "endtime", "deadline", "lapses", "lapsesat", "maxage", "ttl"}

// Limits reports whether the name of a member or the IRI of a property reads like one that
// begins, ends or suspends what it is said of: the whole IRI of sec:revoked, what other
// specifications call it, a claim of a web token, in any case and with any separators. Of
// an IRI the last part counts: who publishes a vocabulary may be called anything.
func Limits(name string) bool {
	name = strings.TrimRight(strings.ToLower(name), "#/")
	at := strings.LastIndexAny(name, "#/:")
	name = Plain(name[at+1:])
	if name == "exp" || name == "nbf" || at < 0 && slices.Contains(words[:], name) {
		return true
	}
	return slices.ContainsFunc(parts[:], func(part string) bool { return strings.Contains(name, part) })
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
