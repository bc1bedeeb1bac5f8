package xsd

import "cmp"

// nat is a natural number of any size in base 10⁹, the lowest limb first and the
// highest not zero. Decimal limbs make reading one linear in its digits, which
// it is not in base two.
type nat []uint32

const (
	natBase   = 1_000_000_000
	natDigits = 9
)

func parseNat(digits string) nat {
	n := make(nat, 0, len(digits)/natDigits+2)
	for end := len(digits); end > 0; end -= natDigits {
		limb := uint32(0)
		for _, c := range []byte(digits[max(0, end-natDigits):end]) {
			limb = 10*limb + uint32(c-'0')
		}
		n = append(n, limb)
	}
	return n.trim()
}

func natOf(n uint64) nat {
	var out nat
	for ; n > 0; n /= natBase {
		out = append(out, uint32(n%natBase))
	}
	return out
}

func (n nat) trim() nat {
	for len(n) > 0 && n[len(n)-1] == 0 {
		n = n[:len(n)-1]
	}
	return n
}

// mulAdd returns n times by plus m.
func (n nat) mulAdd(by uint64, m nat) nat {
	out := make(nat, 0, max(len(n), len(m))+2)
	carry := uint64(0)
	for i := 0; i < len(n) || i < len(m) || carry > 0; i++ {
		if i < len(n) {
			carry += uint64(n[i]) * by
		}
		if i < len(m) {
			carry += uint64(m[i])
		}
		out = append(out, uint32(carry%natBase))
		carry /= natBase
	}
	return out
}

// div returns the quotient and the remainder of n by a small number.
func (n nat) div(by uint64) (nat, uint64) {
	out := make(nat, len(n))
	rest := uint64(0)
	for i := len(n) - 1; i >= 0; i-- {
		rest = rest*natBase + uint64(n[i])
		out[i] = uint32(rest / by)
		rest %= by
	}
	return out.trim(), rest
}

func compareNat(a, b nat) int {
	if c := cmp.Compare(len(a), len(b)); c != 0 {
		return c
	}
	for i := len(a) - 1; i >= 0; i-- {
		if c := cmp.Compare(a[i], b[i]); c != 0 {
			return c
		}
	}
	return 0
}
