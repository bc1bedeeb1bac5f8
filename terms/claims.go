package terms

import (
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/rdfproto/rdfproto/agentcard"
	"github.com/rdfproto/rdfproto/internal/strictjson"
)

// Claim is a phrase of a card that looks like a price or a term, beside the
// verified clause that states it (section B.3, E-9). Finding such phrases is for
// people to look at: what a sentence promises is not decided by a machine.
type Claim struct {
	Phrase  string `json:"phrase"`
	Pointer string `json:"pointer"` // in the card
	Line    int    `json:"line"`
	Column  int    `json:"column"`
	// Stated reports that a verified clause says the same, which Clause names, with its
	// Grade, in the proposal of Digest.
	Stated bool   `json:"stated"`
	Clause string `json:"clause,omitempty"`
	Grade  Grade  `json:"grade,omitempty"`
	Digest string `json:"digest,omitempty"`
}

// currencies are the codes of ISO 4217 for money that circulates, and the one of
// the examples of the specification.
const currencies = "AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CLP CNY COP CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL HTG HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX USD UYU UZS VED VES VND VUV WST XAF XCD XCR XOF XPF YER ZAR ZMW ZWG"

// claimPattern is compiled when it is first needed: most calls of a program look at
// no prose.
var claimPattern = sync.OnceValue(func() *regexp.Regexp {
	const (
		sign   = `(?:\b[A-Z]{1,3})?[$€£¥₹₩₽₺₫₴₦₱฿₿]`
		amount = `[0-9][0-9.,' ]*`
		// A multiplier or a range belongs to the phrase: without it the amount would be
		// another one, which a clause may state.
		times = `(?: ?(?:[kKmMbB]|mn|bn|(?i:thousand|million|billion))\b)?`
		until = `(?: ?[-–—] ?` + amount + `)?`
	)
	code := `(?:` + strings.ReplaceAll(currencies, " ", "|") + `)`
	return regexp.MustCompile(
		`(?:` + sign + `|\b` + code + `) ?` + amount + until + times +
			`|` + amount + until + times + ` ?(?:` + sign + `|` + code + `\b)` + times +
			`|(?i:\b(?:free|no[ -]charge|per[ -]task|no[ -]training)\b)`)
})

// maxClaims bounds how many phrases are reported.
const maxClaims = 200

// findClaims finds the phrases of a card's prose: its description, and names,
// descriptions, tags and examples of its skills.
func findClaims(card *agentcard.Card) []Claim {
	var out []Claim
	root := card.Root()
	var f finder
	look := func(v strictjson.Value) {
		s, ok := v.Str()
		if !ok || len(out) >= maxClaims {
			return
		}
		for _, phrase := range claimPattern().FindAllString(s, maxClaims-len(out)) {
			line, column := f.place(v)
			out = append(out, Claim{Phrase: strings.Trim(phrase, " .,'"), Pointer: v.Pointer(), Line: line, Column: column})
		}
	}
	look(root.Get("description"))
	for _, skill := range root.Get("skills").Items() {
		look(skill.Get("name"))
		look(skill.Get("description"))
		for _, list := range []string{"tags", "examples"} {
			for _, v := range skill.Get(list).Items() {
				look(v)
			}
		}
	}
	return out
}

// readClaims finds the phrases of a card, and the clauses of verified proposals that
// state them.
func readClaims(card *agentcard.Card, proposals []*Proposal) []Claim {
	claims := findClaims(card)
	for i := range claims {
		c := &claims[i]
		said := readPhrase(c.Phrase)
		for _, p := range proposals {
			if path := p.states(said); path != "" {
				c.Stated, c.Clause, c.Digest = true, path, p.digest.String()
				c.Grade = p.gradeOf(path)
				break
			}
		}
	}
	return claims
}

// phrase is what a phrase says. A card can have a long one, and many proposals.
type phrase struct {
	low      string // in lower case, without hyphens
	currency string
	amount   int64
	isMoney  bool
}

func readPhrase(s string) phrase {
	p := phrase{low: strings.ReplaceAll(strings.ToLower(s), "-", " ")}
	p.currency, p.amount, p.isMoney = money(s)
	return p
}

// states returns the path of the clause that says the same as a phrase, "" for none.
func (p *Proposal) states(said phrase) string {
	switch said.low {
	case "free", "no charge":
		if p.price.arrangement == noCharge {
			return "price.arrangement"
		}
		return ""
	case "per task":
		if len(p.price.rates) > 0 {
			return p.price.rates[0].path
		}
		return ""
	case "no training":
		if b, _ := p.Root().Get("confidentiality").Get("promises").Get("no_training").Bool(); b {
			return "confidentiality.promises.no_training"
		}
		return ""
	}
	amount := said.amount
	if !said.isMoney || said.currency != p.price.currency {
		return ""
	}
	for _, r := range p.price.rates {
		if r.perTask == amount {
			return r.path
		}
	}
	for _, m := range p.price.meters {
		if m.perUnit == amount {
			return m.path
		}
	}
	if p.price.arrangement == timeAndMaterials && p.price.cap == amount {
		return "price.cap.amount"
	}
	return ""
}

// money reads an amount with its currency, in the smallest unit of the currency. A sign
// that several currencies share means the most common of them, unless letters come
// before it.
func money(phrase string) (currency string, amount int64, ok bool) {
	signs := [...]struct{ sign, code string }{{"US$", "USD"}, {"$", "USD"}, {"€", "EUR"}, {"£", "GBP"}, {"¥", "JPY"}, {"₹", "INR"}, {"₩", "KRW"}}
	for _, s := range signs {
		if currency == "" && strings.Contains(phrase, s.sign) {
			currency, phrase = s.code, strings.Replace(phrase, s.sign, "", 1)
		}
	}
	for code := range strings.FieldsSeq(currencies) {
		if currency == "" && strings.Contains(phrase, code) {
			currency, phrase = code, strings.Replace(phrase, code, "", 1)
		}
	}
	if currency == "" {
		return "", 0, false
	}
	amount, ok = smallest(strings.TrimSpace(phrase), decimals(currency))
	return currency, amount, ok
}

// smallest reads an amount in units of which each has some decimal places. What can be
// read in two ways is none: 1,234.567, and 1.000 of a currency of three places.
func smallest(s string, places int) (int64, bool) {
	separator := func(r rune) bool { return strings.ContainsRune(".,' ", r) }
	groups := strings.FieldsFunc(s, separator)
	between := strings.Map(func(r rune) rune {
		if separator(r) {
			return r
		}
		return -1
	}, s)
	n := len(groups)
	if n == 0 || len(between) != n-1 { // at an end, or two in a row
		return 0, false
	}
	fraction := ""
	if last := groups[n-1]; n > 1 && len(last) != 3 {
		point := between[n-2:]
		if len(last) > places || !strings.Contains(".,", point) || strings.Contains(between[:n-2], point) {
			return 0, false
		}
		fraction, groups, between = last, groups[:n-1], between[:n-2]
	} else if n == 2 && places == 3 {
		return 0, false
	}
	for i, thousands := range groups[1:] {
		if len(thousands) != 3 || between[i] != between[0] || len(groups[0]) > 3 || groups[0][0] == '0' {
			return 0, false
		}
	}
	digits := strings.Join(groups, "") + fraction + strings.Repeat("0", places-len(fraction))
	if len(digits) > 18 {
		return 0, false
	}
	amount, err := strconv.ParseInt(digits, 10, 64)
	return amount, err == nil
}

// decimals returns how many decimal places the smallest unit of a currency has; 2 for
// an unknown one.
func decimals(currency string) int {
	switch currency {
	case "BIF", "CLP", "DJF", "GNF", "ISK", "JPY", "KMF", "KRW", "PYG", "RWF", "UGX", "VND", "VUV", "XAF", "XOF", "XPF", "XCR":
		return 0
	case "BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND":
		return 3
	}
	return 2
}
