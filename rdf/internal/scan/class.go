package scan

// Class is a set of properties of a byte.
type Class uint8

// The classes of bytes. Bytes from 0x80 on are in none: they belong to longer
// characters, which only the slow paths decode.
const (
	Space    Class = 1 << iota // WS of Turtle: space, tab, LF, CR
	Name                       // ASCII of PN_CHARS and '.': what may continue a prefix
	Local                      // ASCII of PN_CHARS, '.' and ':': what may continue a local name
	Start                      // ASCII of PN_CHARS_U: letters and '_'
	Digit                      // 0-9
	Hex                        // 0-9, A-F, a-f
	NotInIRI                   // ASCII that IRIREF excludes, '\' among them
	Letter                     // A-Z, a-z
)

// Of gives the class of every byte.
var Of = func() (t [256]Class) {
	for c := range 256 {
		b := byte(c)
		letter := 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z'
		digit := '0' <= b && b <= '9'
		set := func(c Class, ok bool) {
			if ok {
				t[b] |= c
			}
		}
		name := letter || digit || b == '_' || b == '-' || b == '.'
		set(Space, b == ' ' || b == '\t' || b == '\n' || b == '\r')
		set(Name, name)
		set(Local, name || b == ':')
		set(Start, letter || b == '_')
		set(Digit, digit)
		set(Hex, digit || 'a' <= b && b <= 'f' || 'A' <= b && b <= 'F')
		set(Letter, letter)
		switch b {
		case '<', '>', '"', '{', '}', '|', '^', '`', '\\':
			set(NotInIRI, true)
		default:
			set(NotInIRI, b <= ' ')
		}
	}
	return t
}()
