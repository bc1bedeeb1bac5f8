package shacl_test

import "testing"

func TestLength(t *testing.T) {
	t.Parallel()
	shape := func(c string) string { return `ex:S sh:targetNode ex:x; sh:property [sh:path ex:p; sh:` + c + `].` }
	runRows(t, []row{
		{"min", shape("minLength 3"), `ex:x ex:p "ab", "abc".`, []string{`ex:x ex:p "ab" MinLength`}},
		{"max", shape("maxLength 3"), `ex:x ex:p "abcd", "abc".`, []string{`ex:x ex:p "abcd" MaxLength`}},
		{"characters, not bytes", shape("maxLength 3"), `ex:x ex:p "äöü", "😀😀😀😀".`, []string{`ex:x ex:p "😀😀😀😀" MaxLength`}},
		{"characters, not bytes, min", shape("minLength 3"), `ex:x ex:p "äö", "äöü".`, []string{`ex:x ex:p "äö" MinLength`}},
		{"the text of an IRI", shape("maxLength 20"), `ex:x ex:p ex:a, ex:ab.`, []string{"ex:x ex:p ex:ab MaxLength"}},
		{"the lexical form of a number", shape("maxLength 2"), `ex:x ex:p 12, 012.`, []string{`ex:x ex:p "012"^^xsd:integer MaxLength`}},
		{"a blank node has none", shape("minLength 0"), `ex:x ex:p [].`, []string{"ex:x ex:p [] MinLength"}},
		{"a blank node has none, max", shape("maxLength 100"), `ex:x ex:p [].`, []string{"ex:x ex:p [] MaxLength"}},
		{"node shape", `ex:S sh:targetNode "a"; sh:minLength 2.`, ``, []string{`"a" - "a" MinLength`}},
	})
}

func TestPattern(t *testing.T) {
	t.Parallel()
	shape := func(c string) string { return `ex:S sh:targetNode ex:x; sh:property [sh:path ex:p; ` + c + `].` }
	runRows(t, []row{
		{"anywhere", shape(`sh:pattern "b"`), `ex:x ex:p "abc", "xyz".`, []string{`ex:x ex:p "xyz" Pattern`}},
		{"anchored", shape(`sh:pattern "^B"`), `ex:x ex:p "Between", "aB".`, []string{`ex:x ex:p "aB" Pattern`}},
		{"flags", shape(`sh:pattern "^b"; sh:flags "i"`), `ex:x ex:p "Between", "aB".`, []string{`ex:x ex:p "aB" Pattern`}},
		{"IRI", shape(`sh:pattern "^http://example"`), `ex:x ex:p ex:y, <urn:y>.`, []string{"ex:x ex:p <urn:y> Pattern"}},
		{"number", shape(`sh:pattern "^1"`), `ex:x ex:p 12, 21.`, []string{`ex:x ex:p "21"^^xsd:integer Pattern`}},
		{"a blank node never matches", shape(`sh:pattern ""`), `ex:x ex:p [].`, []string{"ex:x ex:p [] Pattern"}},
		{"XSD escapes", shape(`sh:pattern "^\\i\\c*$"`), `ex:x ex:p "a-b", "-a".`, []string{`ex:x ex:p "-a" Pattern`}},
		{"node shape", `ex:S sh:targetNode "a"; sh:pattern "b".`, ``, []string{`"a" - "a" Pattern`}},
	})
}

func TestLanguageIn(t *testing.T) {
	t.Parallel()
	shape := func(c string) string {
		return `ex:S sh:targetNode ex:x; sh:property [sh:path ex:p; sh:languageIn ` + c + `].`
	}
	runRows(t, []row{
		{"listed", shape(`("en" "de")`), `ex:x ex:p "a"@en, "b"@de, "c"@fr.`, []string{`ex:x ex:p "c"@fr LanguageIn`}},
		{"without regard to case", shape(`("EN")`), `ex:x ex:p "a"@en, "b"@En.`, nil},
		{"a range covers what is narrower", shape(`("en")`), `ex:x ex:p "a"@en-GB, "b"@eng.`, []string{`ex:x ex:p "b"@eng LanguageIn`}},
		{"but not what is wider", shape(`("en-GB")`), `ex:x ex:p "a"@en.`, []string{`ex:x ex:p "a"@en LanguageIn`}},
		{"any language", shape(`("*")`), `ex:x ex:p "a"@en, "b".`, []string{`ex:x ex:p "b" LanguageIn`}},
		{"no language", shape(`("en")`), `ex:x ex:p "a", ex:y, [], 5.`, []string{`ex:x ex:p "a" LanguageIn`, "ex:x ex:p ex:y LanguageIn", "ex:x ex:p [] LanguageIn", `ex:x ex:p "5"^^xsd:integer LanguageIn`}},
		{"empty list", shape(`()`), `ex:x ex:p "a"@en.`, []string{`ex:x ex:p "a"@en LanguageIn`}},
		{"node shape", `ex:S sh:targetNode "a"@en, "a"@fr; sh:languageIn ("en").`, ``, []string{`"a"@fr - "a"@fr LanguageIn`}},
	})
}

func TestUniqueLang(t *testing.T) {
	t.Parallel()
	shape := func(c string) string {
		return `ex:S sh:targetNode ex:x; sh:property [sh:path ex:p; sh:uniqueLang ` + c + `].`
	}
	runRows(t, []row{
		{"unique", shape("true"), `ex:x ex:p "a"@en, "b"@de, "c", "d", 5.`, nil},
		{"one result a language", shape("true"), `ex:x ex:p "a"@en, "b"@en, "c"@en, "d"@de, "e"@de, "f"@fr.`, []string{"ex:x ex:p - UniqueLang", "ex:x ex:p - UniqueLang"}},
		{"without regard to case", shape("true"), `ex:x ex:p "a"@en, "a"@EN.`, []string{"ex:x ex:p - UniqueLang"}},
		{"false does nothing", shape("false"), `ex:x ex:p "a"@en, "b"@en.`, nil},
		{"no values", shape("true"), ``, nil},
	})
}
