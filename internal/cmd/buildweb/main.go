// Command buildweb builds the page in web/ into web/dist: the engine as WebAssembly, the
// files of the page, the runtime of the Go that built it, and the examples. What it makes
// is served by any server of files. From anywhere in the module:
//
//	go run ./internal/cmd/buildweb
//	go run ./internal/cmd/buildweb -http localhost:8080
package main

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// files of web/ that are the page.
var files = []string{"index.html", "style.css", "page.js", "engine.js", "editor.js", "render.js", "worker.js", "icon.svg"}

func main() {
	out := flag.String("out", "", "the folder to build into; web/dist of the module by default")
	address := flag.String("http", "", "then serve it at this address, such as localhost:8080")
	flag.Parse()
	if err := run(*out, *address, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "buildweb:", err)
		os.Exit(1)
	}
}

func run(out, address string, w io.Writer) error {
	root, err := goEnv("", "GOMOD")
	if err != nil {
		return err
	}
	root = filepath.Dir(root)
	if out == "" {
		out = filepath.Join(root, "web", "dist")
	}
	sizes, err := build(root, out)
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "%s: the engine has %.1f MB, %.1f MB packed\n", out, float64(sizes.program)/1e6, float64(sizes.packed)/1e6)
	if address == "" {
		return nil
	}
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "http://%s/\n", listener.Addr())
	server := http.Server{Handler: http.FileServer(http.Dir(out)), ReadHeaderTimeout: 10 * time.Second}
	return server.Serve(listener)
}

// sizes are those of the engine in bytes.
type sizes struct{ program, packed int }

// build makes the page of the module in root in a folder.
func build(root, out string) (sizes, error) {
	var s sizes
	if err := os.MkdirAll(out, 0o777); err != nil {
		return s, err
	}
	for _, name := range files {
		if err := copyFile(filepath.Join(out, name), filepath.Join(root, "web", name)); err != nil {
			return s, err
		}
	}
	goroot, err := goEnv(root, "GOROOT")
	if err != nil {
		return s, err
	}
	if err := copyFile(filepath.Join(out, "wasm_exec.js"), filepath.Join(goroot, "lib", "wasm", "wasm_exec.js")); err != nil {
		return s, err
	}
	examples, err := readExamples(root)
	if err != nil {
		return s, err
	}
	if err := os.WriteFile(filepath.Join(out, "examples.json"), examples, 0o666); err != nil {
		return s, err
	}
	program, err := compile(root)
	if err != nil {
		return s, err
	}
	var packed bytes.Buffer
	z, err := gzip.NewWriterLevel(&packed, gzip.BestCompression) // no name and no time: the same bytes every time
	if err != nil {
		return s, err
	}
	if _, err := z.Write(program); err != nil {
		return s, err
	}
	if err := z.Close(); err != nil {
		return s, err
	}
	s = sizes{len(program), packed.Len()}
	return s, os.WriteFile(filepath.Join(out, "rdfproto.wasm.gz"), packed.Bytes(), 0o666)
}

// compile builds the engine, without what a browser has no use for.
func compile(root string) ([]byte, error) {
	folder, err := os.MkdirTemp("", "buildweb")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	file := filepath.Join(folder, "rdfproto.wasm")
	cmd := exec.Command("go", "build", "-trimpath", "-ldflags", "-s -w", "-o", file, "./internal/cmd/web")
	cmd.Dir, cmd.Env = root, append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	if text, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("the engine: %w\n%s", err, text)
	}
	return os.ReadFile(file)
}

// example is an example of the page. In web/examples/examples.json the texts are files of
// the module; the page gets what is in them.
type example struct {
	ID        string `json:"id"`
	Name      string `json:"name"`
	About     string `json:"about"`
	Document  string `json:"document,omitempty"`
	Intent    string `json:"intent,omitempty"`
	Authority string `json:"authority,omitempty"`
}

func readExamples(root string) ([]byte, error) {
	data, err := os.ReadFile(filepath.Join(root, "web", "examples", "examples.json"))
	if err != nil {
		return nil, err
	}
	var all []example
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&all); err != nil {
		return nil, fmt.Errorf("examples.json: %w", err)
	}
	if len(all) == 0 {
		return nil, errors.New("examples.json: expected examples, found none")
	}
	for i := range all {
		for _, text := range []*string{&all[i].Document, &all[i].Intent, &all[i].Authority} {
			if *text == "" {
				continue
			}
			content, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(*text)))
			if err != nil {
				return nil, err
			}
			*text = string(content)
		}
	}
	return json.Marshal(all)
}

func copyFile(to, from string) error {
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, data, 0o666)
}

// goEnv asks the go command in a folder for one of its settings.
func goEnv(folder, name string) (string, error) {
	cmd := exec.Command("go", "env", name)
	cmd.Dir = folder
	text, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("go env %s: %w", name, err)
	}
	value := strings.TrimSpace(string(text))
	if value == "" || value == os.DevNull {
		return "", fmt.Errorf("go env %s: expected a value, found none", name)
	}
	return value, nil
}
