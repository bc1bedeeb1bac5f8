package odrl_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/odrl"
)

// TestOrdinaryPolicies has policies of the shapes that the Information Model itself gives
// as examples, with descriptions, names and declarations around them: nothing of that is a
// reason to refuse one.
func TestOrdinaryPolicies(t *testing.T) {
	t.Parallel()
	const more = `@prefix vcard: <http://www.w3.org/2006/vcard/ns#> .
@prefix dct: <http://purl.org/dc/terms/> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
`
	r := func(act, tgt, agt string, ch ...func(*odrl.Request)) *odrl.Request {
		return ask(append([]func(*odrl.Request){action(act), target(ex + tgt), agent(ex + agt)}, ch...)...)
	}
	for _, row := range []struct {
		name, policy, ttl string
		request           *odrl.Request
		want              odrl.Verdict
	}{
		{"a set", "p", `ex:p a odrl:Set ; odrl:permission [ odrl:target ex:movie ; odrl:action odrl:use ] .`, r("play", "movie", "x"), odrl.Permit},
		{"typed rule", "p", `ex:p a odrl:Set ; odrl:uid ex:p ; odrl:permission [ a odrl:Permission ; odrl:target ex:movie ; odrl:action odrl:use ] .`, r("play", "movie", "x"), odrl.Permit},
		{"agreement, core", "p", `ex:p a odrl:Agreement ; odrl:profile <http://www.w3.org/ns/odrl/2/core> ; odrl:permission [ odrl:target ex:movie ; odrl:assigner ex:org ; odrl:assignee ex:first ; odrl:action odrl:play ] .`, r("play", "movie", "first"), odrl.Permit},
		{"agreement, of the vocabulary", "p", `ex:p a odrl:Agreement ; odrl:profile <http://www.w3.org/ns/odrl/2/> ; odrl:permission [ odrl:target ex:movie ; odrl:assigner ex:org ; odrl:assignee ex:first ; odrl:action odrl:play ] .`, r("play", "movie", "first"), odrl.Permit},
		{"collection", "p", `ex:p a odrl:Policy ; odrl:permission [ odrl:target ex:archive ; odrl:action odrl:index ; ex:summary ex:database ] . ex:archive a odrl:AssetCollection . ex:database a odrl:Asset .`, r("index", "doc1", "x", member(ex+"doc1", ex+"archive")), odrl.Permit},
		{"partOf in the graph", "p", `ex:p a odrl:Policy ; odrl:permission [ odrl:target ex:archive ; odrl:action odrl:index ] . ex:archive a odrl:AssetCollection . ex:doc1 a dct:Document ; dct:title "Annual" ; odrl:partOf ex:archive .`, r("index", "doc1", "x"), odrl.NotApplicable},
		{"parties with descriptions", "p", `ex:p a odrl:Agreement ; odrl:permission [ odrl:target ex:book ; odrl:assigner ex:org ; odrl:assignee ex:teamA ; odrl:action odrl:use ] . ex:org a odrl:Party, vcard:Organization ; vcard:fn "Org" ; odrl:uid ex:org . ex:teamA a odrl:PartyCollection, vcard:Group ; vcard:fn "Team" .`, r("use", "book", "second", member(ex+"second", ex+"teamA")), odrl.Permit},
		{"party in a blank node with a uid", "p", `ex:p a odrl:Agreement ; odrl:permission [ odrl:target ex:book ; odrl:assigner [ a odrl:Party ; odrl:uid ex:org ] ; odrl:assignee [ a odrl:PartyCollection ; odrl:uid ex:teamA ; vcard:fn "A" ] ; odrl:action odrl:use ] .`, r("use", "book", "second", member(ex+"second", ex+"teamA")), odrl.Permit},
		{"and who is in it", "p", `ex:p a odrl:Agreement ; odrl:permission [ odrl:target ex:book ; odrl:assigner [ a odrl:Party ; odrl:uid ex:org ] ; odrl:assignee [ a odrl:PartyCollection ; odrl:uid ex:teamA ] ; odrl:action odrl:use ] . ex:second a vcard:Individual ; odrl:partOf ex:teamA .`, r("use", "book", "second", member(ex+"second", ex+"teamA")), odrl.Permit},
		{"date", "p", `ex:p a odrl:Policy ; odrl:permission [ odrl:target ex:game ; odrl:action odrl:play ; odrl:constraint [ a odrl:Constraint ; odrl:leftOperand odrl:dateTime ; odrl:operator odrl:lteq ; odrl:rightOperand "2027-12-31"^^xsd:date ] ] .`, r("play", "game", "x"), odrl.Permit},
		{"date, plain with dataType", "p", `ex:p a odrl:Policy ; odrl:permission [ odrl:target ex:game ; odrl:action odrl:play ; odrl:constraint [ odrl:leftOperand odrl:dateTime ; odrl:operator odrl:lteq ; odrl:rightOperand "2027-12-31" ; odrl:dataType xsd:date ] ] .`, r("play", "game", "x"), odrl.Permit},
		{"refined action", "p", `ex:p a odrl:Policy ; odrl:permission [ odrl:target ex:doc ; odrl:action [ rdf:value odrl:print ; odrl:refinement [ odrl:leftOperand odrl:resolution ; odrl:operator odrl:lteq ; odrl:rightOperand 1200 ] ] ] .`, r("print", "doc", "x", with("resolution", number(t, "600"))), odrl.Permit},
		{"refined action with unit", "p", `ex:p a odrl:Policy ; odrl:permission [ odrl:target ex:doc ; odrl:action [ rdf:value odrl:print ; odrl:refinement [ odrl:leftOperand odrl:resolution ; odrl:operator odrl:lteq ; odrl:rightOperand 1200 ; odrl:unit ex:dpi ] ] ] .`, r("print", "doc", "x", with("resolution", number(t, "600"))), odrl.NotApplicable},
		{"refined xone list, named constraints in the graph", "p", `ex:p a odrl:Policy ; odrl:permission [ odrl:target ex:book ; odrl:action [ rdf:value odrl:reproduce ; odrl:refinement [ odrl:xone ( ex:C1 ex:C2 ) ] ] ] . ex:C1 a odrl:Constraint ; odrl:uid ex:C1 ; odrl:leftOperand odrl:media ; odrl:operator odrl:eq ; odrl:rightOperand "online" . ex:C2 a odrl:Constraint ; odrl:leftOperand odrl:media ; odrl:operator odrl:eq ; odrl:rightOperand "print" .`, r("reproduce", "book", "x", with("media", text("print"))), odrl.Permit},
		{"xone as logical constraint", "p", `ex:p a odrl:Policy ; odrl:permission [ odrl:target ex:book ; odrl:action odrl:reproduce ; odrl:constraint ex:L ] . ex:L a odrl:LogicalConstraint ; odrl:xone ex:C1, ex:C2 . ex:C1 a odrl:Constraint ; odrl:leftOperand odrl:media ; odrl:operator odrl:eq ; odrl:rightOperand "online" . ex:C2 a odrl:Constraint ; odrl:leftOperand odrl:media ; odrl:operator odrl:eq ; odrl:rightOperand "print" .`, r("reproduce", "book", "x", with("media", text("print"))), odrl.Permit},
		{"andSequence", "p", `ex:p a odrl:Policy ; odrl:permission [ odrl:target ex:photo ; odrl:action odrl:distribute ; odrl:constraint [ odrl:andSequence ( ex:C1 ex:C2 ) ] ] . ex:C1 odrl:leftOperand odrl:event ; odrl:operator odrl:eq ; odrl:rightOperand ex:game . ex:C2 odrl:leftOperand odrl:delayPeriod ; odrl:operator odrl:gteq ; odrl:rightOperand "PT60M"^^xsd:duration .`, r("distribute", "photo", "x", with("event", text(ex+"game")), with("delayPeriod", text("PT2H"))), odrl.Permit},
		{"asset collection refined", "p", `ex:p a odrl:Policy ; odrl:permission [ odrl:assigner ex:org ; odrl:target [ a odrl:AssetCollection ; odrl:source ex:catalogue ; odrl:refinement [ odrl:leftOperand odrl:absoluteSize ; odrl:operator odrl:lt ; odrl:rightOperand 60 ] ] ; odrl:action odrl:play ] .`, r("play", "film", "x", member(ex+"film", ex+"catalogue"), with("absoluteSize", number(t, "50"))), odrl.Permit},
		{"party collection refined", "p", `ex:p a odrl:Agreement ; odrl:permission [ odrl:target ex:photos ; odrl:assigner ex:u44 ; odrl:assignee [ a odrl:PartyCollection ; odrl:source ex:friends ; odrl:refinement [ odrl:leftOperand odrl:language ; odrl:operator odrl:eq ; odrl:rightOperand "en" ] ] ; odrl:action odrl:display ] .`, r("display", "photos", "x", member(ex+"x", ex+"friends"), with("language", text("en"))), odrl.Permit},
		{"permissions win", "p", `ex:p a odrl:Agreement ; odrl:conflict odrl:perm ; odrl:permission [ odrl:target ex:album ; odrl:action odrl:display ; odrl:assigner ex:o ; odrl:assignee ex:u ] ; odrl:prohibition [ odrl:target ex:album ; odrl:action odrl:archive ; odrl:assigner ex:o ; odrl:assignee ex:u ] .`, r("display", "album", "u"), odrl.Permit},
		{"archive", "p", `ex:p a odrl:Agreement ; odrl:conflict odrl:perm ; odrl:permission [ odrl:target ex:album ; odrl:action odrl:display ; odrl:assigner ex:o ; odrl:assignee ex:u ] ; odrl:prohibition [ odrl:target ex:album ; odrl:action odrl:archive ; odrl:assigner ex:o ; odrl:assignee ex:u ] .`, r("archive", "album", "u"), odrl.Deny},
		{"obligation", "p", `ex:p a odrl:Agreement ; odrl:assigner ex:a ; odrl:obligation [ odrl:assigner ex:o ; odrl:assignee ex:u ; odrl:action [ rdf:value odrl:compensate ; odrl:refinement [ odrl:leftOperand odrl:payAmount ; odrl:operator odrl:eq ; odrl:rightOperand 500.00 ; odrl:unit ex:eur ] ] ] .`, r("use", "album", "u"), odrl.NotApplicable},
		{"duty attribute open", "p", `ex:p a odrl:Agreement ; odrl:permission [ odrl:target ex:data ; odrl:assigner ex:o ; odrl:assignee ex:u ; odrl:action odrl:distribute ; odrl:duty [ odrl:action odrl:attribute ; odrl:attributedParty ex:author ; odrl:informedParty ex:x ] ] .`, r("distribute", "data", "u"), odrl.Deny},
		{"duty attribute done", "p", `ex:p a odrl:Agreement ; odrl:permission [ odrl:target ex:data ; odrl:assigner ex:o ; odrl:assignee ex:u ; odrl:action odrl:distribute ; odrl:duty [ a odrl:Duty ; odrl:action odrl:attribute ; odrl:attributedParty ex:author ] ] .`, r("distribute", "data", "u", with("fulfilled:attribute", odrl.Boolean(true))), odrl.Permit},
		{"consequence", "p", `ex:p a odrl:Agreement ; odrl:assigner ex:o ; odrl:assignee ex:u ; odrl:obligation [ odrl:action odrl:delete ; odrl:target ex:doc ; odrl:consequence [ odrl:action [ rdf:value odrl:compensate ; odrl:refinement [ odrl:leftOperand odrl:payAmount ; odrl:operator odrl:eq ; odrl:rightOperand 10.00 ; odrl:unit ex:eur ] ] ; odrl:compensatedParty ex:third ] ] ; odrl:permission [ odrl:target ex:doc ; odrl:action odrl:use ] .`, r("use", "doc", "u"), odrl.Permit},
		{"remedy", "p", `ex:p a odrl:Agreement ; odrl:assigner ex:o ; odrl:assignee ex:u ; odrl:prohibition [ odrl:target ex:doc ; odrl:action odrl:index ; odrl:remedy [ odrl:action odrl:anonymize ; odrl:target ex:doc ] ] ; odrl:permission [ odrl:target ex:doc ; odrl:action odrl:read ] .`, r("read", "doc", "u"), odrl.Permit},
		{"shared duty of two permissions", "p", `ex:p a odrl:Set ; odrl:permission [ odrl:target ex:d1 ; odrl:action odrl:play ; odrl:duty ex:D ], [ odrl:target ex:d2 ; odrl:action odrl:play ; odrl:duty ex:D ] . ex:D a odrl:Duty ; odrl:uid ex:D ; odrl:action odrl:compensate .`, r("play", "d2", "u", with("fulfilled:compensate", odrl.Boolean(true))), odrl.Permit},
		{"two assets", "p", `ex:p a odrl:Policy ; odrl:permission [ odrl:target ex:a1, ex:a2 ; odrl:assigner ex:s ; odrl:assignee ex:first, ex:second ; odrl:action odrl:play, odrl:print ] .`, r("print", "a2", "second"), odrl.Permit},
		{"compact", "p", `ex:p a odrl:Policy ; odrl:target ex:mp3 ; odrl:assigner ex:s ; odrl:action odrl:play ; odrl:permission [ odrl:assignee ex:first ], [ odrl:assignee ex:second ] .`, r("play", "mp3", "second"), odrl.Permit},
		{"metadata", "p", `ex:p a odrl:Policy ; dct:creator "first" ; dct:issued "2017-01-01T12:00" ; dct:coverage ex:place ; dct:replaces ex:p0 ; dct:description "d" ; odrl:permission [ odrl:target ex:a ; odrl:action odrl:play ] .`, r("play", "a", "x"), odrl.Permit},
		{"inheritance", "child", `ex:parent a odrl:Policy ; odrl:permission [ odrl:assigner ex:org ; odrl:action odrl:archive, odrl:annotate ; odrl:target ex:asset ] ; odrl:prohibition [ odrl:assigner ex:org ; odrl:action odrl:aggregate ; odrl:target ex:asset ] . ex:child a odrl:Agreement ; odrl:inheritFrom ex:parent ; odrl:assignee ex:u1 ; odrl:permission [ odrl:target ex:asset ; odrl:action odrl:display, odrl:print ] .`, r("annotate", "asset", "u1"), odrl.Permit},
		{"inheritance, parties and targets in the child", "child", `ex:parent a odrl:Policy ; odrl:permission [ odrl:assigner ex:org ; odrl:action odrl:archive, odrl:annotate ] ; odrl:prohibition [ odrl:assigner ex:org ; odrl:action odrl:aggregate ] . ex:child a odrl:Agreement ; odrl:inheritFrom ex:parent ; odrl:permission [ odrl:target ex:asset ; odrl:action odrl:display, odrl:print ; odrl:assignee ex:u1 ] .`, r("print", "asset", "u1"), odrl.Permit},
		{"an obligation in the parent", "child", `ex:parent a odrl:Set ; odrl:assigner ex:org ; odrl:obligation [ odrl:assigner ex:org ; odrl:assignee ex:u ; odrl:target ex:terms ; odrl:action odrl:reviewPolicy ] . ex:child a odrl:Agreement ; odrl:inheritFrom ex:parent ; odrl:assigner ex:org ; odrl:assignee ex:u ; odrl:permission [ odrl:target ex:asset ; odrl:action odrl:display ] .`, r("display", "asset", "u"), odrl.Permit},
		{"two policies in a graph", "p1", `ex:p1 a odrl:Policy ; odrl:conflict odrl:perm ; odrl:permission [ odrl:target ex:a ; odrl:action odrl:use ; odrl:assigner ex:o ] . ex:p2 a odrl:Policy ; odrl:conflict odrl:perm ; odrl:permission [ odrl:target ex:a ; odrl:action odrl:display ] ; odrl:prohibition [ odrl:target ex:a ; odrl:action odrl:print ] .`, r("print", "a", "o"), odrl.Permit},
		{"merged, child inherits both", "p3", `ex:p1 a odrl:Policy ; odrl:conflict odrl:perm ; odrl:permission [ odrl:target ex:a ; odrl:action odrl:use ; odrl:assigner ex:o ] . ex:p2 a odrl:Policy ; odrl:conflict odrl:prohibit ; odrl:permission [ odrl:target ex:a ; odrl:action odrl:display ] ; odrl:prohibition [ odrl:target ex:a ; odrl:action odrl:print ] . ex:p3 a odrl:Set ; odrl:inheritFrom ex:p1, ex:p2 .`, r("print", "a", "o"), odrl.Deny},
		{"profile terms in the graph", "p", `ex:p a odrl:Set ; odrl:permission [ odrl:target ex:a ; odrl:action odrl:play ] . ex:myAction a odrl:Action, skos:Concept ; odrl:includedIn odrl:use ; odrl:implies odrl:distribute . ex:myOp a odrl:LeftOperand . ex:myRule rdfs:subClassOf odrl:Rule ; owl:disjointWith odrl:Prohibition, odrl:Duty, odrl:Permission . ex:myOperator a odrl:Operator . ex:strategy a odrl:ConflictTerm . ex:rel rdfs:subPropertyOf odrl:relation . ex:RO a odrl:RightOperand .`, r("play", "a", "x"), odrl.Permit},
		{"rule by IRI, described with comments", "p", `ex:p a odrl:Set ; rdfs:label "L" ; odrl:permission ex:r . ex:r a odrl:Permission ; rdfs:comment "c" ; odrl:uid ex:r ; odrl:target ex:a ; odrl:action odrl:play . odrl:play a odrl:Action .`, r("play", "a", "x"), odrl.Permit},
		{"policy as an asset of another", "p", `ex:p a odrl:Set ; odrl:permission [ odrl:target ex:d ; odrl:action odrl:distribute ; odrl:duty [ odrl:action odrl:nextPolicy ; odrl:target ex:q ] ] . ex:q a odrl:Set ; odrl:permission [ odrl:target ex:d ; odrl:action odrl:display ] .`, r("distribute", "d", "x", with("fulfilled:nextPolicy", odrl.Boolean(true))), odrl.Permit},
		{"request in the same graph", "p", `ex:p a odrl:Set ; odrl:permission [ odrl:target ex:d ; odrl:action odrl:read ] . ex:req a odrl:Request ; odrl:permission [ a odrl:Permission ; odrl:assignee ex:x ; odrl:target ex:d ; odrl:action odrl:read ] .`, r("read", "d", "x"), odrl.Permit},
		{"untyped", "p", `ex:p odrl:uid ex:p ; odrl:permission [ odrl:target ex:d ; odrl:action odrl:read ] .`, r("read", "d", "x"), odrl.Permit},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			p, err := odrl.Compile(parse(t, more+row.ttl), odrl.CompileOptions{Policy: ex + row.policy})
			require.NoError(t, err)
			f, refused := p.Refused()
			require.False(t, refused, f.Message)
			require.Equal(t, row.want.String(), decide(t, p, row.request).Verdict().String())
		})
	}
}
