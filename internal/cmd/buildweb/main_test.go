package main

import (
	"net/http"
	"net/http/httptest"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
)

const (
	ready = `["yes","no","refused","nothing"].includes(document.getElementById("results").dataset.status) && !document.getElementById("check").disabled && !document.getElementById("results").ariaBusy`
	text  = `document.querySelector("main").innerText`
)

// TestEngineLinksNoNetwork: the page could not use it, and would be larger.
func TestEngineLinksNoNetwork(t *testing.T) {
	t.Parallel()
	cmd := exec.Command("go", "list", "-deps", "./internal/cmd/web")
	cmd.Dir = filepath.Join("..", "..", "..")
	cmd.Env = append(cmd.Environ(), "GOOS=js", "GOARCH=wasm")
	out, err := cmd.Output()
	require.NoError(t, err)
	packages := strings.Fields(string(out))
	require.Contains(t, packages, "github.com/rdfproto/rdfproto/internal/page")
	for _, p := range packages {
		for _, no := range []string{"net/http", "github.com/piprate/", "github.com/spf13/", "google.golang.org/", "github.com/redis/"} {
			require.False(t, strings.HasPrefix(p, no), p)
		}
	}
}

// TestPage drives the page as it is built: every example, by hand, by keyboard, and what
// it does on the network.
func TestPage(t *testing.T) {
	t.Parallel()
	program := chromium(t)
	folder := t.TempDir()
	size, err := build(filepath.Join("..", "..", ".."), folder)
	require.NoError(t, err)
	require.Less(t, size.packed, 4_000_000, "the engine has become larger")

	var asked atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		http.FileServer(http.Dir(folder)).ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	b := startBrowser(t, program)
	open := func(t *testing.T, id string) *tab {
		p := b.open(t, server.URL+"/#"+id, 1280, 900, "light")
		p.until(t, ready)
		return p
	}

	t.Run("examples", func(t *testing.T) {
		for _, row := range []struct {
			id         string
			says       []string
			saysNotOne string
		}{
			{"accepted", []string{
				"The intent is accepted.", "sha256:4af1e70e42283872cbc0dd3a5eeaa1bd86adda728c993447bed8930d990ab509",
				"Canonical form, 37 lines", "Nothing was found against it.", "7.3.8 The application gets the intent",
				"Not asked: no authority input was given.", "Conforms: 1 node checked", "Grant access 1.0.0",
			}, "Broken here"},
			{"incomplete", []string{
				"intent-invalid", "refused in step 7.3.6", "Expected at least 1 value, found 0.", "Expected an IRI, found a literal.", "intent 8:16", "document 38:17", "schema:recipient",
			}, "Canceled"},
			{"permitted", []string{
				"The intent is accepted.", "https://alice.pod.example/profile#me", "https://bob.pod.example/policies/agent#it", "acts", "Authorized.",
				"What the intent asks for:", "verified · eddsa-rdfc-2022", "Duties: odrl:inform, open.",
			}, "Broken here"},
			{"denied", []string{
				"authorization-denied", "refused in step 7.3.7", "does not permit it (phase D)", "Broken here:", "POLICY_DENIED", "write of https://alice.pod.example/notes/meeting",
			}, "The intent is accepted"},
			{"chain", []string{"Authorized.", "What the input asks for:", "read of https://alice.pod.example/notes/meeting"}, "Canonical form"},
		} {
			t.Run(row.id, func(t *testing.T) {
				p := open(t, row.id)
				got := p.eval(t, text)
				for _, want := range row.says {
					require.Contains(t, got, want)
				}
				require.NotContains(t, got, row.saysNotOne)
				p.screenshot(t, row.id+"-desktop-light")
			})
		}
	})

	t.Run("nothing leaves the page", func(t *testing.T) {
		p := open(t, "permitted")
		loaded, requests := asked.Load(), len(b.requests(p.session))
		require.NotZero(t, requests)
		for _, id := range []string{"denied", "chain", "incomplete"} {
			p.eval(t, `document.querySelector('[data-id="`+id+`"]').click()`)
			p.until(t, `document.querySelector('[data-id="`+id+`"]').ariaPressed === "true" && `+ready)
		}
		for _, script := range []string{
			`fetch("/index.html")`,
			`new Promise((resolve, reject) => { const i = new Image(); i.onload = resolve; i.onerror = reject; i.src = "/icon.svg?x"; })`,
			`import("/page.js?x")`,
			`new Promise((resolve, reject) => {
				const w = new Worker(URL.createObjectURL(new Blob(["fetch('` + server.URL + `/index.html').then(() => postMessage(1), () => postMessage(0))"])));
				w.onmessage = (e) => e.data ? resolve() : reject(); w.onerror = reject;
			})`,
			`new Promise((resolve, reject) => {
				const w = new Worker(URL.createObjectURL(new Blob(["try { importScripts('` + server.URL + `/worker.js'); postMessage(1) } catch { postMessage(0) }"])));
				w.onmessage = (e) => e.data ? resolve() : reject(); w.onerror = reject;
			})`,
		} {
			require.Equal(t, "refused", p.eval(t, `(`+script+`).then(() => "done", () => "refused")`), script)
		}
		require.Equal(t, loaded, asked.Load(), "the server was asked after the page was loaded")
		for _, url := range b.requests(p.session) {
			require.True(t, strings.HasPrefix(url, server.URL+"/") || strings.HasPrefix(url, "blob:"+server.URL), url)
		}
	})

	t.Run("by hand", func(t *testing.T) {
		p := open(t, "incomplete")
		p.eval(t, `[...document.querySelectorAll("button.place")].find((b) => b.textContent === "intent 11:18").click()`)
		require.Equal(t, `"read" intent`, p.eval(t, `{
			const a = document.activeElement;
			a.value.slice(a.selectionStart, a.selectionEnd) + " " + a.id }`))
		require.NotEqual(t, "0", p.eval(t, `document.querySelectorAll("mark").length`))

		// What was checked before is marked as such once a text changes.
		p.eval(t, `{ const a = document.getElementById("document"); a.focus(); a.select(); document.execCommand("insertText", false, "<urn:x> a x:y .") }`)
		require.Equal(t, "true", p.eval(t, `!document.getElementById("stale").hidden`))
		for _, kind := range []string{"keyDown", "keyUp"} {
			p.do(t, "Input.dispatchKeyEvent", params{"type": kind, "key": "Enter", "code": "Enter", "modifiers": 2, "windowsVirtualKeyCode": 13})
		}
		p.until(t, `document.getElementById("stale").hidden && `+ready)
		got := p.eval(t, text)
		require.Contains(t, got, "undefined-prefix")
		require.Contains(t, got, "document 1:11")
		require.Equal(t, "x:y", p.eval(t, `document.querySelector("mark").textContent`))

		p.eval(t, `document.getElementById("clear").click()`)
		p.until(t, `document.getElementById("results").dataset.status === "nothing"`)

		// Markup in a text is text.
		p.eval(t, `{ const a = document.getElementById("document"); a.focus(); document.execCommand("insertText", false, "<urn:<img src=x onerror=alert(1)>> a <urn:x> .") ; document.getElementById("check").click() }`)
		p.until(t, `document.getElementById("results").dataset.status === "refused"`)
		require.Equal(t, "0", p.eval(t, `document.querySelectorAll("main img").length`))
	})

	t.Run("canceled", func(t *testing.T) {
		p := open(t, "accepted")
		// Both in one turn: no answer can come between.
		p.eval(t, `document.getElementById("check").click(); document.getElementById("cancel").click()`)
		p.until(t, `document.getElementById("results").dataset.status === "nothing"`)
		require.Contains(t, p.eval(t, text), "Canceled. Nothing was decided.")
		p.eval(t, `document.querySelector('[data-id="accepted"]').click()`)
		p.until(t, `document.getElementById("results").dataset.status === "yes"`)
	})

	t.Run("looks", func(t *testing.T) {
		for _, row := range []struct {
			name          string
			width, height int
			scheme        string
		}{
			{"desktop-light", 1280, 900, "light"}, {"desktop-dark", 1280, 900, "dark"},
			{"phone-light", 360, 740, "light"}, {"phone-dark", 360, 740, "dark"},
		} {
			for _, id := range []string{"incomplete", "denied"} {
				t.Run(id+"-"+row.name, func(t *testing.T) {
					p := b.open(t, server.URL+"/#"+id, row.width, row.height, row.scheme)
					p.until(t, ready)
					p.eval(t, `document.querySelectorAll("details").forEach((d) => { d.open = true; })`)
					require.Empty(t, p.eval(t, unlabelled))
					require.Empty(t, p.eval(t, faint))
					require.Empty(t, p.eval(t, wide))
					p.screenshot(t, id+"-"+row.name)
				})
			}
		}
	})
}

// unlabelled lists controls without a name.
const unlabelled = `[...document.querySelectorAll("button, select, textarea, input")]
	.filter((e) => !(e.ariaLabel || e.textContent.trim() && e.tagName === "BUTTON" || e.labels?.length))
	.map((e) => e.outerHTML).join("\n")`

// wide lists what does not fit into the width of the page and cannot be scrolled to.
const wide = `(() => {
	const out = document.documentElement.scrollWidth > innerWidth ? ["the page is " + document.documentElement.scrollWidth + " wide"] : [];
	for (const e of document.querySelectorAll("main *, header *, footer *")) {
		if (e.closest("pre, .scroll, .editor, .visually-hidden")) continue;
		const r = e.getBoundingClientRect();
		if (r.width && r.right > innerWidth + 0.5) out.push(e.tagName + "." + e.className + ": " + e.textContent.slice(0, 60));
	}
	return out.join("\n");
})()`

// faint lists texts whose contrast is below that of WCAG 2.2, 1.4.3 (AA).
const faint = `(() => {
	const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
	const rgba = (css) => { canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = css; canvas.fillRect(0, 0, 1, 1); return [...canvas.getImageData(0, 0, 1, 1).data]; };
	const luminance = ([r, g, b]) => [r, g, b].map((c) => (c /= 255) <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4).reduce((s, c, i) => s + c * [0.2126, 0.7152, 0.0722][i], 0);
	const behind = (e) => { for (; e; e = e.parentElement) { const c = rgba(getComputedStyle(e).backgroundColor); if (c[3] > 250) return c; } return [255, 255, 255, 255]; };
	const out = [];
	for (const e of document.querySelectorAll("body *")) {
		if (![...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim()) || e.closest(".marks, .visually-hidden, .skip, [disabled]") || !e.checkVisibility()) continue;
		const a = luminance(rgba(getComputedStyle(e).color)), b = luminance(behind(e));
		const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
		if (ratio < 4.5) out.push(ratio.toFixed(2) + " " + e.tagName + "." + e.className + ": " + e.textContent.slice(0, 40));
	}
	return [...new Set(out)].join("\n");
})()`
