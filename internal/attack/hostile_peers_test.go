package attack_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"
)

// hostileMessages are messages, replies, tasks and hand-offs of A2A.
func hostileMessages(w *world) []hostileInput {
	part := func(more string) string { return `{"text":"x","metadata":{` + more + `}}` }
	message := func(parts, more string) string {
		return `{"messageId":"m","role":"ROLE_USER","parts":[` + parts + `]` + more + `}`
	}
	const kind = `"https://w3id.org/jeswr/a2a-rdf/v1/kind"`
	all := []hostileInput{
		text(aMessage, "no parts", message("", "")), text(aMessage, "a part of nothing", message("{}", "")), text(aMessage, "a part of everything", message(`{"text":"x","data":{},"url":"https://a.example/","raw":"AA=="}`, "")),
		text(aMessage, "a message of 0.3", `{"kind":"message","messageId":"m","role":"user","parts":[{"kind":"text","text":"x"}]}`), text(aMessage, "a role of nobody", `{"messageId":"m","role":"ROLE_ROOT","parts":[{"text":"x"}]}`), text(aMessage, "a role by number", `{"messageId":"m","role":1,"parts":[{"text":"x"}]}`),
		text(aMessage, "an offer and a response", message(string(must(json.Marshal(map[string]any{"data": json.RawMessage(w.offer)})))+","+string(must(json.Marshal(map[string]any{"data": json.RawMessage(w.response)}))), "")),
		text(aMessage, "names in snakes", `{"message_id":"m","role":"ROLE_USER","context_id":"c","parts":[{"text":"x"}]}`), text(aMessage, "names in both", `{"messageId":"m","message_id":"n","role":"ROLE_USER","parts":[{"text":"x"}]}`),
		text(aMessage, "kinds", message(part(kind+`:"rdf-intent"`)+","+part(kind+`:"intent"`)+","+part(kind+`:["intent"]`)+","+part(kind+`:null`), "")), text(aMessage, "a kind in the message", message(`{"text":"x"}`, `,"metadata":{`+kind+`:"intent"}`)),
		text(aMessage, "bytes that are no base64", message(`{"raw":"%%%"}`, "")), text(aMessage, "an id of control characters", `{"messageId":"\u001b[31m\u202e","role":"ROLE_USER","parts":[{"text":"x"}]}`), text(aMessage, "a place elsewhere", message(`{"url":"file:///etc/passwd","mediaType":"text/turtle","metadata":{`+kind+`:"intent"}}`, "")),
		text(aMessage, "metadata of an array", message(`{"text":"x","metadata":[]}`, `,"metadata":1`)), text(aMessage, "a media type that is none", message(`{"text":"x","mediaType":"text/turtle; charset=utf-16","metadata":{`+kind+`:"intent"}}`, "")),
		text(aMessage, "an error and a result", `{"jsonrpc":"2.0","id":1,"result":{"message":{}},"error":{"code":-32603,"message":"x"}}`), text(aMessage, "an error of nothing", `{"jsonrpc":"2.0","id":1,"error":null}`), text(aMessage, "errors of every code", `{"error":{"code":"x","status":1,"details":[{"https://w3id.org/jeswr/a2a-rdf/v1/error":"no-such"}]}}`),
		text(aMessage, "a task in a task", `{"task":{"task":{"id":"t","status":{"state":"TASK_STATE_COMPLETED"}}}}`), text(aMessage, "a state of nobody", `{"task":{"id":"t","status":{"state":"TASK_STATE_OF_MIND"}}}`), text(aMessage, "a message and a task", `{"message":`+message(`{"text":"x"}`, "")+`,"task":{"id":"t","status":{"state":"TASK_STATE_COMPLETED"}}}`),
		text(aMessage, "a method of nobody", `{"jsonrpc":"2.0","id":"1","method":"__proto__","params":{}}`), text(aMessage, "a batch", `[{"jsonrpc":"2.0","id":"1","method":"SendMessage","params":{}},{"jsonrpc":"2.0","id":"1","method":"SendMessage","params":{}}]`), text(aMessage, "an id of an object", `{"jsonrpc":"2.0","id":{},"method":"SendMessage","params":{"message":`+message(`{"text":"x"}`, "")+`}}`),
		made(aMessage, "many parts", func() string { return message(strings.Repeat(`{"text":"x"},`, 5_000)+`{"text":"x"}`, "") }), made(aMessage, "many extensions", func() string {
			return message(`{"text":"x"}`, `,"extensions":[`+repeat(5_000, `"urn:e%d",`)+`"urn:e"]`)
		}),
		made(aMessage, "a long id", func() string {
			return `{"messageId":"` + strings.Repeat("m", 500_000) + `","role":"ROLE_USER","parts":[{"text":"x"}]}`
		}),
		made(aMessage, "many artifacts", func() string {
			return `{"task":{"id":"t","contextId":"c","status":{"state":"TASK_STATE_WORKING"},"artifacts":[` + repeat(3_000, `{"artifactId":"a%d","parts":[{"text":"x"}]},`) + `{"artifactId":"z","parts":[]}]}}`
		}),
		made(aMessage, "many payloads", func() string { return message(strings.Repeat(part(kind+`:"intent"`)+",", 60)+`{"text":"x"}`, "") }),
		made(aMessage, "an intent of a poison graph", func() string {
			p := map[string]any{"text": poisons()["a torus of 9"](), "mediaType": "text/turtle", "metadata": map[string]any{"https://w3id.org/jeswr/a2a-rdf/v1/kind": "intent", "https://w3id.org/jeswr/a2a-rdf/v1/protocolHash": w.reviewed.Pin().String()}}
			return message(string(must(json.Marshal(p))), `,"extensions":["https://w3id.org/jeswr/a2a-rdf/v1"]`)
		}),
	}
	return all
}

// hostileSecured are credentials, presentations and cards that want to count without a
// signature over them.
func hostileSecured(w *world) []hostileInput {
	var all []hostileInput
	add := func(name string, data []byte) {
		all = append(all, hostileInput{name: name, form: aSecured, data: func() []byte { return data }})
	}
	change := func(doc []byte, from, to string) []byte {
		if !bytes.Contains(doc, []byte(from)) {
			panic(fmt.Sprintf("%q is not in %s", from, doc))
		}
		return bytes.Replace(doc, []byte(from), []byte(to), 1)
	}
	docs := map[string][]byte{"SVC": w.credentials[0], "W3C": w.w3c, "VP": w.presentation, "list": w.statusList, "record": w.record}
	for _, name := range []string{"SVC", "W3C", "VP", "list", "record"} {
		doc := docs[name]
		at := bytes.LastIndex(doc, []byte(`,"proof":`))
		proof := string(doc[at+len(`,"proof":`) : len(bytes.TrimSpace(doc))-1])
		without := string(doc[:at])
		add(name+": no proof", []byte(without+"}"))
		add(name+": null for a proof", []byte(without+`,"proof":null}`))
		add(name+": an empty list of proofs", []byte(without+`,"proof":[]}`))
		add(name+": a hundred proofs", []byte(without+`,"proof":[`+strings.Repeat(proof+",", 99)+proof+`]}`))
		add(name+": a proof and nothing", []byte(without+`,"proof":[`+proof+`,{}]}`))
		add(name+": a proof of a proof", []byte(without+`,"proof":{"proof":`+proof+`}}`))
		add(name+": an empty value", change(doc, `"proofValue":"z`, `"proofValue":"`))
		add(name+": a value of zeros", []byte(without+`,"proof":`+string(change([]byte(proof), `"proofValue":"z`, `"proofValue":"z`+strings.Repeat("1", 64)))+`}`))
		add(name+": another cryptosuite", change(doc, "eddsa-rdfc-2022", "eddsa-jcs-2022"))
		add(name+": no cryptosuite", change(doc, `"cryptosuite":"eddsa-rdfc-2022"`, `"cryptosuite":""`))
		add(name+": the JSON of a signature", change(doc, `"type":"DataIntegrityProof"`, `"type":"JsonWebSignature2020","jws":"eyJhbGciOiJub25lIn0.."`))
		add(name+": a key of its own", []byte(without+`,"proof":`+string(change([]byte(proof), `"verificationMethod":`, `"publicKeyMultibase":"z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK","verificationMethod":`))+`}`))
	}
	add("W3C: a context of somebody", change(w.w3c, `"@context":[`, `"@context":["https://evil.example/",`))
	add("W3C: no context", change(w.w3c, `"@context":`, `"context":`))
	add("SVC: a context", change(w.credentials[0], `{`, `{"@context":["https://www.w3.org/ns/credentials/v2"],`))
	add("VP: of another", change(w.presentation, `"holder":"`+party(1)+`"`, `"holder":"`+party(0)+`"`))
	add("VP: no credentials", change(w.presentation, `"verifiableCredential":[`, `"verifiableCredential":[],"more":[`))
	add("VP: in itself", change(w.presentation, `"verifiableCredential":[`, `"verifiableCredential":[`+string(w.presentation)+`,`))
	for _, blank := range []string{"", `,"urn:d":[{"urn:a":1},{"urn:a":2}]`} {
		name := `a long name of many claims` + blank
		long := change(w.w3c, `"credentialSubject":{"id":"`+party(0)+`"`, `"credentialSubject":{"id":"urn:x:`+strings.Repeat("s", 30_000)+`"`+blank+repeat(2_500, `,"a:%d":1`))
		three := make([][]byte, 3)
		for i := range three {
			three[i] = change(long, `"id":"urn:uuid:1"`, fmt.Sprintf(`"id":"urn:uuid:%d"`, i))
		}
		add("W3C: "+name, long)
		add("VP: three times "+name, change(w.w3cVP, string(w.w3c), string(bytes.Join(three, []byte(",")))))
	}
	add("VP: many", bytes.Replace(w.presentation, w.credentials[0], bytes.Join(slicesOf(w.credentials[0], 40), []byte(",")), 1))

	var card struct {
		Signatures []struct{ Protected, Signature string }
	}
	require1(json.Unmarshal(w.card, &card))
	b64 := base64.RawURLEncoding.EncodeToString
	sig := card.Signatures[0]
	for _, header := range []string{
		`{"alg":"none","kid":"card-1"}`, `{"alg":"HS256","kid":"card-1"}`, `{"alg":"EdDSA","kid":"card-1","crit":["b64"],"b64":false}`, `{"alg":"EdDSA","kid":"card-1","jwk":{"kty":"OKP","crv":"Ed25519","x":"AAAA"}}`,
		`{"alg":"EdDSA","kid":"card-1","jku":"https://evil.example/jwks"}`, `{"alg":"EdDSA","alg":"none","kid":"card-1"}`, `{"alg":["EdDSA"],"kid":"card-1"}`, `{"alg":"EdDSA","kid":"../card-1"}`, `{}`, `[]`, ``,
	} {
		add("card: the header "+header, change(w.card, sig.Protected, b64([]byte(header))))
	}
	add("card: no signatures", change(w.card, `"signatures":[`, `"signatures":[],"more":[`))
	add("card: an empty signature", change(w.card, sig.Signature, ""))
	add("card: a signature of zeros", change(w.card, sig.Signature, b64(make([]byte, 64))))
	add("card: many signatures", change(w.card, `"signatures":[`, `"signatures":[`+strings.Repeat(`{"protected":"e30","signature":"AA"},`, 100)))
	add("card: the header unprotected", change(w.card, `"protected":"`+sig.Protected+`"`, `"protected":"","header":{"alg":"none"}`))
	long := func(name string, make func() []byte) {
		all = append(all, hostileInput{name: name, form: inJSON, data: make})
	}
	long("card: unknown members of many proposals behind a long text", func() []byte {
		one := `{"url":"https://example.com/q%d","digest":"sha256:` + strings.Repeat("0", 64) + `",` + repeat(100, `"m%d":0,`) + `"z":0},`
		card := change(w.termsCard, `"proposals":[`, `"proposals":[`+repeat(63, one))
		return change(card, `"description": "`, `"description": "`+strings.Repeat("a", 250<<10-len(card)))
	})
	long("card: a thousand members below a long name", func() []byte {
		return change(w.termsCard, `{`, `{"securitySchemes":{"`+strings.Repeat("~", 200<<10)+`":{`+repeat(1_000, `"m%d":0,`)+`"z":0}},`)
	})
	add("proposal: no signature", change(w.sow, `"signatures"`, `"signature"`))
	add("proposal: another version", change(w.sow, `"sow": "v1"`, `"sow": "v2"`))
	return all
}

// hostileTraces are policies whose explanation would be much longer than they are.
func hostileTraces() []hostileInput {
	return []hostileInput{made(aPolicy, "constraints that share their parts, with long names", func() string {
		var b strings.Builder
		fmt.Fprintf(&b, policyPrefixes+"@prefix n: <urn:%s:> .\nex:p a odrl:Set ; odrl:permission [ odrl:action odrl:read ; odrl:target <"+target+"> ; odrl:constraint n:0-0 ] .\n", strings.Repeat("n", 1_900))
		for level := range 7 {
			for i := range 6 {
				if level == 6 {
					fmt.Fprintf(&b, "n:6-%d odrl:leftOperand odrl:purpose ; odrl:operator odrl:eq ; odrl:rightOperand \"x\" .\n", i)
					continue
				}
				fmt.Fprintf(&b, "n:%d-%d odrl:or %s n:%[1]d-end .\n", level, i, repeat(6, fmt.Sprintf("n:%d-%%d, ", level+1)))
			}
		}
		return b.String()
	})}
}

func slicesOf(b []byte, n int) [][]byte {
	var all [][]byte
	for range n {
		all = append(all, b)
	}
	return all
}

// hostileWorkflows are workflows and records of runs.
func hostileWorkflows() []hostileInput {
	season := file("owg", "testdata", "season.json")
	var all []hostileInput
	for _, row := range []struct{ name, from, to string }{
		{"a task of itself", `"produced"`, `"depends_on":["dub"],"produced"`},
		{"everybody's task", `"performed_by"`, `"performed_by":"*","x"`},
	} {
		if bytes.Contains(season, []byte(row.from)) {
			all = append(all, text(aWorkflow, row.name, strings.ReplaceAll(string(season), row.from, row.to)))
		}
	}
	participant := `{"id":"p%[1]d","kind":"agent","operated_by":"p%[2]d","works_for":"p%[2]d"},`
	circle := func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, participant, i, (i+1)%n)
		}
		return strings.TrimSuffix(b.String(), ",")
	}
	workflow := func(participants, tasks string) string {
		return `{"schema":"0.93","id":"w","objective":"x","assets":[],"participants":[` + participants + `],"tasks":[` + tasks + `]}`
	}
	task := `{"id":"t%[1]d","performed_by":"p0","used":["a%[2]d"],"produced":["a%[1]d"],"executor":"a2a","delegation":{"by":"p1","scope":["x"]}},`
	tasks := func(n, back int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, task, i, (i+back)%n)
		}
		return strings.TrimSuffix(b.String(), ",")
	}
	return append(all,
		text(aWorkflow, "a participant of itself", workflow(circle(1), tasks(1, 1))), text(aWorkflow, "participants in a circle", workflow(circle(3), tasks(3, 1))), text(aWorkflow, "one id twice", workflow(circle(2)+","+circle(2), tasks(2, 0))),
		made(aWorkflow, "a long circle of participants", func() string { return workflow(circle(9_000), tasks(1, 0)) }), made(aWorkflow, "a long chain of tasks", func() string { return workflow(circle(2), tasks(9_000, 1)) }),
		made(aWorkflow, "too many participants", func() string { return workflow(circle(11_000), "") }), made(aWorkflow, "too many tasks", func() string { return workflow(circle(2), tasks(11_000, 1)) }),
		made(aWorkflow, "everything of everything", func() string {
			var b strings.Builder
			for i := range 300 {
				fmt.Fprintf(&b, `{"id":"t%d","performed_by":"p0","used":[%s"a"],"produced":[%[2]s"b"]},`, i, repeat(300, `"a%d",`))
			}
			return workflow(circle(2), strings.TrimSuffix(b.String(), ","))
		}),
		made(aWorkflow, "a record of many attempts", func() string {
			return `{"version":1,"workflow":"season-one","participants":[],"received":[],"attempts":[` + strings.TrimSuffix(repeat(12_000, `{"task":"dub","attempt":%d,"status":"failed","performed_by":"vendor_agent"},`), ",") + `]}`
		}),
		made(aWorkflow, "attempts far apart", func() string {
			return `{"version":1,"workflow":"season-one","participants":[],"received":[],"attempts":[{"task":"dub","attempt":9223372036854775807,"status":"running","performed_by":"vendor_agent"}]}`
		}),
	)
}
