package vectors_test

import (
	"strings"
)

// json is JSON of one meaning (section 1.1) and its canonical form (section 1.2).
func (m cardSuite) json() {
	add := func(name, base, title, clause, text string, expected object) {
		m.s.cases = append(m.s.cases, ownCase{
			name: "json-" + name, base: prefixed("json-", base), operation: "canonicalize-json", title: title, clause: clause,
			input: object{"json": "value.json"}, expected: expected, files: map[string]string{"value.json": text},
		})
	}
	good := func(name, title, clause, text, canonical string) {
		add(name, "", title, clause, text, object{"canonical": canonical})
	}
	bad := func(name, title, clause, text, code string) {
		add(name, "object", title, clause, text, object{"code": code})
	}
	good("object", "an object", "1.2", `{"b": 2, "a": [1, true, null, "x"]}`, `{"a":[1,true,null,"x"],"b":2}`)
	good("empty", "nothing in anything", "1.2", " { \"b\" : [ ] , \"a\" : { } } \r\n\t", `{"a":{},"b":[]}`)
	good("scalar", "a text alone", "1.2", `"x"`, `"x"`)
	good("nested", "members of members", "1.2", `{"z":{"b":1,"a":2},"a":[{"d":1,"c":2}]}`, `{"a":[{"c":2,"d":1}],"z":{"a":2,"b":1}}`)
	good("utf-16-order", "names in the order of UTF-16, which is neither that of UTF-8 nor of the characters", "1.2", `{"\ufb33":3,"\ue000":2,"\ud83d\ude00":1,"é":0}`, "{\"é\":0,\"\U0001F600\":1,\"\ue000\":2,\"\ufb33\":3}")
	good("utf-16-order-later", "names that differ in their order by UTF-16 after what they share", "1.2", `{"a\uffff":1,"a\ud800\udc00":2,"a":3}`, "{\"a\":3,\"a\U00010000\":2,\"a\uffff\":1}")
	good("utf-16-order-low", "names beyond the first plane that share their first half", "1.2", `{"\ud83d\ude01":1,"\ud83d\ude00":2,"\ud83c\udfff":3}`, "{\"\U0001F3FF\":3,\"\U0001F600\":2,\"\U0001F601\":1}")
	good("order-escaped", "names by what they mean, not by how they are spelt", "1.2", `{"\u0062":1,"a":2,"\u000a":3,"\"":4}`, `{"\n":3,"\"":4,"a":2,"b":1}`)
	good("order-digits", "names that are numbers, as texts", "1.2", `{"2":1,"10":2,"1":3}`, `{"1":3,"10":2,"2":1}`)
	good("order-below", "names of objects in a list, which keeps its order", "1.2", `[{"b":1,"a":2},{"a":1}]`, `[{"a":2,"b":1},{"a":1}]`)
	good("order-by-length", "a name before one that begins with it", "1.2", `{"ab":1,"a":2,"":3,"B":4}`, `{"":3,"B":4,"a":2,"ab":1}`)
	good("escapes", "escapes that the canonical form has", "1.2", `"\u0000\u0008\u0009\u000a\u000b\u000c\u000d\u001f\"\\"`, `"\u0000\b\t\n\u000b\f\r\u001f\"\\"`)
	good("no-escapes", "escapes that the canonical form has not", "1.2", `"\/\u007f\u0080\u2028\u2029\u003c\u003e\u0026\u00e9"`, "\"/\u007f\u0080\u2028\u2029<>&é\"")
	good("no-normalisation", "a letter with an accent as one character and as two", "1.2", `["\u00e9","e\u0301"]`, "[\"\u00e9\",\"e\u0301\"]")
	for _, row := range []struct{ name, text, canonical string }{
		{"zero", "-0", "0"}, {"zero-exponent", "0e-7", "0"}, {"one", "1.0", "1"}, {"trailing", "4.50", "4.5"}, {"hundred", "1e2", "100"}, {"million", "1000000.0", "1000000"},
		{"large", "1e20", "100000000000000000000"}, {"exponent", "1e21", "1e+21"}, {"exponent-digits", "1.5E+300", "1.5e+300"}, {"small", "0.000001", "0.000001"}, {"smaller", "0.0000001", "1e-7"},
		{"third", "0.1", "0.1"}, {"shortest", "0.30000000000000004", "0.30000000000000004"}, {"many-digits", "0.1000000000000000055511151231257827", "0.1"},
		{"greatest", "1.7976931348623157e308", "1.7976931348623157e+308"}, {"least", "5e-324", "5e-324"}, {"nearest-to-nothing", "1e-400", "0"}, {"beyond-53-bits", "9007199254740993", "9007199254740992"}, {"negative", "-1.50", "-1.5"},
		// Appendix B of RFC 8785.
		{"b-greatest-negative", "-1.7976931348623157e+308", "-1.7976931348623157e+308"}, {"b-53-bits-negative", "-9007199254740992", "-9007199254740992"}, {"b-2-to-68", "295147905179352830000", "295147905179352830000"},
		{"b-below-e23", "9.999999999999997e22", "9.999999999999997e+22"}, {"b-e23", "100000000000000000000000", "1e+23"}, {"b-above-e23", "1.0000000000000001e23", "1.0000000000000001e+23"},
		{"b-below-e21", "999999999999999700000", "999999999999999700000"}, {"b-just-below-e21", "999999999999999900000", "999999999999999900000"}, {"b-below-e-6", "9.999999999999997e-7", "9.999999999999997e-7"},
		{"b-thirds-1", "333333333.3333332", "333333333.3333332"}, {"b-thirds-2", "333333333.33333325", "333333333.33333325"}, {"b-thirds-3", "333333333.3333333", "333333333.3333333"}, {"b-thirds-4", "333333333.3333334", "333333333.3333334"}, {"b-thirds-5", "333333333.33333343", "333333333.33333343"},
		{"b-negative-small", "-0.0000033333333333333333", "-0.0000033333333333333333"}, {"b-to-even", "1424953923781206.2", "1424953923781206.2"},
		{"exponent-negative", "1E-2", "0.01"}, {"exponent-digits-before", "123.456e+5", "12345600"}, {"exponent-zeros", "1e0005", "100000"}, {"negative-zero-fraction", "-0.0e5", "0"}, {"halfway-up", "9007199254740995", "9007199254740996"},
	} {
		good("number-"+row.name, "the number "+row.text, "1.2", row.text, row.canonical)
	}
	good("depth", "64 levels", "J-6", strings.Repeat("[", 64)+strings.Repeat("]", 64), strings.Repeat("[", 64)+strings.Repeat("]", 64))
	add("too-deep", "depth", "65 levels", "J-6", strings.Repeat("[", 65)+strings.Repeat("]", 65), object{"code": "JSON_TOO_DEEP"})

	bad("duplicate", "a name twice", "J-2", `{"b": 2, "a": [1, true, null, "x"], "b": 2}`, "JSON_DUPLICATE_KEY")
	bad("duplicate-escaped", "a name twice, once as an escape", "J-2", `{"b": 2, "a": [1, true, null, "x"], "\u0062": 2}`, "JSON_DUPLICATE_KEY")
	bad("duplicate-below", "a name twice further down", "J-2", `{"b": 2, "a": [{"c": 1, "c": 2}, true, null, "x"]}`, "JSON_DUPLICATE_KEY")
	bad("bom", "a byte order mark", "J-1", "\xef\xbb\xbf"+`{"b": 2, "a": [1, true, null, "x"]}`, "JSON_SYNTAX")
	bad("two", "two values", "J-1", `{"b": 2, "a": [1, true, null, "x"]} {}`, "JSON_SYNTAX")
	bad("nothing", "no value", "J-1", " ", "JSON_SYNTAX")
	bad("cut", "cut before the end", "J-1", `{"b": 2, "a": [1, true, null, "x"]`, "JSON_SYNTAX")
	bad("comment", "a comment", "J-1", `{"b": 2, "a": [1, true, null, "x"]} // x`, "JSON_SYNTAX")
	bad("comma", "a comma before the end", "J-1", `{"b": 2, "a": [1, true, null, "x",]}`, "JSON_SYNTAX")
	bad("single-quotes", "other quotes", "J-1", `{'b': 2}`, "JSON_SYNTAX")
	bad("control", "a control character in a text", "J-1", "{\"b\": 2, \"a\": [1, true, null, \"x\n\"]}", "JSON_SYNTAX")
	bad("plus", "a number with a plus sign", "J-1", `{"b": +2, "a": [1, true, null, "x"]}`, "JSON_SYNTAX")
	bad("leading-zero", "a number with a zero in front", "J-1", `{"b": 02, "a": [1, true, null, "x"]}`, "JSON_SYNTAX")
	bad("point", "a number that ends with its point", "J-1", `{"b": 2., "a": [1, true, null, "x"]}`, "JSON_SYNTAX")
	bad("not-a-number", "NaN", "J-1", `{"b": NaN, "a": [1, true, null, "x"]}`, "JSON_SYNTAX")
	bad("space", "a space that is none of JSON", "J-1", "{\"b\":\u00a02, \"a\": [1, true, null, \"x\"]}", "JSON_SYNTAX")
	bad("utf-8", "a byte that is no UTF-8", "J-3", "{\"b\": 2, \"a\": [1, true, null, \"x\xff\"]}", "JSON_UNICODE")
	bad("overlong", "a letter in more bytes than it needs", "J-3", "{\"b\": 2, \"a\": [1, true, null, \"\xc1\xa1\"]}", "JSON_UNICODE")
	bad("surrogate-bytes", "half a character in bytes", "J-3", "{\"b\": 2, \"a\": [1, true, null, \"\xed\xa0\x80\"]}", "JSON_UNICODE")
	bad("surrogate-high", "the first half of a character", "J-3", `{"b": 2, "a": [1, true, null, "\ud800"]}`, "JSON_UNICODE")
	bad("surrogate-low", "the second half of a character", "J-3", `{"b": 2, "a": [1, true, null, "\udc00"]}`, "JSON_UNICODE")
	bad("surrogate-pair", "two first halves", "J-3", `{"b": 2, "a": [1, true, null, "\ud800\ud800"]}`, "JSON_UNICODE")
	bad("surrogate-name", "half a character in a name", "J-3", `{"b": 2, "\ud800": [1, true, null, "x"]}`, "JSON_UNICODE")
	bad("range", "a number beyond the doubles", "J-4", `{"b": 1e400, "a": [1, true, null, "x"]}`, "JSON_NUMBER_RANGE")
	bad("range-negative", "a negative number beyond the doubles", "J-4", `{"b": -1e309, "a": [1, true, null, "x"]}`, "JSON_NUMBER_RANGE")
}

// payloads is sections A.2 to A.4: what the readings keep.
func (m cardSuite) payloads() {
	add := func(name, base, title, clause, reading, text string, expected object) {
		in := object{"card": "card.json"}
		if reading != "" {
			in["reading"] = reading
		}
		m.s.cases = append(m.s.cases, ownCase{
			name: "payload-" + name, base: prefixed("payload-", base), operation: "canonicalize-card", title: title, clause: clause, input: in, expected: expected,
			files: map[string]string{"card.json": text},
		})
	}
	good := func(name, title, clause, reading, text, canonical string) {
		add(name, "", title, clause, reading, text, object{"canonical": canonical, "sha256": sha(canonical)})
	}
	bad := func(name, base, title, clause, text, code string) {
		add(name, base, title, clause, "", text, object{"code": code})
	}
	good("card", "a card", "A.3", "", vectorCard, vectorPayload)
	good("signed", "a card with signatures, which are not covered", "A.3", "", withSignatures(vectorCard, `{"protected":"x"}`, `7`), vectorPayload)
	good("empty", "nothing", "A.3", "", `{}`, `{}`)
	good("example", "the first example of the specification", "A.3", "", `{"name":"Example Agent","description":"","capabilities":{"streaming":false,"pushNotifications":false,"extensions":[]},"skills":[]}`,
		`{"capabilities":{"pushNotifications":false,"streaming":false},"description":"","name":"Example Agent","skills":[]}`)
	fragment := func(name, title, clause, text, spec, sdk, raw string) {
		good(name, title, clause, "", text, spec)
		good(name+"-sdk", title+", as the SDKs read it", "A.4, "+clause, "sdk", text, sdk)
		good(name+"-raw", title+", as it stands", "A.4, "+clause, "raw", text, raw)
	}
	fragment("required-default", "required members at their defaults", "R1", `{"name":"","skills":[],"capabilities":{}}`, `{"capabilities":{},"name":"","skills":[]}`, `{}`, `{"capabilities":{},"name":"","skills":[]}`)
	fragment("scalar-default", "scalars at their defaults", "R3", `{"supportedInterfaces":[{"url":"u","tenant":""}],"capabilities":{"extensions":[{"uri":"x","required":false,"description":""}]}}`,
		`{"capabilities":{"extensions":[{"uri":"x"}]},"supportedInterfaces":[{"url":"u"}]}`, `{"capabilities":{"extensions":[{"uri":"x"}]},"supportedInterfaces":[{"url":"u"}]}`,
		`{"capabilities":{"extensions":[{"description":"","required":false,"uri":"x"}]},"supportedInterfaces":[{"tenant":"","url":"u"}]}`)
	fragment("list-default", "lists and maps of nothing", "R4", `{"name":"a","securitySchemes":{},"securityRequirements":[],"skills":[{"id":"s","examples":[],"inputModes":[]}]}`,
		`{"name":"a","skills":[{"id":"s"}]}`, `{"name":"a","skills":[{"id":"s"}]}`, `{"name":"a","securityRequirements":[],"securitySchemes":{},"skills":[{"examples":[],"id":"s","inputModes":[]}]}`)
	fragment("empty-message", "messages of nothing in a list, a map and a oneof", "R5", `{"name":"a","securityRequirements":[{}],"securitySchemes":{"mtls":{"mtlsSecurityScheme":{}},"none":{}},"provider":{}}`,
		`{"name":"a","provider":{},"securityRequirements":[{}],"securitySchemes":{"mtls":{"mtlsSecurityScheme":{}},"none":{}}}`, `{"name":"a"}`,
		`{"name":"a","provider":{},"securityRequirements":[{}],"securitySchemes":{"mtls":{"mtlsSecurityScheme":{}},"none":{}}}`)
	fragment("emptied-element", "a list whose elements become nothing", "R5", `{"name":"a","securityRequirements":[{"schemes":{}},{"schemes":{"k":{"list":[]}}}]}`,
		`{"name":"a","securityRequirements":[{},{"schemes":{"k":{}}}]}`, `{"name":"a"}`, `{"name":"a","securityRequirements":[{"schemes":{}},{"schemes":{"k":{"list":[]}}}]}`)
	fragment("params", "params of an extension", "R6", `{"capabilities":{"extensions":[{"uri":"x","params":{"s":"","l":[],"o":{},"n":null,"f":false,"z":0,"big":1e30,"inner":{"s":""}}}]}}`,
		`{"capabilities":{"extensions":[{"params":{"big":1e+30,"f":false,"inner":{"s":""},"l":[],"n":null,"o":{},"s":"","z":0},"uri":"x"}]}}`,
		`{"capabilities":{"extensions":[{"params":{"big":1e+30,"f":false,"z":0},"uri":"x"}]}}`,
		`{"capabilities":{"extensions":[{"params":{"big":1e+30,"f":false,"inner":{"s":""},"l":[],"n":null,"o":{},"s":"","z":0},"uri":"x"}]}}`)
	fragment("empty-params", "params of nothing", "R6", `{"capabilities":{"extensions":[{"uri":"x","params":{}}]}}`, `{"capabilities":{"extensions":[{"params":{},"uri":"x"}]}}`,
		`{"capabilities":{"extensions":[{"uri":"x"}]}}`, `{"capabilities":{"extensions":[{"params":{},"uri":"x"}]}}`)
	fragment("unknown", "members that the schema does not know", "R7", `{"name":"a","x":{"s":"","l":[]},"provider":{"organization":"o","y":1},"skills":[{"id":"s","z":null}]}`,
		`{"name":"a","provider":{"organization":"o","y":1},"skills":[{"id":"s","z":null}],"x":{"l":[],"s":""}}`, `{"name":"a","provider":{"organization":"o"},"skills":[{"id":"s"}]}`,
		`{"name":"a","provider":{"organization":"o","y":1},"skills":[{"id":"s","z":null}],"x":{"l":[],"s":""}}`)
	fragment("null", "members that are null", "R8", `{"name":null,"description":"d","provider":null,"skills":null}`, `{"description":"d"}`, `{"description":"d"}`, `{"description":"d","name":null,"provider":null,"skills":null}`)
	fragment("optional-default", "optional members that were set to nothing", "R9", `{"name":"a","iconUrl":"","documentationUrl":"","capabilities":{"streaming":false}}`,
		`{"capabilities":{"streaming":false},"documentationUrl":"","iconUrl":"","name":"a"}`, `{"capabilities":{"streaming":false},"name":"a"}`, `{"capabilities":{"streaming":false},"documentationUrl":"","iconUrl":"","name":"a"}`)
	fragment("signatures-below", "a member called signatures further down", "A.3", `{"name":"a","signatures":[{}],"capabilities":{"extensions":[{"uri":"x","params":{"signatures":[1]}}]}}`,
		`{"capabilities":{"extensions":[{"params":{"signatures":[1]},"uri":"x"}]},"name":"a"}`, `{"capabilities":{"extensions":[{"params":{"signatures":[1]},"uri":"x"}]},"name":"a"}`,
		`{"capabilities":{"extensions":[{"params":{"signatures":[1]},"uri":"x"}]},"name":"a"}`)
	fragment("old", "members of version 0.3 beside those of 1.0", "R11", `{"name":"a","url":"https://a.example","protocolVersion":"0.3.0","preferredTransport":"JSONRPC"}`,
		`{"name":"a","preferredTransport":"JSONRPC","protocolVersion":"0.3.0","url":"https://a.example"}`, `{"name":"a"}`,
		`{"name":"a","preferredTransport":"JSONRPC","protocolVersion":"0.3.0","url":"https://a.example"}`)
	flows := `{"securitySchemes":{"o":{"oauth2SecurityScheme":{"description":"","flows":{"authorizationCode":{"authorizationUrl":"https://a.example","tokenUrl":"https://a.example/t","refreshUrl":"","scopes":{},"pkceRequired":false}},"oauth2MetadataUrl":""}}}}`
	fragment("oauth", "flows of OAuth", "A.2", flows, `{"securitySchemes":{"o":{"oauth2SecurityScheme":{"flows":{"authorizationCode":{"authorizationUrl":"https://a.example","scopes":{},"tokenUrl":"https://a.example/t"}}}}}}`,
		`{"securitySchemes":{"o":{"oauth2SecurityScheme":{"flows":{"authorizationCode":{"authorizationUrl":"https://a.example","tokenUrl":"https://a.example/t"}}}}}}`,
		`{"securitySchemes":{"o":{"oauth2SecurityScheme":{"description":"","flows":{"authorizationCode":{"authorizationUrl":"https://a.example","pkceRequired":false,"refreshUrl":"","scopes":{},"tokenUrl":"https://a.example/t"}},"oauth2MetadataUrl":""}}}}`)

	change := func(from, to string) string { return replaceOnce(from, to)(vectorCard) }
	bad("proto-name", "card", "the name of a member as the proto file has it", "A.3", change(`"defaultInputModes"`, `"default_input_modes"`), "CARD_PROTO_NAME")
	bad("proto-name-both", "card", "both names of a member", "A.10", change(`"defaultInputModes"`, `"default_input_modes": ["text/plain"], "defaultInputModes"`), "CARD_PROTO_NAME")
	bad("proto-name-below", "card", "the name of a member as the proto file has it, further down", "A.3", change(`"protocolBinding"`, `"protocol_binding"`), "CARD_PROTO_NAME")
	bad("type-text", "card", "a number for a text", "A.3", change(`"name": "Vector Agent"`, `"name": 1`), "CARD_TYPE")
	bad("type-flag", "card", "a text for a flag", "A.3", change(`"streaming": false`, `"streaming": "false"`), "CARD_TYPE")
	bad("type-list", "card", "a text for a list", "A.3", change(`["vector"]`, `"vector"`), "CARD_TYPE")
	bad("type-element", "card", "a number in a list of texts", "A.3", change(`["vector"]`, `["vector", 1]`), "CARD_TYPE")
	bad("type-element-null", "card", "null in a list of messages", "A.3", change(`"skills": [`, `"skills": [null, `), "CARD_TYPE")
	bad("type-message", "card", "a list for a message", "A.3", change(`"provider": {"organization": "Vectors", "url": "https://vectors.example"}`, `"provider": []`), "CARD_TYPE")
	bad("type-map", "card", "a list for a map", "A.3", change(`{"key": {"list": ["read"]}}`, `[]`), "CARD_TYPE")
	bad("oneof", "card", "two members of one oneof", "A.3, A.10", change(`"X-Key"}`, `"X-Key"}, "mtlsSecurityScheme": {}`), "CARD_ONEOF")
	bad("no-object", "card", "a list for a card", "A.8", "["+vectorCard+"]", "CARD_NOT_OBJECT")
	bad("duplicate", "card", "a name twice", "J-2", change(`"name": "Vector Agent"`, `"name": "Vector Agent", "name": "Vector Agent"`), "JSON_DUPLICATE_KEY")
	const most = 256 << 10
	good("large", "a card of 256 KiB", "J-6", "", vectorCard+strings.Repeat(" ", most-len(vectorCard)), vectorPayload)
	bad("too-large", "large", "a card of a byte more than 256 KiB", "J-6", vectorCard+strings.Repeat(" ", most+1-len(vectorCard)), "JSON_TOO_LARGE")
}
