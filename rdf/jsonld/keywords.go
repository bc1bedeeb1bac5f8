package jsonld

// keyword is a keyword of JSON-LD 1.1 (Syntax, section 1.7), or none.
type keyword uint8

const (
	noKeyword keyword = iota
	kwBase
	kwContainer
	kwContext
	kwDirection
	kwGraph
	kwID
	kwImport
	kwIncluded
	kwIndex
	kwJSON
	kwLanguage
	kwList
	kwNest
	kwNone
	kwPrefix
	kwPropagate
	kwProtected
	kwReverse
	kwSet
	kwType
	kwValue
	kwVersion
	kwVocab
)

// lookupKeyword returns the keyword that s spells.
func lookupKeyword(s string) keyword {
	if len(s) < 3 || s[0] != '@' {
		return noKeyword
	}
	switch s {
	case "@base":
		return kwBase
	case "@container":
		return kwContainer
	case "@context":
		return kwContext
	case "@direction":
		return kwDirection
	case "@graph":
		return kwGraph
	case "@id":
		return kwID
	case "@import":
		return kwImport
	case "@included":
		return kwIncluded
	case "@index":
		return kwIndex
	case "@json":
		return kwJSON
	case "@language":
		return kwLanguage
	case "@list":
		return kwList
	case "@nest":
		return kwNest
	case "@none":
		return kwNone
	case "@prefix":
		return kwPrefix
	case "@propagate":
		return kwPropagate
	case "@protected":
		return kwProtected
	case "@reverse":
		return kwReverse
	case "@set":
		return kwSet
	case "@type":
		return kwType
	case "@value":
		return kwValue
	case "@version":
		return kwVersion
	case "@vocab":
		return kwVocab
	}
	return noKeyword
}

// keywordForm reports whether s matches "@"1*ALPHA, which is reserved for
// keywords.
func keywordForm(s string) bool {
	if len(s) < 2 || s[0] != '@' {
		return false
	}
	for i := 1; i < len(s); i++ {
		if c := s[i] | 0x20; c < 'a' || c > 'z' {
			return false
		}
	}
	return true
}

// containers is a set of the containers of a term.
type containers uint8

const (
	inGraph containers = 1 << iota
	inID
	inIndex
	inLanguage
	inList
	inSet
	inType
)

// containerOf returns the container that s names, 0 for none.
func containerOf(s string) containers {
	switch lookupKeyword(s) {
	case kwGraph:
		return inGraph
	case kwID:
		return inID
	case kwIndex:
		return inIndex
	case kwLanguage:
		return inLanguage
	case kwList:
		return inList
	case kwSet:
		return inSet
	case kwType:
		return inType
	}
	return 0
}

// direction is a base direction, or a statement about one.
type direction uint8

const (
	unsetDirection direction = iota
	nullDirection
	ltr
	rtl
)

// String returns the direction as JSON-LD spells it, "" for none.
func (d direction) String() string {
	switch d {
	case ltr:
		return "ltr"
	case rtl:
		return "rtl"
	}
	return ""
}

func directionOf(s string) direction {
	switch s {
	case "ltr":
		return ltr
	case "rtl":
		return rtl
	}
	return unsetDirection
}
