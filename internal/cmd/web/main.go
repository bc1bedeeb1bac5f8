//go:build js && wasm

// Command web is the engine behind the page in web/, as WebAssembly: it gives the worker
// that loads it one function, which takes the texts of the page as JSON and returns the
// answer as JSON (package internal/page). Command buildweb builds it.
package main

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"runtime/debug"
	"syscall/js"
	"time"

	"github.com/rdfproto/rdfproto/internal/page"
)

func main() {
	version := ""
	if info, ok := debug.ReadBuildInfo(); ok {
		version = info.Main.Version
	}
	js.Global().Set("rdfproto", map[string]any{
		"version": version,
		"judge":   js.FuncOf(func(_ js.Value, args []js.Value) any { return judge(args[0].String()) }),
	})
	select {} // the worker ends it
}

// judge answers one input. Whoever wants no answer any more ends the worker, so there is
// no deadline.
func judge(text string) string {
	var in page.Input
	if err := json.Unmarshal([]byte(text), &in); err != nil {
		return failed(err)
	}
	in.Now = time.Now()
	out, err := page.Judge(context.Background(), in, rand.Reader)
	if err != nil {
		return failed(err)
	}
	data, err := json.Marshal(out)
	if err != nil {
		return failed(err)
	}
	return string(data)
}

// failed is the answer when there is none.
func failed(err error) string {
	data, err := json.Marshal(page.Output{Verdict: page.Verdict{Status: page.Refused, Code: "failed", Message: err.Error()}})
	if err != nil {
		return `{"verdict":{"status":"refused","code":"failed","message":"there is no answer"}}`
	}
	return string(data)
}
