package main

import (
	"bufio"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// browser is a headless Chromium that is driven by the DevTools protocol over a pair of
// pipes: messages in JSON, a zero byte after each.
type browser struct {
	w io.Writer

	mu      sync.Mutex
	next    int
	waiting map[int]chan reply
	events  map[string][]string // by session: the URLs that were asked for
	gone    chan struct{}
}

type reply struct {
	Result json.RawMessage `json:"result"`
	Error  *struct {
		Message string `json:"message"`
	} `json:"error"`
}

// chromium returns the program, and skips the test where none is installed.
func chromium(t *testing.T) string {
	t.Helper()
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Skip("no chromium is installed: the page is not tested")
	return ""
}

func startBrowser(t *testing.T, program string) *browser {
	t.Helper()
	toRead, toWrite, err := os.Pipe()
	require.NoError(t, err)
	fromRead, fromWrite, err := os.Pipe()
	require.NoError(t, err)
	cmd := exec.Command(program, "--headless=new", "--no-sandbox", "--remote-debugging-pipe", "--user-data-dir="+t.TempDir(),
		"--no-first-run", "--disable-gpu", "--disable-dev-shm-usage", "--disable-background-networking", "--disable-component-update",
		"--hide-scrollbars", "--force-color-profile=srgb", "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1", "about:blank")
	cmd.ExtraFiles = []*os.File{toRead, fromWrite} // descriptors 3 and 4
	require.NoError(t, cmd.Start())
	require.NoError(t, toRead.Close())
	require.NoError(t, fromWrite.Close())
	b := &browser{w: toWrite, waiting: map[int]chan reply{}, events: map[string][]string{}, gone: make(chan struct{})}
	go b.read(fromRead)
	t.Cleanup(func() {
		b.send("", "Browser.close", nil)
		<-b.gone
		_ = toWrite.Close()
		_ = cmd.Wait()
		_ = fromRead.Close()
	})
	return b
}

func (b *browser) read(r io.Reader) {
	defer close(b.gone)
	in := bufio.NewReader(r)
	for {
		text, err := in.ReadBytes(0)
		if err != nil {
			return
		}
		var m struct {
			ID        int    `json:"id"`
			Method    string `json:"method"`
			SessionID string `json:"sessionId"`
			Params    struct {
				Request struct {
					URL string `json:"url"`
				} `json:"request"`
			} `json:"params"`
			reply
		}
		if json.Unmarshal(text[:len(text)-1], &m) != nil {
			continue
		}
		b.mu.Lock()
		if m.Method == "Network.requestWillBeSent" {
			b.events[m.SessionID] = append(b.events[m.SessionID], m.Params.Request.URL)
		}
		if c := b.waiting[m.ID]; c != nil {
			delete(b.waiting, m.ID)
			c <- m.reply
		}
		b.mu.Unlock()
	}
}

func (b *browser) send(session, method string, params any) chan reply {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.next++
	c := make(chan reply, 1)
	b.waiting[b.next] = c
	m := map[string]any{"id": b.next, "method": method}
	if params != nil {
		m["params"] = params
	}
	if session != "" {
		m["sessionId"] = session
	}
	text, err := json.Marshal(m)
	if err != nil {
		panic(err)
	}
	_, _ = b.w.Write(append(text, 0))
	return c
}

func (b *browser) call(t *testing.T, session, method string, params, result any) {
	t.Helper()
	select {
	case r := <-b.send(session, method, params):
		require.Nil(t, r.Error, "%s: %+v", method, r.Error)
		if result != nil {
			require.NoError(t, json.Unmarshal(r.Result, result))
		}
	case <-b.gone:
		require.Fail(t, "the browser ended", method)
	}
}

// requests returns the URLs that a page asked for.
func (b *browser) requests(session string) []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return append([]string{}, b.events[session]...)
}

// tab is a page of a browser.
type tab struct {
	b       *browser
	session string
}

type params map[string]any

func (b *browser) open(t *testing.T, url string, width, height int, scheme string) *tab {
	t.Helper()
	var target struct {
		TargetID string `json:"targetId"`
	}
	b.call(t, "", "Target.createTarget", params{"url": "about:blank"}, &target)
	var attached struct {
		SessionID string `json:"sessionId"`
	}
	b.call(t, "", "Target.attachToTarget", params{"targetId": target.TargetID, "flatten": true}, &attached)
	p := &tab{b, attached.SessionID}
	t.Cleanup(func() { b.send("", "Target.closeTarget", params{"targetId": target.TargetID}) })
	p.do(t, "Network.enable", nil)
	p.do(t, "Page.enable", nil)
	p.do(t, "Emulation.setDeviceMetricsOverride", params{"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600})
	p.do(t, "Emulation.setEmulatedMedia", params{"features": []params{{"name": "prefers-color-scheme", "value": scheme}}})
	p.do(t, "Page.navigate", params{"url": url})
	return p
}

func (p *tab) do(t *testing.T, method string, in params) {
	t.Helper()
	p.b.call(t, p.session, method, in, nil)
}

// eval returns what an expression of JavaScript comes to, once it is there if it is a
// promise.
func (p *tab) eval(t *testing.T, expression string) string {
	t.Helper()
	var out struct {
		Result struct {
			Value any `json:"value"`
		} `json:"result"`
		ExceptionDetails *struct {
			Text      string `json:"text"`
			Exception struct {
				Description string `json:"description"`
			} `json:"exception"`
		} `json:"exceptionDetails"`
	}
	p.b.call(t, p.session, "Runtime.evaluate", params{"expression": expression, "awaitPromise": true, "returnByValue": true}, &out)
	require.Nil(t, out.ExceptionDetails, "%s: %+v", expression, out.ExceptionDetails)
	if out.Result.Value == nil {
		return ""
	}
	return fmt.Sprint(out.Result.Value)
}

// until waits for a condition of the page to hold.
func (p *tab) until(t *testing.T, condition string) {
	t.Helper()
	got := p.eval(t, `new Promise((resolve) => {
		const end = Date.now() + 120000;
		const look = () => {
			let ok = false;
			try { ok = `+condition+`; } catch {}
			if (ok) resolve("yes");
			else if (Date.now() > end) resolve("never; the page says: " + document.body?.innerText);
			else setTimeout(look, 10);
		};
		look();
	})`)
	require.Equal(t, "yes", got, condition)
}

// screenshot writes a picture of the whole page into the folder that
// RDFPROTO_SCREENSHOTS names, for whoever wants to look.
func (p *tab) screenshot(t *testing.T, name string) {
	t.Helper()
	folder := os.Getenv("RDFPROTO_SCREENSHOTS")
	if folder == "" {
		return
	}
	var out struct {
		Data string `json:"data"`
	}
	p.b.call(t, p.session, "Page.captureScreenshot", params{"format": "png", "captureBeyondViewport": true}, &out)
	data, err := base64.StdEncoding.DecodeString(out.Data)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(folder+"/"+name+".png", data, 0o666))
}
