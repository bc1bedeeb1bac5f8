package service

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"

	"github.com/rdfproto/rdfproto/internal/strictjson"
	"github.com/rdfproto/rdfproto/rdf"
)

// Config is the configuration file of the service. Paths in it are relative to it;
// members that are not known are refused.
type Config struct {
	Agent  string // the name of the agent: what is agreed is agreed with it
	Domain string // its URL, which presentations must be made for

	Documents  map[string]string // files of Protocol Documents by their pins; offers of them are accepted
	Agreements []string          // pins of those that need no handshake
	Card       string            // the file of the agent's own card: what it declares needs none either
	Accept     AcceptConfig
	Informal   []string // pins whose exchanges are not security-bearing
	Formats    []string // media types of RDF that are read

	OfferInReply   bool
	AcrossContexts bool

	Contexts map[string]string // files of JSON-LD contexts by their IRIs

	Keys                string           // the folder of controller documents
	Profile             string           // of proofs: w3c, the default, svc or auto
	CredentialDocuments strictjson.Value // files of status lists by their URLs, as --documents of the command line
	Authorizer          *AuthorizerConfig
	Replay              ReplayConfig

	dir string
}

// AcceptConfig says which offered documents are accepted besides those that are held.
type AcceptConfig struct {
	Pins       []string
	Publishers []string // origins
	Fetch      bool     // over guarded HTTPS
}

// AuthorizerConfig says who decides on intents. Without one every intent is denied.
type AuthorizerConfig struct {
	RootPrincipal string   // the party whose authority a chain must come from
	Policies      []string // files of policies that credentials refer to
	RequireDuties bool
	// AnyHolder lets the holder of a presentation differ from the peer, for peers that
	// credentials know by another name.
	AnyHolder bool
	// InsecurePermitAll permits every intent that conforms: the agent itself decides.
	InsecurePermitAll bool
}

// ReplayConfig says where messages are remembered.
type ReplayConfig struct {
	Store  string // memory, bolt or redis
	Path   string // of bolt
	URL    string // of redis
	Prefix string // of redis: what begins the names of all keys
}

func (c *Config) fields() []field {
	return []field{
		{"agent", false, filled(&c.Agent)},
		{"domain", false, filled(&c.Domain)},
		{"documents", false, textMap(&c.Documents)},
		{"agreements", false, texts(&c.Agreements)},
		{"card", false, filled(&c.Card)},
		{"accept", false, func(v strictjson.Value) error {
			return readFields(v, field{"pins", false, texts(&c.Accept.Pins)},
				field{"publishers", false, texts(&c.Accept.Publishers)}, field{"fetch", false, flag(&c.Accept.Fetch)})
		}},
		{"informal", false, texts(&c.Informal)},
		{"formats", false, texts(&c.Formats)},
		{"offerInReply", false, flag(&c.OfferInReply)},
		{"acrossContexts", false, flag(&c.AcrossContexts)},
		{"contexts", false, textMap(&c.Contexts)},
		{"keys", false, filled(&c.Keys)},
		{"profile", false, filled(&c.Profile)},
		{"credentialDocuments", false, keep(&c.CredentialDocuments)},
		{"authorizer", false, func(v strictjson.Value) error {
			c.Authorizer = &AuthorizerConfig{}
			return readFields(v,
				field{"rootPrincipal", false, filled(&c.Authorizer.RootPrincipal)},
				field{"policies", false, texts(&c.Authorizer.Policies)},
				field{"requireDuties", false, flag(&c.Authorizer.RequireDuties)},
				field{"anyHolder", false, flag(&c.Authorizer.AnyHolder)},
				field{"insecurePermitAll", false, flag(&c.Authorizer.InsecurePermitAll)})
		}},
		{"replay", false, func(v strictjson.Value) error {
			return readFields(v, field{"store", true, filled(&c.Replay.Store)}, field{"path", false, filled(&c.Replay.Path)}, field{"url", false, filled(&c.Replay.URL)}, field{"prefix", false, filled(&c.Replay.Prefix)})
		}},
	}
}

// maxConfig bounds files that the operator names.
const maxConfig = 1 << 20

// ReadConfig reads a configuration file.
func ReadConfig(file string) (*Config, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := readAtMost(f, file, maxConfig)
	if err != nil {
		return nil, err
	}
	v, err := strictjson.Parse(data, strictjson.DefaultLimits())
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	c := &Config{dir: filepath.Dir(file)}
	if err := readFields(v, c.fields()...); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if err := c.check(info.Mode()); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return c, nil
}

// check refuses what contradicts itself, and secrets that others can read.
func (c *Config) check(mode os.FileMode) error {
	r := &c.Replay
	if r.Prefix != "" && r.Store != "redis" {
		return errors.New("replay: prefix is for a store in Redis")
	}
	switch r.Store {
	case "", "memory":
		if r.Path != "" || r.URL != "" {
			return errors.New("replay: a store in memory has neither path nor url")
		}
	case "bolt":
		if r.Path == "" || r.URL != "" {
			return errors.New("replay: expected the path of a store in a file")
		}
	case "redis":
		o, err := redisOptions(r.URL)
		switch {
		case err != nil:
			return fmt.Errorf("replay: %w", err)
		case r.Path != "":
			return errors.New("replay: a store in Redis has no path")
		case o.Password != "" && runtime.GOOS != "windows" && mode.Perm()&0o077 != 0:
			return fmt.Errorf("replay: the url holds a password, and others can read this file (mode %04o); chmod 600 it", mode.Perm())
		}
	default:
		return errors.New("replay: unknown store, expected memory, bolt or redis") // it may be a URL with a password
	}
	if a := c.Authorizer; a != nil {
		chains := a.RootPrincipal != "" || a.Policies != nil || a.RequireDuties || a.AnyHolder
		switch {
		case a.InsecurePermitAll && chains:
			return errors.New("authorizer: insecurePermitAll does not go with the members that decide about chains")
		case !a.InsecurePermitAll && a.RootPrincipal == "":
			return errors.New("authorizer: expected the member rootPrincipal")
		case a.RootPrincipal != "" && rdf.CheckIRI(a.RootPrincipal) != nil:
			return fmt.Errorf("authorizer: rootPrincipal: expected an IRI, found %s", quote(a.RootPrincipal))
		case !a.InsecurePermitAll && c.Domain == "":
			return errors.New("authorizer: expected the member domain, which presentations must be made for")
		}
	}
	if c.Agent != "" && rdf.CheckIRI(c.Agent) != nil {
		return fmt.Errorf("agent: expected an IRI, found %s", quote(c.Agent))
	}
	if c.Agent == "" && (len(c.Agreements) > 0 || c.Card != "" || c.Authorizer != nil || r.Store != "") {
		return errors.New("expected the member agent: without it no message is received")
	}
	return nil
}

// path resolves a path of the file.
func (c *Config) path(name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(c.dir, filepath.FromSlash(name))
}

// read reads a file that the configuration names.
func (c *Config) read(name string) ([]byte, error) {
	f, err := os.Open(c.path(name))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	const most = 16 << 20 // JSON-LD contexts and status lists
	return readAtMost(f, name, most)
}
