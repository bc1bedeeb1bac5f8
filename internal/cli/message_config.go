package cli

import (
	"strings"

	"github.com/rdfproto/rdfproto/authz/vc"
	"github.com/rdfproto/rdfproto/canon"
	"github.com/rdfproto/rdfproto/internal/strictjson"
	"github.com/rdfproto/rdfproto/internal/vectors"
	"github.com/rdfproto/rdfproto/protocol"
	"github.com/rdfproto/rdfproto/rdf"
)

// messageConfig is the file of --config.
type messageConfig struct {
	file                                   string
	peer, context, card, keys              string
	root, challenge, domain                string
	extensions, agreements, seen, policies []string
	documents                              []documentFile
	lists                                  vc.Documents
	authorize                              bool
}

type documentFile struct {
	pin  canon.Digest
	file string
}

// refused says what is wrong with a value of the configuration.
func (c *messageConfig) refused(v strictjson.Value, text string) error {
	line, column := v.Place()
	return &failure{
		status: StatusRefused, place: rdf.Place{File: display(c.file), Line: line, Column: column}, code: "invalid-config", text: text,
	}
}

func (c *messageConfig) wrong(name, want string, v strictjson.Value) error {
	return c.refused(v, name+": expected "+want+", found "+v.Kind().String())
}

// readMessageConfig reads a configuration strictly: a member that is not known could be
// one that was meant to forbid something.
func readMessageConfig(file string, root strictjson.Value, read func(name string) ([]byte, error)) (*messageConfig, error) {
	c := &messageConfig{file: file, extensions: []string{protocol.ExtensionURI}, authorize: true}
	if root.Kind() != strictjson.Object {
		return nil, c.wrong("the configuration", "an object", root)
	}
	texts := map[string]*string{
		"peer": &c.peer, "context": &c.context, "card": &c.card, "keys": &c.keys,
		"root": &c.root, "challenge": &c.challenge, "domain": &c.domain,
	}
	lists := map[string]*[]string{"extensions": &c.extensions, "agreements": &c.agreements, "seen": &c.seen, "policies": &c.policies}
	for name, v := range root.Members() {
		var err error
		var ok bool
		switch {
		case texts[name] != nil:
			if *texts[name], ok = v.Str(); !ok {
				err = c.wrong(name, "a string", v)
			}
		case lists[name] != nil:
			*lists[name], err = c.readTexts(name, v)
		case name == "authorize":
			if c.authorize, ok = v.Bool(); !ok {
				err = c.wrong(name, "a boolean", v)
			}
		case name == "documents":
			err = c.readDocuments(name, v, read)
		default:
			err = c.refused(v, "unknown member "+quote(name))
		}
		if err != nil {
			return nil, err
		}
	}
	return c, nil
}

func (c *messageConfig) readTexts(name string, v strictjson.Value) ([]string, error) {
	if v.Kind() != strictjson.Array {
		return nil, c.wrong(name, "an array", v)
	}
	list := []string{}
	for _, e := range v.Items() {
		s, ok := e.Str()
		if !ok {
			return nil, c.wrong(name, "strings", e)
		}
		list = append(list, s)
	}
	return list, nil
}

// readDocuments reads the Protocol Documents, by their pins, and what credentials need, by
// https URLs.
func (c *messageConfig) readDocuments(name string, v strictjson.Value, read func(name string) ([]byte, error)) error {
	if v.Kind() != strictjson.Object {
		return c.wrong(name, "an object", v)
	}
	for key, f := range v.Members() {
		if strings.HasPrefix(key, "https://") {
			continue
		}
		pin, err := canon.ParseDigest(key)
		path, ok := f.Str()
		if err != nil || !ok {
			return c.wrong(name, "files by their pins, or by https URLs", f)
		}
		c.documents = append(c.documents, documentFile{pin, path})
	}
	var err error
	if c.lists, err = vectors.ReadDocuments(v, read); err != nil {
		return c.refused(v, name+": "+err.Error())
	}
	return nil
}
