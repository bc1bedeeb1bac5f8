package jsonld_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/rdf/jsonld"
)

// catalogue makes a document of n items with an inline context: typed, nested,
// with lists and languages.
func catalogue(n int) []byte {
	var b strings.Builder
	b.WriteString(`{"@context":{"ex":"https://e.example/ns#","item":"https://e.example/item/","name":"ex:name",` +
		`"price":{"@id":"ex:price","@type":"http://www.w3.org/2001/XMLSchema#decimal"},"tags":{"@id":"ex:tags","@container":"@list"},` +
		`"city":{"@id":"ex:city","@type":"@id"},"address":"ex:address","count":"ex:count","active":"ex:active"},"@graph":[`)
	for i := range n {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `{"@id":"item:i%d","@type":["ex:Item","ex:Product"],"name":{"@value":"item %d\nof many","@language":"fr-CA"},`+
			`"price":"%d.50","count":%d,"active":%t,"address":{"@type":"ex:Address","city":"https://e.example/city/%d"},"tags":["a","b",{"@id":"ex:t%d"}]}`,
			i, i, i, i, i%2 == 0, i%7, i%5)
	}
	b.WriteString(`]}`)
	return []byte(b.String())
}

const intentContext = `{"@context":{"@version":1.1,"@protected":true,"id":"@id","type":"@type","a2a":"https://w3id.org/jeswr/a2a#",
"schema":"https://schema.org/","Intent":"a2a:Intent","GrantAction":"a2a:GrantAction","action":{"@id":"a2a:action","@type":"@id"},
"target":{"@id":"schema:object","@type":"@id"},"recipient":{"@id":"schema:recipient","@type":"@id"},"mode":{"@id":"a2a:mode","@type":"@id"}}}`

const intent = `{"@context":"https://e.example/intents/v1","id":"urn:uuid:1","type":"Intent",
"action":{"type":"GrantAction","target":"https://e.example/notes/","recipient":"https://e.example/bob","mode":"http://www.w3.org/ns/auth/acl#Read"}}`

func BenchmarkParse(b *testing.B) {
	contexts, err := jsonld.NewContexts(map[string][]byte{"https://e.example/intents/v1": []byte(intentContext)})
	require.NoError(b, err)
	for _, bm := range []struct {
		name string
		data []byte
	}{
		{"intent under a pinned context", []byte(intent)},
		{"document of 50 items", catalogue(50)},
		{"document of 250 items", catalogue(250)},
	} {
		b.Run(bm.name, func(b *testing.B) {
			b.SetBytes(int64(len(bm.data)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := jsonld.Parse(bm.data, jsonld.Options{Contexts: contexts}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
