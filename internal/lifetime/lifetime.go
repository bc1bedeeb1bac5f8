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

// Limits reports whether the name of a member or the IRI of a property reads like one that
// begins, ends or suspends what it is said of: the whole IRI of sec:revoked, what other
// specifications call it, a claim of a web token, in any case and with any separators. Of
// an IRI the last part counts: who publishes a vocabulary may be called anything. A status
// counts where it is the whole name, since credentialStatus is known and checked.
func Limits(name string) bool {
	name = strings.TrimRight(strings.ToLower(name), "#/")
	name = Plain(name[strings.LastIndexAny(name, "#/:")+1:])
	switch name {
	case "exp", "nbf", "status":
		return true
	}
	return slices.ContainsFunc(parts[:], func(part string) bool { return strings.Contains(name, part) })
}

// Plain returns a name in lower case without separators, so that spellings of one name are
// equal: expires_at, expiresAt, Expires-At.
func Plain(name string) string {
	return strings.NewReplacer("_", "", "-", "", ".", "", " ", "").Replace(strings.ToLower(name))
}
