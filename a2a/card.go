package a2a

import (
	"bytes"
	"fmt"
	"net/http"
	"time"

	"github.com/rdfproto/rdfproto/agentcard"
	"github.com/rdfproto/rdfproto/canon"
)

// CardPath is where an agent serves its card (A2A 1.0, section 8.2).
const CardPath = "/.well-known/agent-card.json"

// CardHandler serves an Agent Card as the exact bytes that were signed, since a card
// that was read and written again may not verify. It answers GET and HEAD with an
// entity tag of the content, so that clients can revalidate cheaply, and lets the card
// be cached for maxAge, an hour if that is not positive.
//
// It fails for bytes that agentcard.Parse refuses, and when the card's declaration of the
// extension is invalid: clients would treat the agent as one without the extension.
//
// Mount it at [CardPath], for example with http.ServeMux.Handle.
func CardHandler(card []byte, maxAge time.Duration) (http.Handler, error) {
	parsed, err := agentcard.Parse(card, agentcard.Limits{})
	if err != nil {
		return nil, fmt.Errorf("the agent card: %w", err)
	}
	if d := parsed.Declaration(); d.Declared && !d.Valid {
		return nil, fmt.Errorf("the agent card declares the extension in an invalid form: %s", findings(d))
	}
	if maxAge <= 0 {
		maxAge = time.Hour
	}
	body := parsed.Bytes()
	tag := `"` + canon.Sum(body).String() + `"`
	age := fmt.Sprintf("public, max-age=%d", int64(maxAge/time.Second))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			w.Header().Set("Allow", "GET, HEAD")
			http.Error(w, "method not allowed", http.StatusMethodNotAllowed)
			return
		}
		h := w.Header()
		h.Set("Content-Type", "application/json")
		h.Set("ETag", tag)
		h.Set("Cache-Control", age)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Access-Control-Allow-Origin", "*") // a public card
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(body))
	}), nil
}

// findings says what is wrong with a declaration.
func findings(d agentcard.Declaration) string {
	if len(d.Findings) == 0 {
		return "no reason is known"
	}
	f := d.Findings[0]
	return fmt.Sprintf("%s at %s", f.Text, f.Pointer)
}
