package agentcard

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rdfproto/rdfproto/internal/strictjson"
)

// signature is an entry of a card's signatures, read and checked as far as possible
// without a key (section A.5).
type signature struct {
	protected string // as received: it is signed in this spelling
	bytes     []byte // the decoded signature
	alg       Algorithm
	algName   string // as written, also for an unknown one
	kid       string
	jku       string
	hasJKU    bool
	validity           // by the protected header
	unsigned  []string // names in the unprotected header
	warnings  []Finding
}

// readSignature reads an entry. On an error it also returns what it could read.
func readSignature(v strictjson.Value, limits Limits) (*signature, *Error) {
	s := &signature{}
	if v.Kind() != strictjson.Object {
		return s, refuseAt(v, CodeSigMalformed, "expected a signature, which is an object, found %s", v.Kind())
	}
	protected, err := nonEmpty(v, "protected")
	if err != nil {
		return s, err
	}
	s.protected = protected
	header, err := s.readHeader(v, limits)
	if err != nil {
		return s, err
	}
	sig, err := nonEmpty(v, "signature") // H-1
	if err != nil {
		return s, err
	}
	if err := s.readUnsigned(v.Get("header"), header); err != nil {
		return s, err
	}
	raw, ok := decodeBase64(sig)
	if !ok {
		return s, refuseAt(v.Get("signature"), CodeBase64, "expected a signature in unpadded base64url")
	}
	s.bytes = raw
	return s, nil
}

// nonEmpty returns a member that must be a string with something in it (H-1).
func nonEmpty(v strictjson.Value, name string) (string, *Error) {
	m := v.Get(name)
	str, ok := m.Str()
	switch {
	case !m.Exists():
		return "", refuseAt(v, CodeSigMalformed, "expected a member %q", name)
	case !ok:
		return "", refuseAt(m, CodeSigMalformed, "expected a string for %s, found %s", name, m.Kind())
	case str == "":
		return "", refuseAt(m, CodeSigMalformed, "expected a string with something in it for %s", name)
	}
	return str, nil
}

// readHeader decodes the protected header and checks H-2 to H-6, H-9 and H-10. Parameters
// that are not known are ignored (RFC 7515, section 4), but for those by which the signer
// may have said when the signature begins or ends.
func (s *signature) readHeader(entry strictjson.Value, limits Limits) (strictjson.Value, *Error) {
	at := entry.Get("protected")
	fail := func(code Code, format string, args ...any) (strictjson.Value, *Error) {
		return strictjson.Value{}, refuseAt(at, code, format, args...)
	}
	raw, ok := decodeBase64(s.protected)
	if !ok {
		return fail(CodeBase64, "expected a protected header in unpadded base64url")
	}
	h, err := strictjson.Parse(raw, limits.header())
	if err != nil {
		e := fromJSON(err)
		if e.Code == CodeJSONSyntax {
			e.Code = CodeSigHeaderJSON
		}
		return fail(e.Code, "in the protected header: %s", e.Text)
	}
	if h.Kind() != strictjson.Object {
		return fail(CodeSigHeaderJSON, "expected an object in the protected header, found %s", h.Kind())
	}
	alg := h.Get("alg")
	if s.algName, ok = alg.Str(); alg.Exists() && !ok {
		return fail(CodeSigHeaderJSON, "expected a string for alg, found %s", alg.Kind())
	}
	if !alg.Exists() || s.algName == "" {
		return fail(CodeSigAlgMissing, "expected alg in the protected header")
	}
	s.alg = Algorithm(s.algName)
	kid := h.Get("kid")
	if s.kid, ok = kid.Str(); kid.Exists() && !ok {
		return fail(CodeSigHeaderJSON, "expected a string for kid, found %s", kid.Kind())
	}
	if s.kid == "" {
		return fail(CodeSigKidMissing, "expected kid in the protected header")
	}
	switch typ := h.Get("typ"); {
	case !typ.Exists():
		s.warn(at, CodeSigTyp, "the header has no typ; the JavaScript SDK refuses such signatures")
	case typ.Kind() != strictjson.String:
		return fail(CodeSigHeaderJSON, "expected a string for typ, found %s", typ.Kind())
	default:
		if t, _ := typ.Str(); t != "JOSE" {
			s.warn(at, CodeSigTyp, "expected the typ JOSE, found %s", shorten(t))
		}
	}
	// Nothing critical is understood. An unencoded payload (RFC 7797) must be
	// critical, and some libraries honour it when it is not.
	if h.Get("crit").Exists() {
		return fail(CodeSigCrit, "expected no critical header parameters, found %s", critical(h.Get("crit")))
	}
	if h.Get("b64").Exists() {
		return fail(CodeSigCrit, "expected no b64 parameter: the payload is always encoded")
	}
	if e := s.validity.read(h); e != nil {
		return fail(CodeSigHeaderJSON, "in the protected header: %s", e.Text)
	}
	for _, name := range []string{"jwk", "x5c", "x5u"} {
		if h.Get(name).Exists() {
			s.warn(at, CodeSigKeyIgnored, "the header brings a key of its own in %s, which is not used", name)
		}
	}
	switch jku := h.Get("jku"); {
	case !jku.Exists():
	case jku.IsNull():
		s.warn(at, CodeSigJKUNull, "jku is null, which is read as absent")
	default:
		if s.jku, s.hasJKU = jku.Str(); !s.hasJKU {
			return fail(CodeSigHeaderJSON, "expected a string for jku, found %s", jku.Kind())
		}
	}
	return h, nil
}

func (s *signature) warn(at strictjson.Value, code Code, format string, args ...any) {
	s.warnings = append(s.warnings, findAt(at, code, format, args...))
}

// critical describes a crit parameter for a message.
func critical(v strictjson.Value) string {
	if v.Kind() != strictjson.Array || v.Len() == 0 {
		return "a crit that is not a list of names"
	}
	var names []string
	for _, e := range v.Items() {
		name, ok := e.Str()
		if !ok {
			return "a crit that is not a list of names"
		}
		names = append(names, name)
	}
	return shorten(strings.Join(names, ", "))
}

// readUnsigned checks the unprotected header without reading a value of it (H-1,
// H-7, H-8).
func (s *signature) readUnsigned(v, protected strictjson.Value) *Error {
	if !v.Exists() || v.IsNull() {
		return nil
	}
	if v.Kind() != strictjson.Object {
		return refuseAt(v, CodeSigMalformed, "expected an object for header, found %s", v.Kind())
	}
	for name := range v.Members() {
		if protected.Get(name).Exists() {
			return refuseAt(v, CodeSigHeaderOverlap, "expected the name %s in one header, found it in both", shorten(name))
		}
		s.unsigned = append(s.unsigned, name)
	}
	slices.Sort(s.unsigned)
	if len(s.unsigned) > 0 {
		s.warn(v, CodeSigUnsignedHeader, "the unprotected header is not signed and not read")
	}
	return nil
}

func sizeText(want, found int) string {
	return fmt.Sprintf("expected a signature of %d bytes, found %d", want, found)
}

// checkShape checks the length of an ECDSA or Ed25519 signature (ALG-4, ALG-5). A
// DER signature is named as such and never converted.
func (s *signature) checkShape() (Code, string) {
	want := 2 * s.alg.coordinate()
	if s.alg.canonical() == EdDSA {
		want = 64
	}
	if want == 0 || len(s.bytes) == want {
		return "", ""
	}
	if size := s.alg.coordinate(); size > 0 {
		if _, ok := parseDER(s.bytes, size); ok {
			return CodeSigDER, "expected the raw form of R and S, found ASN.1 DER: the signer's library needs a conversion step"
		}
	}
	return CodeSigLength, sizeText(want, len(s.bytes))
}
