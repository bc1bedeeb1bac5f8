package terms_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/rdfproto/rdfproto/agentcard"
	"github.com/rdfproto/rdfproto/terms"
)

// files is a fetcher that reads documents from files. The client of package fetch is one
// that asks their hosts.
type files map[string]string

func (f files) Proposal(_ context.Context, url string, _ bool) ([]byte, error) {
	name, ok := f[url]
	if !ok {
		return nil, terms.ErrNotAtHand
	}
	return os.ReadFile(name)
}

func ExampleVerify() {
	dir := filepath.Join("..", "testdata", "terms")
	data, err := os.ReadFile(filepath.Join(dir, "offers.json"))
	if err != nil {
		fmt.Println(err)
		return
	}
	card, err := agentcard.Parse(data, agentcard.Limits{})
	if err != nil {
		fmt.Println(err)
		return
	}
	report, err := terms.Verify(context.Background(), terms.Subject{Card: card}, terms.Options{
		At:      time.Date(2026, 11, 29, 0, 0, 0, 0, time.UTC),
		Fetcher: files{"https://example.com/q": filepath.Join(dir, "quote.json")},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	switch report.Terms {
	case terms.Stated:
		for _, p := range report.Proposals() {
			fmt.Println(p.Owner(), "offers", p.Summary())
		}
	case terms.Silent, terms.NoneVerified:
		fmt.Println("no terms are stated, which says nothing about a price")
	}
	// Output:
	// Pallet Quotes offers quote: arrangement fixed_fee, in the smallest unit of the currency; offering "quote": 250 EUR per task [enforced, provider's claim]
}
