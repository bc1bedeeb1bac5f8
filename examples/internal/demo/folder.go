package demo

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// The files of a folder.
const (
	agentFile  = "agent.json"
	clientFile = "client.json"
	urlFile    = "card-url"
	storeFile  = "messages.db"
)

// Folder is where the parties of the demo find what they get from each other.
type Folder string

// DefaultFolder is a folder in the user's cache.
func DefaultFolder() Folder {
	dir, err := os.UserCacheDir()
	if err != nil { // no home: beside the program that is run
		dir = "."
	}
	return Folder(filepath.Join(dir, "rdfproto-demo"))
}

// Create makes the folder, which only its user can read.
func (f Folder) Create() error { return os.MkdirAll(string(f), 0o700) }

// Store is the path of the agent's store of messages.
func (f Folder) Store() string { return f.path(storeFile) }

// SaveAgent and SaveClient keep what a party needs.
func (f Folder) SaveAgent(a *Agent) error   { return f.save(agentFile, a) }
func (f Folder) SaveClient(c *Client) error { return f.save(clientFile, c) }

// Agent returns what the agent needs. Before its first start the error is
// fs.ErrNotExist.
func (f Folder) Agent() (*Agent, error) {
	var a Agent
	return &a, f.load(agentFile, &a)
}

// Client returns what the client needs, and where the agent's card is.
func (f Folder) Client() (c *Client, cardURL string, err error) {
	c = new(Client)
	err = f.load(clientFile, c)
	if err == nil {
		var url []byte
		url, err = os.ReadFile(f.path(urlFile))
		cardURL = strings.TrimSpace(string(url))
	}
	if errors.Is(err, fs.ErrNotExist) {
		err = errors.New("no agent was started: run go run ./examples/grant-agent first")
	}
	return c, cardURL, err
}

// Announce says where the agent's card is now.
func (f Folder) Announce(cardURL string) error { return f.write(urlFile, []byte(cardURL+"\n")) }

func (f Folder) path(name string) string { return filepath.Join(string(f), name) }

func (f Folder) load(name string, to any) error {
	text, err := os.ReadFile(f.path(name))
	if err != nil {
		return err
	}
	if err := json.Unmarshal(text, to); err != nil {
		return fmt.Errorf("%s: %w", f.path(name), err)
	}
	return nil
}

func (f Folder) save(name string, from any) error {
	text, err := json.MarshalIndent(from, "", "  ")
	if err != nil {
		return err
	}
	return f.write(name, text)
}

// write replaces a file as a whole: nobody reads half of it.
func (f Folder) write(name string, text []byte) error {
	temporary, err := os.CreateTemp(string(f), name+".") // for its user alone
	if err != nil {
		return err
	}
	defer os.Remove(temporary.Name())
	_, err = temporary.Write(text)
	if err = errors.Join(err, temporary.Close()); err != nil {
		return err
	}
	return os.Rename(temporary.Name(), f.path(name))
}
