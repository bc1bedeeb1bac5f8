package attack_test

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"fmt"
	"strings"
)

// hostileJSONLD: contexts that grow, refer to each other and to elsewhere.
func hostileJSONLD() []hostileInput {
	doc := func(context, rest string) string { return `{"@context":` + context + `,"@id":"urn:a",` + rest + `}` }
	all := []hostileInput{
		bad(inJSONLD, "a context elsewhere", doc(`"https://evil.example/context"`, `"a":1`)), bad(inJSONLD, "a context in a file", doc(`"file:///etc/passwd"`, `"a":1`)),
		bad(inJSONLD, "an import", doc(`{"@import":"https://evil.example/"}`, `"a":1`)), bad(inJSONLD, "terms in a circle", doc(`{"a":"b:x","b":"a:x"}`, `"a":1`)),
		bad(inJSONLD, "a member twice", `{"@id":"urn:a","@id":"urn:b","urn:p":1}`), bad(inJSONLD, "two names of @id", doc(`{"id":"@id"}`, `"id":"urn:b","urn:p":1`)),
		bad(inJSONLD, "a keyword made anew", doc(`{"@type":"urn:x"}`, `"urn:p":1`)), bad(inJSONLD, "another version", doc(`{"@version":2}`, `"urn:p":1`)),
		bad(inJSONLD, "a list of values with more", `{"@id":"urn:a","urn:p":{"@list":[1],"urn:q":2}}`),
		text(inJSONLD, "a term that is dropped", doc(`{}`, `"unknown":1,"urn:p":2`)), text(inJSONLD, "a number beyond 2^53", `{"@id":"urn:a","urn:p":9007199254740993}`),
		text(inJSONLD, "a relative id", `{"@id":"a","urn:p":1}`), text(inJSONLD, "a vocabulary", doc(`{"@vocab":"urn:v:"}`, `"anything":1`)), text(inJSONLD, "values that float", `[1,"x",{"@value":1}]`),
		text(inJSONLD, "null", "null"), text(inJSONLD, "a base of nothing", doc(`{"@base":null}`, `"urn:p":{"@id":"x"}`)), text(inJSONLD, "a JSON literal", `{"@id":"urn:a","urn:p":{"@value":{"a":[1e400]},"@type":"@json"}}`),
		text(inJSONLD, "reverse of reverse", `{"@id":"urn:a","@reverse":{"urn:p":{"@id":"urn:b","@reverse":{"urn:p":{"@id":"urn:a"}}}}}`), text(inJSONLD, "included in included", `{"@included":[{"@included":[{"@id":"urn:a","urn:p":1}]}]}`),
		made(inJSONLD, "many contexts", func() string {
			return doc("["+strings.Repeat(`{"a":"urn:a"},`, 5_000)+"{}]", `"a":1`)
		}),
		made(inJSONLD, "a context in every node", func() string {
			return `{"@id":"urn:a","urn:p":[` + repeat(2_000, `{"@context":{"t%[1]d":"urn:t%[1]d"},"t%[1]d":1},`) + `1]}`
		}),
		made(inJSONLD, "many terms", func() string { return doc("{"+repeat(4_000, `"t%[1]d":"urn:t%[1]d",`)+`"z":"urn:z"}`, `"z":1`) }),
		made(inJSONLD, "many terms, copied", func() string {
			scoped := repeat(500, `"t%[1]d":"urn:t%[1]d",`)
			return doc("{"+scoped+`"in":{"@id":"urn:in","@context":{"x":"urn:x"}}}`, `"in":[`+strings.Repeat(`{"x":1},`, 2_000)+`1]`)
		}),
		made(inJSONLD, "contexts within contexts", func() string {
			return doc(strings.Repeat(`{"a":{"@id":"urn:a","@context":`, 30)+"{}"+strings.Repeat("}}", 30), `"a":`+strings.Repeat(`{"a":`, 25)+"1"+strings.Repeat("}", 25))
		}),
		made(inJSONLD, "terms of terms", func() string { return doc("{"+repeat(3_000, `"t%d":"t%[1]dx:y",`)+`"z":"urn:z"}`, `"z":1`) }),
		made(inJSONLD, "long names of short ones", func() string {
			return doc(`{"p":"urn:`+strings.Repeat("x", 2_000)+`:"}`, repeat(3_000, `"p:%d":1,`)+`"urn:z":1`)
		}),
		made(inJSONLD, "a long IRI of many terms", func() string {
			return doc(`[{"a":"urn:`+strings.Repeat("x", 120_000)+`"},{`+repeat(4_000, `"t%d":"a",`)+`"z":"urn:z"},{`+repeat(4_000, `"u%d":"a",`)+`"z":"urn:z"}]`, `"z":1`)
		}),
		made(inJSONLD, "a long name of many nodes in a map", func() string {
			return doc(`{"m":{"@id":"urn:m","@container":"@index","@index":"urn:i"}}`, `"m":{"`+strings.Repeat("x", 60_000)+`":[`+repeat(4_900, `{"@id":"urn:%d"},`)+`{}]}`)
		}),
		made(inJSONLD, "nests", func() string {
			return doc(`{"n":"@nest"}`, strings.Repeat(`"n":{`, 50)+`"urn:p":1`+strings.Repeat("}", 50))
		}),
		made(inJSONLD, "graphs within graphs", func() string {
			return strings.Repeat(`{"@id":"urn:a","urn:p":{"@graph":`, 25) + "{}" + strings.Repeat("}}", 25)
		}),
	}
	return all
}

const shapePrefixes = "@prefix sh: <http://www.w3.org/ns/shacl#> . @prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> . @prefix ex: <http://example.org/> .\n"

// hostileShapes: recursion, growth, and what is no shape.
func hostileShapes() []hostileInput {
	shape := func(name, s string) hostileInput {
		return text(aShape, name, shapePrefixes+s)
	}
	large := func(name string, f func() string) hostileInput {
		return made(aShape, name, func() string { return shapePrefixes + f() })
	}
	return []hostileInput{
		shape("its own node", "ex:S a sh:NodeShape ; sh:targetClass ex:Thing ; sh:node ex:S ."), shape("not itself", "ex:S a sh:NodeShape ; sh:targetClass ex:Thing ; sh:not ex:S ."),
		shape("in a circle", "ex:S a sh:NodeShape ; sh:targetClass ex:Thing ; sh:and ( ex:T ) . ex:T sh:or ( ex:S ex:T ) ."), shape("its own property", "ex:S sh:targetNode ex:x ; sh:property ex:S ."),
		shape("a path of itself", "ex:S sh:targetNode ex:x ; sh:property [ sh:path _:p ] . _:p sh:inversePath _:p ."), shape("a list that is its own rest", "ex:S sh:targetNode ex:x ; sh:in _:l . _:l rdf:first 1 ; rdf:rest _:l ."),
		shape("a path that is a list of itself", "ex:S sh:targetNode ex:x ; sh:property [ sh:path _:l ] . _:l rdf:first _:l ; rdf:rest _:l ."), shape("two rests", "ex:S sh:targetNode ex:x ; sh:and _:l . _:l rdf:first ex:S ; rdf:rest (), ( ex:S ) ."),
		shape("counts below nothing", "ex:S sh:targetNode ex:x ; sh:property [ sh:path ex:p ; sh:minCount -1 ] ."), shape("a large count", "ex:S sh:targetNode ex:x ; sh:property [ sh:path ex:p ; sh:minCount 99999999999999999999999 ] ."),
		shape("deactivated by nobody", `ex:S sh:targetNode ex:x ; sh:deactivated "yes" ; sh:nodeKind sh:Literal .`), shape("SPARQL", `ex:S sh:targetNode ex:x ; sh:sparql [ sh:select "SELECT * {}" ] .`),
		shape("classes in a circle", "ex:Thing rdfs:subClassOf ex:Other . ex:Other rdfs:subClassOf ex:Thing . ex:S sh:targetClass ex:Other ; sh:class ex:Thing ; sh:nodeKind sh:IRI ."),
		shape("an unknown parameter", "ex:S a sh:NodeShape ; sh:targetNode ex:x ; sh:unknown 1 ; sh:minCount 1 ."), shape("all of the data", "ex:S sh:targetSubjectsOf ex:p, ex:a, ex:b ; sh:closed true ."),
		large("twice the next, again and again", func() string {
			return "ex:s0 sh:targetClass ex:Thing .\n" + repeat(30, "ex:s%[1]d sh:or ( ex:t%[1]d ex:u%[1]d ) . ex:t%[1]d sh:node ex:s%[1]dx . ex:u%[1]d sh:node ex:s%[1]dx .\n") + chainOfShapes(28)
		}),
		large("many shapes within each other", func() string { return "ex:s0 sh:targetClass ex:Thing .\n" + nested(500) }),
		large("many members", func() string {
			return "ex:S sh:targetClass ex:Thing ; sh:or ( " + strings.Repeat("[ sh:nodeKind sh:Literal ] ", 900) + ") ."
		}),
		large("many values", func() string {
			return "ex:S sh:targetNode " + repeat(2_000, "ex:n%d, ") + "ex:x ; sh:in ( " + repeat(900, "%d ") + ") ."
		}),
		large("many patterns", func() string {
			return "ex:S sh:targetClass ex:Thing .\n" + repeat(1_500, "ex:S sh:property [ sh:path ex:p%[1]d ; sh:pattern \"\\\\p{L}{1,90}%[1]d\" ] .\n")
		}),
		large("one list without an end, of many shapes", func() string {
			return "ex:S sh:targetClass ex:Thing .\n" + repeat(1_500, "_:l%[1]d rdf:first ex:p ; rdf:rest _:l%[1]dx . _:l%[1]dx rdf:first ex:p ; rdf:rest _:end .\n") +
				"_:end rdf:first ex:p ; rdf:rest ( " + strings.Repeat("ex:p ", 900) + ") .\n" + repeat(1_500, "ex:S%[1]d sh:path _:l%[1]d ; sh:in _:l%[1]d ; sh:or _:l0 .\n")
		}),
		large("one list of many closed shapes", func() string {
			return "ex:l0 rdf:first ex:p ; rdf:rest ( " + strings.Repeat("ex:p ", 900) + ") .\n" + repeat(3_000, "ex:S%[1]d sh:targetClass ex:Thing ; sh:closed true ; sh:ignoredProperties ex:l0 .\n")
		}),
		large("a path of lists that share their parts", func() string {
			iri := "<http://e/" + strings.Repeat("p", 100) + ">"
			var b strings.Builder
			fmt.Fprintf(&b, "_:p0 rdf:first %s ; rdf:rest ( %[1]s ) .\n", iri)
			for i := 1; i < 11; i++ {
				fmt.Fprintf(&b, "_:p%d rdf:first _:p%d ; rdf:rest ( _:p%[2]d ) .\n", i, i-1)
			}
			return b.String() + "ex:S sh:targetNode " + repeat(100, "ex:n%d, ") + "ex:x ; sh:property [ sh:path _:p10 ; sh:minCount 1 ; sh:message \"" + strings.Repeat("m", 60_000) + "\" ] .\n"
		}),
		large("classes of the same escapes", func() string {
			class := "[^" + strings.Repeat(`\\P{L}\\p{Lu}`, 2_000) + "]"
			return "ex:S sh:targetClass ex:Thing .\n" + repeat(12, "ex:S sh:property [ sh:path ex:p%[1]d ; sh:pattern \""+class+"%[1]d\" ] .\n")
		}),
		large("long patterns", func() string {
			return "ex:S sh:targetClass ex:Thing .\n" + repeat(50, "ex:S sh:property [ sh:path ex:p%[1]d ; sh:pattern \"^("+strings.Repeat("[a-z-[aeiou]]|", 250)+"%[1]d)$\" ] .\n")
		}),
		large("stars of stars", func() string {
			return "ex:S sh:targetClass ex:Thing ; sh:property [ sh:path " + strings.Repeat("[ sh:zeroOrMorePath ", 25) + "ex:b" + strings.Repeat(" ]", 25) + " ; sh:minCount 1 ] ."
		}),
		large("alternatives of alternatives", func() string {
			return "ex:S sh:targetClass ex:Thing ; sh:property [ sh:path " + strings.Repeat("( ex:a [ sh:alternativePath ( ex:b ", 12) + "ex:c" + strings.Repeat(" ) ] )", 12) + " ; sh:minCount 1 ] ."
		}),
		large("a dense graph and a star", func() string {
			var b strings.Builder
			b.WriteString("ex:S sh:targetSubjectsOf ex:to ; sh:property [ sh:path [ sh:oneOrMorePath ex:to ] ; sh:maxCount 0 ] .\n")
			for i := range 90 {
				for j := range 90 {
					fmt.Fprintf(&b, "ex:n%d ex:to ex:n%d .\n", i, j)
				}
			}
			return b.String()
		}),
		large("a long path to a value of many triples, for many results", func() string {
			return longPath(11) + "ex:S sh:targetNode ex:x ; sh:node ex:N . ex:N sh:property ex:T . ex:T sh:path _:p0 ; sh:class " + repeat(100, "ex:c%d, ") + "ex:c .\n" +
				repeat(100, "ex:S sh:node ex:N%[1]d . ex:N%[1]d sh:property ex:T .\n") + repeat(256, "ex:y%d ex:p ex:v .\n") + "ex:x ex:p ex:v .\n"
		}),
		large("long paths beside a closed shape", func() string {
			return longPath(11) + "ex:S sh:targetNode ex:x ; sh:closed true .\n" + repeat(3_000, "ex:S sh:property ex:T%[1]d . ex:T%[1]d sh:path _:p0 .\n") + repeat(100, "ex:x ex:q%d 1 .\n")
		}),
		large("many subclasses of what many shapes target", func() string {
			return repeat(4_000, "ex:S%[1]d sh:targetClass ex:C . ex:k%[1]d rdfs:subClassOf ex:C .\n") + "ex:x a ex:D .\n"
		}),
		large("unique languages of many", func() string {
			return "ex:S sh:targetNode ex:x ; sh:property [ sh:path ex:l ; sh:uniqueLang true ; sh:lessThan ex:l ] .\nex:x ex:l " + repeat(3_000, `"%d"@en, `) + "1 ."
		}),
	}
}

// chainOfShapes is shapes of which each refers to the next one twice.
func chainOfShapes(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "ex:c%[1]d sh:and ( ex:c%[2]d [ sh:node ex:c%[2]d ] ) ; sh:or ( ex:c%[2]d ex:c%[2]d ) .\n", i, i+1)
	}
	return b.String() + fmt.Sprintf("ex:c%d sh:nodeKind sh:Literal . ex:c0 sh:targetNode ex:x .\n", n)
}

// longPath is a path of two to the power of n parts, which share them: _:p0.
func longPath(n int) string {
	var b strings.Builder
	for i := range n {
		next := fmt.Sprintf("_:p%d", i+1)
		if i == n-1 {
			next = "ex:p"
		}
		fmt.Fprintf(&b, "_:p%d sh:alternativePath ( %s %s ) .\n", i, next, next)
	}
	return b.String()
}

func nested(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "ex:s%d sh:node ex:s%d .\n", i, i+1)
	}
	return b.String()
}

// hostilePatterns are regular expressions.
func hostilePatterns() []hostileInput {
	var all []hostileInput
	for _, p := range []string{
		"(a+)+$", "(a|a)*b", "(a*)*b", "(.*)*x", "(a|aa)+$", `(\w+\s?)*$`, "a{1000}{1000}", "(a{500}){500}", "((a{10}){10}){10}", "a{99999999999999999999}", "a{2,1}", "[z-a]", `(a)\1`, "(?=a)", "(?i)a", "(?<n>a)", `\b`, "(", ")", "[", "]", "*", "a**",
		`\p{Unknown}`, `\p{IsBasicLatin}+`, `[\p{L}-[\p{Lu}-[A-Z]]]`, `\x41`, `\u0041`, `\Q`, "[a-z-[aeiou", "\u202e", "\x00", "\xff", "^^^^$$$$", "|||||", `[\i-[:]][\c-[:]]*`, `\p{L}{900}\p{N}{900}`,
	} {
		all = append(all, text(aPattern, fmt.Sprintf("%q", p), p))
	}
	return append(all,
		made(aPattern, "groups within groups", func() string { return strings.Repeat("(", 2_000) + strings.Repeat(")", 2_000) }),
		made(aPattern, "classes within classes", func() string { return strings.Repeat("[a-z-", 800) + strings.Repeat("]", 800) }),
		made(aPattern, "a class of the same escapes", func() string { return "[^" + strings.Repeat(`\P{L}\p{Lu}`, 5_000) + "]" }),
		made(aPattern, "subtractions that leave nothing", times(`[\p{L}-[\p{L}]]`, 500)),
		made(aPattern, "all characters again and again", func() string { return "[" + strings.Repeat("!-\u2fff", 8_000) + "]" }),
		made(aPattern, "many alternatives", func() string { return strings.Repeat("a|", 2_000) + "b" }),
		made(aPattern, "many classes", times(`\p{L}`, 800)), made(aPattern, "many options", func() string { return strings.Repeat("a?", 1_000) + strings.Repeat("a", 1_000) }),
	)
}

const policyPrefixes = "@prefix odrl: <http://www.w3.org/ns/odrl/2/> . @prefix odrld: <https://w3id.org/jeswr/odrl-delegation#> . @prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> . @prefix ex: <http://example.org/> .\n"

// hostilePolicies refer to themselves, grow, and say what nobody understands.
func hostilePolicies() []hostileInput {
	policy := func(name, s string) hostileInput { return text(aPolicy, name, policyPrefixes+s) }
	large := func(name string, f func() string) hostileInput {
		return made(aPolicy, name, func() string { return policyPrefixes + f() })
	}
	const head = "ex:p a odrl:Set ; odrl:permission [ odrl:action odrl:read ; odrl:target <" + target + "> "
	return []hostileInput{
		policy("inherits from itself", "ex:p odrl:inheritFrom ex:p . "+head+"] ."), policy("inherits in a circle", head+"] . ex:p odrl:inheritFrom ex:q . ex:q a odrl:Set ; odrl:inheritFrom ex:p ."),
		policy("delegated under itself", "ex:p odrld:delegatedUnder ex:p . "+head+"] ."), policy("replaced by itself", "ex:p <http://purl.org/dc/terms/isReplacedBy> ex:p . "+head+"] ."),
		policy("a constraint of itself", head+"; odrl:constraint _:c ] . _:c odrl:and _:c ."), policy("a constraint that is a list of itself", head+"; odrl:constraint _:c ] . _:c odrl:or ( _:c _:c ) ."),
		policy("a list that is its own rest", head+"; odrl:constraint [ odrl:xone _:l ] ] . _:l rdf:first [] ; rdf:rest _:l ."), policy("a rule of itself", "ex:p a odrl:Set ; odrl:permission ex:p ; odrl:duty ex:p ; odrl:action odrl:use ."),
		policy("a duty of itself", head+"; odrl:duty _:d ] . _:d odrl:action odrl:inform ; odrl:consequence _:d ; odrl:duty _:d ."), policy("a permission and a prohibition", "ex:p a odrl:Set ; odrl:permission ex:r ; odrl:prohibition ex:r . ex:r odrl:action odrl:read ; odrl:target <"+target+"> ."),
		policy("two strategies", head+"] . ex:p odrl:conflict odrl:perm, odrl:prohibit ."), policy("an action of an action", "ex:p a odrl:Set ; odrl:permission [ odrl:action [ rdf:value _:a ; odrl:refinement _:a ] ; odrl:target <"+target+"> ] . _:a rdf:value _:a ."),
		policy("a target of itself", "ex:p a odrl:Set ; odrl:permission [ odrl:action odrl:read ; odrl:target _:t ] . _:t a odrl:AssetCollection ; odrl:partOf _:t ; odrl:refinement _:t ."),
		policy("an unknown operand", head+"; odrl:constraint [ odrl:leftOperand ex:mood ; odrl:operator odrl:eq ; odrl:rightOperand 1 ] ] ."), policy("two operators", head+"; odrl:constraint [ odrl:leftOperand odrl:count ; odrl:operator odrl:lt, odrl:gt ; odrl:rightOperand 1 ] ] ."),
		policy("a depth below nothing", head+"; odrl:constraint [ odrl:leftOperand odrld:delegationDepth ; odrl:operator odrl:lteq ; odrl:rightOperand -99999999999999999999 ] ] ."),
		policy("a far date", head+`; odrl:constraint [ odrl:leftOperand odrl:dateTime ; odrl:operator odrl:lt ; odrl:rightOperand "99999999999999999999-01-01T00:00:00Z"^^<http://www.w3.org/2001/XMLSchema#dateTime> ] ] .`),
		policy("two policies", head+"] . ex:q a odrl:Set ; odrl:permission [ odrl:action odrl:use ] ."), policy("a policy of every type", head+"] . ex:p a odrl:Agreement, odrl:Offer, odrl:Request, odrl:Ticket ."),
		policy("revocations of everything", "ex:r a odrld:Revocation ; odrld:revokedPolicy [], 1, ex:p ."), policy("a party that says what it is assigned", head+"] . ex:me odrl:assigneeOf ex:p ; odrl:hasPolicy ex:p ."),
		large("constraints within constraints", func() string {
			return head + "; odrl:constraint " + strings.Repeat("[ odrl:and ( ", 25) + "ex:c" + strings.Repeat(" ) ]", 25) + " ] ."
		}),
		large("twice the next, again and again", func() string {
			var b strings.Builder
			b.WriteString(head + "; odrl:constraint ex:c0 ] .\n")
			for i := range 60 {
				fmt.Fprintf(&b, "ex:c%d odrl:and ex:c%[2]d, ex:d%[2]d . ex:d%[1]d odrl:or ex:c%[2]d, ex:d%[2]d .\n", i, i+1)
			}
			return b.String()
		}),
		large("many rules", func() string {
			return "ex:p a odrl:Set .\n" + repeat(2_000, "ex:p odrl:permission ex:r%[1]d . ex:r%[1]d odrl:action odrl:read, odrl:use ; odrl:target ex:t%[1]d .\n")
		}),
		large("many targets of many actions", func() string {
			return "ex:p a odrl:Set ; odrl:permission ex:r . ex:r odrl:action " + repeat(300, "ex:a%d, ") + "odrl:read ; odrl:target " + repeat(300, "ex:t%d, ") + "ex:t ."
		}),
		large("many values", func() string {
			return head + "; odrl:constraint [ odrl:leftOperand odrl:count ; odrl:operator odrl:isAnyOf ; odrl:rightOperand " + repeat(3_000, "%d, ") + "1 ] ] ."
		}),
		large("one constraint of many rules", func() string {
			return "ex:p a odrl:Set .\n" + repeat(1_000, "ex:p odrl:permission [ odrl:action odrl:read ; odrl:target ex:t ; odrl:constraint ex:c ] . ex:c odrl:or ex:d%d .\n")
		}),
		large("inherits from many", func() string {
			return head + "] .\n" + repeat(500, "ex:p odrl:inheritFrom ex:q%[1]d . ex:q%[1]d a odrl:Set ; odrl:inheritFrom ex:q0, ex:q1, ex:q2 .\n")
		}),
	}
}

func gzipped(size int, fill byte, level int) []byte {
	var b bytes.Buffer
	z := must(gzip.NewWriterLevel(&b, level))
	block := bytes.Repeat([]byte{fill}, 1<<20)
	for size > 0 {
		n := must(z.Write(block[:min(size, len(block))]))
		size -= n
	}
	require1(z.Close())
	return b.Bytes()
}

// hostileLists are encoded status lists.
func hostileLists() []hostileInput {
	encode := func(b []byte) string { return "u" + base64.RawURLEncoding.EncodeToString(b) }
	refuse := func(name string, f func() string) hostileInput {
		h := made(aList, name, f)
		h.refused = true
		return h
	}
	good := func() []byte { return gzipped(16<<10, 0, gzip.BestCompression) }
	return []hostileInput{
		refuse("nothing", func() string { return "" }), refuse("u", func() string { return "u" }), refuse("no gzip", func() string { return encode([]byte("hello")) }), refuse("gzip of nothing", func() string { return encode(gzipped(0, 0, 9)) }),
		refuse("short", func() string { return encode(gzipped(16<<10-1, 0, 9)) }), refuse("a bomb of 17 MiB", func() string { return encode(gzipped(17<<20, 0, 9)) }), heavy(refuse("a bomb of 700 MiB", func() string { return encode(gzipped(700<<20, 0, 9)) })),
		refuse("two members", func() string { return encode(append(good(), good()...)) }), refuse("something behind", func() string { return encode(append(good(), 0)) }), refuse("cut", func() string { b := good(); return encode(b[:len(b)-9]) }),
		refuse("another checksum", func() string { b := good(); b[len(b)-6] ^= 1; return encode(b) }), refuse("another length", func() string { b := good(); b[len(b)-1] ^= 1; return encode(b) }), refuse("padded", func() string { return "u" + base64.URLEncoding.EncodeToString(append(good(), 0)) }),
		refuse("another alphabet", func() string { return "m" + base64.StdEncoding.EncodeToString(good()) }), refuse("no prefix", func() string { return base64.RawURLEncoding.EncodeToString(good()) }), refuse("white space", func() string { s := encode(good()); return s[:5] + "\n" + s[5:] }),
		refuse("stored, not packed", func() string { return encode(gzipped(2<<20, 7, gzip.NoCompression)) }), refuse("zlib", func() string { return encode([]byte("\x78\x9c\x63\x00\x00\x00\x01\x00\x01")) }), refuse("many characters", times("uA", 2<<20)),
	}
}
