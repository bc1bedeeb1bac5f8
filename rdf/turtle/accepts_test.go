package turtle_test

const (
	xsd  = "http://www.w3.org/2001/XMLSchema#"
	rdfs = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
)

// document is a row of the tables of accepted documents: what it says as
// N-Quads, blank nodes under any label.
type document struct{ name, doc, want string }

// accepts holds documents that cover every production of Turtle. TriG reads
// them with the same meaning.
var accepts = []document{
	// [1] turtleDoc, [2] statement, white space and comments
	{"empty document", "", ""},
	{"only space and comments", " \t\r\n# one\r# two\r\n# three", ""},
	{"byte order mark", "\uFEFF<a:s> <a:p> <a:o> .", "<a:s> <a:p> <a:o> .\n"},
	{"no space at all", "<a:s><a:p><a:o>.<a:s><a:p>'x'@en,'y'^^<a:t>.", "<a:s> <a:p> <a:o> .\n<a:s> <a:p> \"x\"@en .\n<a:s> <a:p> \"y\"^^<a:t> .\n"},
	{"comments between all tokens", "<a:s>#1\n<a:p>#2\r<a:o>#3\r\n,#4\n'x'#5\n@en#6\n;#7\n<a:q>#8\n(#9\n)#10\n.#11",
		"<a:s> <a:p> <a:o> .\n<a:s> <a:p> \"x\"@en .\n<a:s> <a:q> <" + rdfs + "nil> .\n"},
	{"comment in an anonymous blank node", "<a:s> <a:p> [ # none\n ] .", "<a:s> <a:p> _:b .\n"},
	{"two statements on a line", "<a:s> <a:p> <a:o> . <a:s> <a:p> <a:q> .", "<a:s> <a:p> <a:o> .\n<a:s> <a:p> <a:q> .\n"},
	{"duplicates are one", "<a:s> <a:p> <a:o> , <a:o> .", "<a:s> <a:p> <a:o> .\n"},

	// [3] directive, [4] prefixID, [5] base, [5s] sparqlBase, [6s] sparqlPrefix
	{"@prefix", "@prefix e: <a:> . e:s e:p e:o .", "<a:s> <a:p> <a:o> .\n"},
	{"@prefix without space", "@prefix e:<a:>.e:s e:p e:o.", "<a:s> <a:p> <a:o> .\n"},
	{"@prefix of no name", "@prefix : <a:> . :s :p :o .", "<a:s> <a:p> <a:o> .\n"},
	{"@prefix of no name without space", "@prefix:<a:>.:s<a:p>:o.", "<a:s> <a:p> <a:o> .\n"},
	{"PREFIX in any case", "PREFIX e: <a:>\nprefix f: <b:>\npReFiX g: <c:> e:s f:p g:o .", "<a:s> <b:p> <c:o> .\n"},
	{"prefix declared again", "@prefix e: <a:> . e:s e:p e:o . @prefix e: <b:> . e:s e:p e:o . @prefix e: <b:> . e:s e:p e:q .",
		"<a:s> <a:p> <a:o> .\n<b:s> <b:p> <b:o> .\n<b:s> <b:p> <b:q> .\n"},
	{"prefix named like a keyword", "@prefix prefix: <a:> . @prefix a: <b:> . @prefix true: <c:> . @prefix BASE: <d:> . @prefix graph: <e:> . prefix:s a:a true:o . BASE:s a:a false . graph:s a:a true .",
		"<a:s> <b:a> <c:o> .\n<d:s> <b:a> \"false\"^^<" + xsd + "boolean> .\n<e:s> <b:a> \"true\"^^<" + xsd + "boolean> .\n"},
	{"prefix with dots and more", "@prefix a.b-c_1·: <a:> . a.b-c_1·:s a.b-c_1·:p a.b-c_1·:o .", "<a:s> <a:p> <a:o> .\n"},
	{"prefix beyond ASCII", "@prefix é: <a:> . @prefix 𝒳: <b:> . é:s é:p 𝒳:o .", "<a:s> <a:p> <b:o> .\n"},
	{"prefix of U+FEFF", "@prefix \uFEFFe: <a:> . \uFEFFe:s \uFEFFe:p \uFEFFe:o .", "<a:s> <a:p> <a:o> .\n"},
	{"prefix that ends in the middle of a word", "@prefix e: <a:x> . e:s e: e:y .", "<a:xs> <a:x> <a:xy> .\n"},
	{"many prefixes", "@prefix a: <a:a> . @prefix b: <a:b> . @prefix c: <a:c> . @prefix d: <a:d> . @prefix ac: <a:e> . @prefix abc: <a:f> . @prefix adc: <a:g> . " +
		"a:1 b:1 c:1 . d:1 ac:1 abc:1 . adc:1 a:1 b:1 . abc:1 ac:1 adc:1 .",
		"<a:a1> <a:b1> <a:c1> .\n<a:d1> <a:e1> <a:f1> .\n<a:g1> <a:a1> <a:b1> .\n<a:f1> <a:e1> <a:g1> .\n"},
	{"@base", "@base <http://h/d/f?q> . <> <g> <#x> . <?y> </z> <//i> .", "<http://h/d/f?q> <http://h/d/g> <http://h/d/f?q#x> .\n<http://h/d/f?y> <http://h/z> <http://i> .\n"},
	{"BASE in any case, relative to the one before", "BASE <http://h/d/>\nbase <e/f>\nBaSe<g/> <s> <p> <../o> .", "<http://h/d/e/g/s> <http://h/d/e/g/p> <http://h/d/e/o> .\n"},
	{"base changes what a reference means", "@base <http://h/> . <s> <p> <o> . @base <http://i/> . <s> <p> <o> .", "<http://h/s> <http://h/p> <http://h/o> .\n<http://i/s> <http://i/p> <http://i/o> .\n"},
	{"prefix relative to a base", "@base <http://h/d/> . @prefix e: <e#> . @base <http://i/> . e:s e:p e:o .", "<http://h/d/e#s> <http://h/d/e#p> <http://h/d/e#o> .\n"},
	{"prefix with escapes", `@prefix e: <a:\u0062> . e:s e:p e:o .`, "<a:bs> <a:bp> <a:bo> .\n"},

	// [6] triples, [7] predicateObjectList, [8] objectList, [9] verb
	{"object list", "<a:s> <a:p> <a:1>,<a:2> , <a:3> .", "<a:s> <a:p> <a:1> .\n<a:s> <a:p> <a:2> .\n<a:s> <a:p> <a:3> .\n"},
	{"predicate list", "<a:s> <a:p> <a:1> ; <a:q> <a:2> .", "<a:s> <a:p> <a:1> .\n<a:s> <a:q> <a:2> .\n"},
	{"empty parts of a predicate list", "<a:s> <a:p> <a:1> ;; ; <a:q> <a:2> ;;; .", "<a:s> <a:p> <a:1> .\n<a:s> <a:q> <a:2> .\n"},
	{"the word a", "<a:s> a <a:C> ; a<a:D> , <a:E> . <a:s> a[] .", "<a:s> <" + rdfs + "type> <a:C> .\n<a:s> <" + rdfs + "type> <a:D> .\n<a:s> <" + rdfs + "type> <a:E> .\n<a:s> <" + rdfs + "type> _:b .\n"},
	{"the prefix a", "@prefix a: <b:> . @prefix a.b: <c:> . <a:s> a:p a:o ; a.b:p a.b:o .", "<a:s> <b:p> <b:o> .\n<a:s> <c:p> <c:o> .\n"},

	// [14] blankNodePropertyList, [137s] BlankNode, [141s] BLANK_NODE_LABEL, [162s] ANON
	{"labels", "_:a <a:p> _:b . _:b <a:p> _:a .", "_:x <a:p> _:y .\n_:y <a:p> _:x .\n"},
	{"labels of all kinds", "_:1 <a:p> _:_ . _:a.b-c <a:p> _:é·‿ . _:1 <a:q> _:a.b-c .", "_:1 <a:p> _:2 .\n_:3 <a:p> _:4 .\n_:1 <a:q> _:3 .\n"},
	{"label before the final dot", "_:a <a:p> _:a.", "_:x <a:p> _:x .\n"},
	{"label before a name of no prefix", "@prefix : <b:> . _:a:p _:b, _:a.", "_:x <b:p> _:y .\n_:x <b:p> _:x .\n"},
	{"anonymous subject and object", "[] <a:p> [ ] . [\n] <a:p> [\t] .", "_:a <a:p> _:b .\n_:c <a:p> _:d .\n"},
	{"property list as object", "<a:s> <a:p> [ <a:q> <a:1> , <a:2> ; <a:r> <a:3> ] ; <a:t> <a:4> .",
		"<a:s> <a:p> _:b .\n_:b <a:q> <a:1> .\n_:b <a:q> <a:2> .\n_:b <a:r> <a:3> .\n<a:s> <a:t> <a:4> .\n"},
	{"property list in property lists", "<a:s> <a:p> [ <a:p> [ <a:p> [ <a:p> <a:o> ; ] ; ] ; ] .", "<a:s> <a:p> _:a .\n_:a <a:p> _:b .\n_:b <a:p> _:c .\n_:c <a:p> <a:o> .\n"},
	{"property list as subject", "[ <a:p> <a:o> ] <a:q> <a:r> ; <a:t> <a:u> .", "_:a <a:p> <a:o> .\n_:a <a:q> <a:r> .\n_:a <a:t> <a:u> .\n"},
	{"property list alone", "[ <a:p> <a:o> ] . [<a:p> <a:q>;;].", "_:a <a:p> <a:o> .\n_:b <a:p> <a:q> .\n"},
	{"property lists in one alone", "[ <a:p> [ <a:p> [] ] , [] ] .", "_:a <a:p> _:b .\n_:b <a:p> _:c .\n_:a <a:p> _:d .\n"},

	// [15] collection
	{"empty collection", "<a:s> <a:p> () . () <a:p> ( ) .", "<a:s> <a:p> <" + rdfs + "nil> .\n<" + rdfs + "nil> <a:p> <" + rdfs + "nil> .\n"},
	{"collection as object", "<a:s> <a:p> (<a:1>'x'_:l 1 true[]) .",
		"<a:s> <a:p> _:a .\n_:a <" + rdfs + "first> <a:1> .\n_:a <" + rdfs + "rest> _:b .\n_:b <" + rdfs + "first> \"x\" .\n_:b <" + rdfs + "rest> _:c .\n" +
			"_:c <" + rdfs + "first> _:l .\n_:c <" + rdfs + "rest> _:d .\n_:d <" + rdfs + "first> \"1\"^^<" + xsd + "integer> .\n_:d <" + rdfs + "rest> _:e .\n" +
			"_:e <" + rdfs + "first> \"true\"^^<" + xsd + "boolean> .\n_:e <" + rdfs + "rest> _:f .\n_:f <" + rdfs + "first> _:g .\n_:f <" + rdfs + "rest> <" + rdfs + "nil> .\n"},
	{"collection as subject", "( <a:1> ) <a:p> <a:o> ; <a:q> ( <a:2> ) .",
		"_:a <" + rdfs + "first> <a:1> .\n_:a <" + rdfs + "rest> <" + rdfs + "nil> .\n_:a <a:p> <a:o> .\n_:a <a:q> _:b .\n_:b <" + rdfs + "first> <a:2> .\n_:b <" + rdfs + "rest> <" + rdfs + "nil> .\n"},
	{"collections in collections", "<a:s> <a:p> ( ( ) ( ( <a:1> ) ) ) .",
		"<a:s> <a:p> _:a .\n_:a <" + rdfs + "first> <" + rdfs + "nil> .\n_:a <" + rdfs + "rest> _:b .\n_:b <" + rdfs + "first> _:c .\n_:b <" + rdfs + "rest> <" + rdfs + "nil> .\n" +
			"_:c <" + rdfs + "first> _:d .\n_:c <" + rdfs + "rest> <" + rdfs + "nil> .\n_:d <" + rdfs + "first> <a:1> .\n_:d <" + rdfs + "rest> <" + rdfs + "nil> .\n"},
	{"property lists and collections in each other", "( [ <a:p> ( <a:1> ) ] ) <a:p> [ <a:q> ( [ <a:r> () ] ) ] .",
		"_:a <" + rdfs + "first> _:b .\n_:a <" + rdfs + "rest> <" + rdfs + "nil> .\n_:b <a:p> _:c .\n_:c <" + rdfs + "first> <a:1> .\n_:c <" + rdfs + "rest> <" + rdfs + "nil> .\n" +
			"_:a <a:p> _:d .\n_:d <a:q> _:e .\n_:e <" + rdfs + "first> _:f .\n_:e <" + rdfs + "rest> <" + rdfs + "nil> .\n_:f <a:r> <" + rdfs + "nil> .\n"},
	{"signs divide numbers in a collection", "<a:s> <a:p> (1-2+3.5.5) .",
		"<a:s> <a:p> _:a .\n_:a <" + rdfs + "first> \"1\"^^<" + xsd + "integer> .\n_:a <" + rdfs + "rest> _:b .\n_:b <" + rdfs + "first> \"-2\"^^<" + xsd + "integer> .\n_:b <" + rdfs + "rest> _:c .\n" +
			"_:c <" + rdfs + "first> \"+3.5\"^^<" + xsd + "decimal> .\n_:c <" + rdfs + "rest> _:d .\n_:d <" + rdfs + "first> \".5\"^^<" + xsd + "decimal> .\n_:d <" + rdfs + "rest> <" + rdfs + "nil> .\n"},

	// [16] NumericLiteral, [19] INTEGER, [20] DECIMAL, [21] DOUBLE, [133s] BooleanLiteral
	{"integers", "<a:s> <a:p> 0, +1, -1, 007, 12345678901234567890123 .",
		"<a:s> <a:p> \"0\"^^<" + xsd + "integer> .\n<a:s> <a:p> \"+1\"^^<" + xsd + "integer> .\n<a:s> <a:p> \"-1\"^^<" + xsd + "integer> .\n<a:s> <a:p> \"007\"^^<" + xsd + "integer> .\n<a:s> <a:p> \"12345678901234567890123\"^^<" + xsd + "integer> .\n"},
	{"integer before the final dot", "<a:s> <a:p> 1.", "<a:s> <a:p> \"1\"^^<" + xsd + "integer> .\n"},
	{"integer before the final dot and a word", "@prefix e: <a:> . <a:s> <a:p> 1.e:s <a:p> 2.e:s <a:q> 3.",
		"<a:s> <a:p> \"1\"^^<" + xsd + "integer> .\n<a:s> <a:p> \"2\"^^<" + xsd + "integer> .\n<a:s> <a:q> \"3\"^^<" + xsd + "integer> .\n"},
	{"decimals", "<a:s> <a:p> 1.0, +.5, -0.50, 1.5.", "<a:s> <a:p> \"1.0\"^^<" + xsd + "decimal> .\n<a:s> <a:p> \"+.5\"^^<" + xsd + "decimal> .\n<a:s> <a:p> \"-0.50\"^^<" + xsd + "decimal> .\n<a:s> <a:p> \"1.5\"^^<" + xsd + "decimal> .\n"},
	{"doubles", "<a:s> <a:p> 1e0, 1.E+1, .5e-3, -1.5E10, +0e0.", "<a:s> <a:p> \"1e0\"^^<" + xsd + "double> .\n<a:s> <a:p> \"1.E+1\"^^<" + xsd + "double> .\n<a:s> <a:p> \".5e-3\"^^<" + xsd + "double> .\n<a:s> <a:p> \"-1.5E10\"^^<" + xsd + "double> .\n<a:s> <a:p> \"+0e0\"^^<" + xsd + "double> .\n"},
	{"booleans", "<a:s> <a:p> true, false ; <a:q> true.", "<a:s> <a:p> \"true\"^^<" + xsd + "boolean> .\n<a:s> <a:p> \"false\"^^<" + xsd + "boolean> .\n<a:s> <a:q> \"true\"^^<" + xsd + "boolean> .\n"},

	// [128s] RDFLiteral, [17] String, [22] to [25], [26] UCHAR, [144s] LANGTAG, [159s] ECHAR
	{"four kinds of quotes", `<a:s> <a:p> "a", 'b', """c""", '''d''' .`, "<a:s> <a:p> \"a\" .\n<a:s> <a:p> \"b\" .\n<a:s> <a:p> \"c\" .\n<a:s> <a:p> \"d\" .\n"},
	{"empty literals", `<a:s> <a:p> "" ; <a:q> '' ; <a:r> """""" ; <a:t> '''''' .`, "<a:s> <a:p> \"\" .\n<a:s> <a:q> \"\" .\n<a:s> <a:r> \"\" .\n<a:s> <a:t> \"\" .\n"},
	{"the other quote", `<a:s> <a:p> "it's", 'say "x"' .`, "<a:s> <a:p> \"it's\" .\n<a:s> <a:p> \"say \\\"x\\\"\" .\n"},
	{"quotes in long quotes", `<a:s> <a:p> """a"b""c'''""", ''''x''y''' .`, "<a:s> <a:p> \"a\\\"b\\\"\\\"c'''\" .\n<a:s> <a:p> \"'x''y\" .\n"},
	{"line ends in long quotes", "<a:s> <a:p> \"\"\"a\r\nb\rc\nd\"\"\" .", "<a:s> <a:p> \"a\\r\\nb\\rc\\nd\" .\n"},
	{"escapes", `<a:s> <a:p> "\t\b\n\r\f\"\'\\\u0041\U0001F600", '\t\b\n\r\f\"\'\\\u0041\U0001F600', """\t\b\n\r\f\"\'\\\u0041\U0001F600""" .`,
		"<a:s> <a:p> \"\\t\\b\\n\\r\\f\\\"'\\\\A😀\" .\n"},
	{"escaped quote at the end of long quotes", `<a:s> <a:p> """a\"""" .`, "<a:s> <a:p> \"a\\\"\" .\n"},
	{"escape after text in long quotes", `<a:s> <a:p> """abcdefghijk\u0041lmnopqrstuvwxyz"""@en .`, "<a:s> <a:p> \"abcdefghijkAlmnopqrstuvwxyz\"@en .\n"},
	{"controls", "<a:s> <a:p> \"\x00\x01\t\x0b\x7f\", '''\\u0000\x01\\u0009\x0b\x7f''' .", "<a:s> <a:p> \"\\u0000\\u0001\\t\\u000B\\u007F\" .\n"},
	{"language tags as written", `<a:s> <a:p> "x"@en-GB-1996 , "x"@EN, """x"""@x-1.`, "<a:s> <a:p> \"x\"@en-GB-1996 .\n<a:s> <a:p> \"x\"@EN .\n<a:s> <a:p> \"x\"@x-1 .\n"},
	{"datatypes", `@prefix e: <a:> . <a:s> <a:p> "1"^^<a:t>, "2"^^e:t, "3" ^^ e:t, '\u0034'^^<a:\u0074> .`, "<a:s> <a:p> \"1\"^^<a:t> .\n<a:s> <a:p> \"2\"^^<a:t> .\n<a:s> <a:p> \"3\"^^<a:t> .\n<a:s> <a:p> \"4\"^^<a:t> .\n"},
	{"datatype that is relative", `@base <http://h/> . <s> <p> "\u0034"^^<t> .`, "<http://h/s> <http://h/p> \"4\"^^<http://h/t> .\n"},
	{"xsd:string is the default", `@prefix x: <` + xsd + `> . <a:s> <a:p> "1"^^x:string, "1" .`, "<a:s> <a:p> \"1\" .\n"},
	{"ill-typed literals are kept", `@prefix x: <` + xsd + `> . <a:s> <a:p> "x"^^x:integer .`, "<a:s> <a:p> \"x\"^^<" + xsd + "integer> .\n"},

	// [135s] iri, [18] IRIREF, [136s] PrefixedName, [139s] to [140s], [166s] to [172s]
	{"IRI with escapes", `<a:\u0073> <a:\U00000070> <a:\u00E9\U0001F600> .`, "<a:s> <a:p> <a:é😀> .\n"},
	{"IRI kept as it is spelt", "<A:b/../c%2f> <a:p> <http://h/a/../b/./c> .", "<A:b/../c%2f> <a:p> <http://h/a/../b/./c> .\n"},
	{"IRI with characters that names exclude", "<a:–> <a:!$&'()*+,;=/?#@%> <a:😀> .", "<a:–> <a:!$&'()*+,;=/?#@%> <a:😀> .\n"},
	{"names without a local part", "@prefix e: <a:> . e: e: e: .", "<a:> <a:> <a:> .\n"},
	{"names without a local part before punctuation", "@prefix e: <a:> . e: e: e:,e:;e: e:.", "<a:> <a:> <a:> .\n"},
	{"dots in names", "@prefix e: <a:> . e:a.b e:c..d e:e.f.", "<a:a.b> <a:c..d> <a:e.f> .\n"},
	{"digits, hyphens and colons in names", "@prefix e: <a:> . e:1-2 e::x: e:a:b .", "<a:1-2> <a::x:> <a:a:b> .\n"},
	{"keywords against what is no name", "@prefix true.5.x: <b:> . @prefix e: <a:> . <a:s> <a:p> true. true.5.x:s <a:p> false . <a:t> <a:p> (true.5true-1 true.5.x:o e:) .",
		"<a:s> <a:p> \"true\"^^<" + xsd + "boolean> .\n<b:s> <a:p> \"false\"^^<" + xsd + "boolean> .\n" +
			"<a:t> <a:p> _:a .\n_:a <" + rdfs + "first> \"true\"^^<" + xsd + "boolean> .\n_:a <" + rdfs + "rest> _:b .\n_:b <" + rdfs + "first> \".5\"^^<" + xsd + "decimal> .\n_:b <" + rdfs + "rest> _:c .\n" +
			"_:c <" + rdfs + "first> \"true\"^^<" + xsd + "boolean> .\n_:c <" + rdfs + "rest> _:d .\n_:d <" + rdfs + "first> \"-1\"^^<" + xsd + "integer> .\n_:d <" + rdfs + "rest> _:e .\n" +
			"_:e <" + rdfs + "first> <b:o> .\n_:e <" + rdfs + "rest> _:f .\n_:f <" + rdfs + "first> <a:> .\n_:f <" + rdfs + "rest> <" + rdfs + "nil> .\n"},
	{"name that a hyphen cannot begin", "@prefix e: <a:> . <a:s> <a:p> (e:-1) .", "<a:s> <a:p> _:a .\n_:a <" + rdfs + "first> <a:> .\n_:a <" + rdfs + "rest> _:b .\n_:b <" + rdfs + "first> \"-1\"^^<" + xsd + "integer> .\n_:b <" + rdfs + "rest> <" + rdfs + "nil> .\n"},
	{"names beyond ASCII", "@prefix e: <a:> . e:é e:a·‿ e:𝒳.é .", "<a:é> <a:a·‿> <a:𝒳.é> .\n"},
	{"name beyond ASCII before the final dot", "@prefix e: <a:> . e:é e:é e:é.", "<a:é> <a:é> <a:é> .\n"},
	{"percent in names is kept", "@prefix e: <a:> . e:%20 e:a%2Fb e:%41.", "<a:%20> <a:a%2Fb> <a:%41> .\n"},
	{"escapes in names", `@prefix e: <a:> . e:\_\~\.\-\!\$\&\'\(\) e:\*\+\,\;\=\/\?\#\@\% e:a\,b.`, "<a:_~.-!$&'()> <a:*+,;=/?#@%> <a:a,b> .\n"},
	{"escaped dot at the end of a name", `@prefix e: <a:> . e:s e:p e:a\..`, "<a:s> <a:p> <a:a.> .\n"},
	{"keywords before names", "@prefix e: <a:> . e:s a e:true , e:a ; e:false e:prefix .", "<a:s> <" + rdfs + "type> <a:true> .\n<a:s> <" + rdfs + "type> <a:a> .\n<a:s> <a:false> <a:prefix> .\n"},
}

// trigOnly holds documents that cover the productions that TriG adds. Turtle
// refuses them.
var trigOnly = []document{
	// [2g] block, [3g] triplesOrGraph, [4g] triples2, [5g] wrappedGraph, [6g] triplesBlock, [7g] labelOrSubject
	{"default graph in braces", "{ <a:s> <a:p> <a:o> }", "<a:s> <a:p> <a:o> .\n"},
	{"empty graphs", "{} { } <a:g> {} GRAPH <a:g> { # none\n }", ""},
	{"graph", "<a:g> { <a:s> <a:p> <a:o> }", "<a:s> <a:p> <a:o> <a:g> .\n"},
	{"graph without space", "<a:g>{<a:s><a:p><a:o>}<a:g>{<a:s><a:p><a:q>.}", "<a:s> <a:p> <a:o> <a:g> .\n<a:s> <a:p> <a:q> <a:g> .\n"},
	{"dots in a graph", "<a:g> { <a:s> <a:p> <a:1> . <a:s> <a:p> <a:2> . } <a:h> { <a:s> <a:p> <a:1> . <a:s> <a:p> <a:2> }",
		"<a:s> <a:p> <a:1> <a:g> .\n<a:s> <a:p> <a:2> <a:g> .\n<a:s> <a:p> <a:1> <a:h> .\n<a:s> <a:p> <a:2> <a:h> .\n"},
	{"GRAPH in any case", "GRAPH <a:g> { <a:s> <a:p> <a:o> } graph<a:h>{ <a:s> <a:p> <a:o> } GrApH _:g { <a:s> <a:p> <a:o> }",
		"<a:s> <a:p> <a:o> <a:g> .\n<a:s> <a:p> <a:o> <a:h> .\n<a:s> <a:p> <a:o> _:b .\n"},
	{"graph named by a name", "@prefix e: <a:> . e:g { e:s e:p e:o } e: { e:s e:p e:o } GRAPH e:h { e:s e:p e:o }", "<a:s> <a:p> <a:o> <a:g> .\n<a:s> <a:p> <a:o> <a:> .\n<a:s> <a:p> <a:o> <a:h> .\n"},
	{"graphs named by blank nodes", "_:g { _:g <a:p> _:g } [] { <a:s> <a:p> _:g } GRAPH [ ] { <a:s> <a:p> <a:o> }", "_:g <a:p> _:g _:g .\n<a:s> <a:p> _:g _:h .\n<a:s> <a:p> <a:o> _:i .\n"},
	{"a label is one node in all graphs", "<a:g> { _:n <a:p> <a:o> } <a:h> { _:n <a:p> <a:o> } _:n <a:p> <a:o> .", "_:n <a:p> <a:o> <a:g> .\n_:n <a:p> <a:o> <a:h> .\n_:n <a:p> <a:o> .\n"},
	{"the same graph twice", "<a:g> { <a:s> <a:p> <a:1> } <a:g> { <a:s> <a:p> <a:2> }", "<a:s> <a:p> <a:1> <a:g> .\n<a:s> <a:p> <a:2> <a:g> .\n"},
	{"statements and graphs", "<a:s> <a:p> <a:1> . <a:g> { <a:s> <a:p> <a:2> } <a:s> <a:p> <a:3> .", "<a:s> <a:p> <a:1> .\n<a:s> <a:p> <a:2> <a:g> .\n<a:s> <a:p> <a:3> .\n"},
	{"directives between graphs", "PREFIX e: <a:> e:g { e:s e:p e:o } @prefix e: <b:> . e:g { e:s e:p e:o } @base <http://h/> . <g> { <s> <p> <o> }",
		"<a:s> <a:p> <a:o> <a:g> .\n<b:s> <b:p> <b:o> <b:g> .\n<http://h/s> <http://h/p> <http://h/o> <http://h/g> .\n"},
	{"nested nodes in graphs", "<a:g> { <a:s> <a:p> [ <a:q> ( <a:1> ) ] . [ <a:p> <a:o> ] . [ <a:p> <a:o> ] <a:q> [] . ( <a:1> ) <a:p> () . [] <a:p> <a:o> }",
		"<a:s> <a:p> _:a <a:g> .\n_:a <a:q> _:b <a:g> .\n_:b <" + rdfs + "first> <a:1> <a:g> .\n_:b <" + rdfs + "rest> <" + rdfs + "nil> <a:g> .\n_:c <a:p> <a:o> <a:g> .\n" +
			"_:d <a:p> <a:o> <a:g> .\n_:d <a:q> _:e <a:g> .\n_:f <" + rdfs + "first> <a:1> <a:g> .\n_:f <" + rdfs + "rest> <" + rdfs + "nil> <a:g> .\n_:f <a:p> <" + rdfs + "nil> <a:g> .\n_:h <a:p> <a:o> <a:g> .\n"},
	{"property list alone at the end of a graph", "<a:g> { [ <a:p> <a:o> ] } <a:h> { [ <a:p> <a:o> ] . }", "_:a <a:p> <a:o> <a:g> .\n_:b <a:p> <a:o> <a:h> .\n"},
	{"semicolons at the end of a graph", "<a:g> { <a:s> <a:p> <a:o> ; ; }", "<a:s> <a:p> <a:o> <a:g> .\n"},
	{"prefix graph", "@prefix graph: <a:> . graph:g { graph:s a graph:o }", "<a:s> <" + rdfs + "type> <a:o> <a:g> .\n"},
}
