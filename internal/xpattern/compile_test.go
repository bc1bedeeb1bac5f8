package xpattern_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/internal/xpattern"
)

// The ranges that \i and \c are written out to.
const (
	letters  = `\x{C0}-\x{D6}\x{D8}-\x{F6}\x{F8}-\x{2FF}\x{370}-\x{37D}\x{37F}-\x{1FFF}\x{200C}\x{200D}` + letters2
	letters2 = `\x{2070}-\x{218F}\x{2C00}-\x{2FEF}\x{3001}-\x{D7FF}\x{F900}-\x{FDCF}\x{FDF0}-\x{FFFD}\x{10000}-\x{EFFFF}`
	initial  = `:A-Z_a-z` + letters
	name     = `\-\.0-:A-Z_a-z\x{B7}\x{C0}-\x{D6}\x{D8}-\x{F6}\x{F8}-\x{37D}\x{37F}-\x{1FFF}\x{200C}\x{200D}\x{203F}\x{2040}` + letters2
	nothing  = `[^\x00-\x{10FFFF}]`
)

// TestTranslation is the table of every construct of the grammar with what it
// becomes: XSD 1.1 part 2, appendix G, in its order, then the additions of F&O
// 3.1, section 5.6.1, then the flags.
func TestTranslation(t *testing.T) {
	t.Parallel()
	for _, row := range []struct{ construct, pattern, flags, want string }{
		{"empty", ``, "", ``},
		{"branches", `a|b|c`, "", `a|b|c`},
		{"empty branches", `|a|`, "", `|a|`},
		{"pieces", `abc`, "", `abc`},
		{"group", `(ab)c`, "", `abc`},
		{"group of branches", `(a|b)c`, "", `(?:a|b)c`},
		{"empty group", `a()b`, "", `ab`},
		{"nested groups", `((a|b)|c)d`, "", `(?:a|b|c)d`},

		{"quantifier ?", `a?`, "", `a?`},
		{"quantifier *", `a*`, "", `a*`},
		{"quantifier +", `a+`, "", `a+`},
		{"quantity {n}", `a{3}`, "", `a{3}`},
		{"quantity {0}", `a{0}`, "", `a{0}`},
		{"quantity {n,}", `a{3,}`, "", `a{3,}`},
		{"quantity {0,}", `a{0,}`, "", `a*`},
		{"quantity {1,}", `a{1,}`, "", `a+`},
		{"quantity {n,m}", `a{2,5}`, "", `a{2,5}`},
		{"quantity {0,1}", `a{0,1}`, "", `a?`},
		{"quantity with zeros in front", `a{002,0005}`, "", `a{2,5}`},
		{"largest quantity", `a{1000}`, "", `a{1000}`},
		{"quantified group", `(ab)*`, "", `(?:ab)*`},
		{"quantified branches", `(a|b){2}`, "", `(?:a|b){2}`},
		{"quantified quantifier", `(a*)+`, "", `(?:a*)+`},
		{"quantified empty group", `()*`, "", `(?:)*`},
		{"quantified anchor", `^*a`, "", `(?:\A)*a`},

		{"normal characters", `aÄ1 _-,:;<=>!"#%&'/@~` + "`", "", `a\x{C4}1 _\-,:;<=>!"#%&'/@~` + "`"},
		{"a character beyond the basic plane", "\U0001F600", "", `\x{1F600}`},
		{"a mark, a control", "\u0301\u0001", "", `\x{301}\x{1}`},
		{"escaped n, r, t", `\n\r\t`, "", `\n\r\t`},
		{"escaped metacharacters", `\\\|\.\?\*\+\(\)\{\}\-\[\]\^\$`, "", `\\\|\.\?\*\+\(\)\{\}\-\[\]\^\$`},

		{"wildcard", `.`, "", `[^\n\r]`},
		{`\s`, `\s`, "", `[\t\n\r ]`},
		{`\S`, `\S`, "", `[^\t\n\r ]`},
		{`\d`, `\d`, "", `\p{Nd}`},
		{`\D`, `\D`, "", `[^\p{Nd}]`},
		{`\w`, `\w`, "", `[^\p{P}\p{Z}\p{C}]`},
		{`\W`, `\W`, "", `[\p{P}\p{Z}\p{C}]`},
		{`\i`, `\i`, "", `[` + initial + `]`},
		{`\I`, `\I`, "", `[^` + initial + `]`},
		{`\c`, `\c`, "", `[` + name + `]`},
		{`\C`, `\C`, "", `[^` + name + `]`},
		{"category", `\p{Lu}`, "", `\p{Lu}`},
		{"category of one letter", `\p{L}`, "", `\p{L}`},
		{"not a category", `\P{Lu}`, "", `[^\p{Lu}]`},
		{"block", `\p{IsCyrillic}`, "", `[\x{400}-\x{4FF}]`},
		{"not a block", `\P{IsBasicLatin}`, "", `[^\x{0}-\x{7F}]`},

		{"class of one", `[a]`, "", `a`},
		{"class", `[abc]`, "", `[abc]`},
		{"negated class", `[^abc]`, "", `[^abc]`},
		{"range", `[a-z]`, "", `[a-z]`},
		{"range of one", `[a-a]`, "", `a`},
		{"range of two", `[a-b]`, "", `[ab]`},
		{"ranges", `[a-z0-9]`, "", `[a-z0-9]`},
		{"range of escapes", `[\t-\r]`, "", `[\t-\r]`},
		{"hyphen first", `[-a]`, "", `[\-a]`},
		{"hyphen last", `[a-]`, "", `[a\-]`},
		{"hyphen alone", `[-]`, "", `\-`},
		{"hyphen first, negated", `[^-a]`, "", `[^\-a]`},
		{"two hyphens", `[--]`, "", `[\-\-]`},
		{"hyphen after a range", `[a-c-]`, "", `[a-c\-]`},
		{"hyphen between a range and a character", `[a-c-e]`, "", `[a-c\-e]`},
		{"hyphen after an escape", `[\d-a]`, "", `[\p{Nd}\-a]`},
		{"caret not first", `[a^]`, "", `[a\^]`},
		{"caret twice", `[^^]`, "", `[^\^]`},
		{"metacharacters in a class", `[.?*+(){}|$]`, "", `[\.\?\*\+\(\)\{\}\|\$]`},
		{"escapes in a class", `[\n\[\]\\\^\-]`, "", `[\n\[\]\\\^\-]`},
		{`\s in a class`, `[\s,]`, "", `[\t\n\r ,]`},
		{`\S in a class`, `[\S ]`, "", `[\x{0}-\x{8}\x{B}\x{C}\x{E}-\x{1F}!-\x{10FFFF} ]`},
		{`\d, \D in a class`, `[\d\D]`, "", `[\p{Nd}\P{Nd}]`},
		{`\W in a class`, `[\Wa]`, "", `[\p{P}\p{Z}\p{C}a]`},
		{`\w in a class`, `[\w.-]`, "", `(?:[^\p{P}\p{Z}\p{C}]|[\.\-])`},
		{`\w in a class, repeated`, `[.\w]{2}`, "", `(?:[^\p{P}\p{Z}\p{C}]|\.){2}`},
		{`\w twice`, `[\w\w]`, "", `[^\p{P}\p{Z}\p{C}]`},
		{`\W negated`, `[^\W]`, "", `[^\p{P}\p{Z}\p{C}]`},
		{`\w negated`, `[^\w]`, "", `[\p{P}\p{Z}\p{C}]`},
		{"members twice", `[\p{Lu}aa-c\p{Lu}b]`, "i", `[\p{Lu}A-Ca-c]`},
		{`\i in a class`, `[\i\-]`, "", `[` + initial + `\-]`},
		{`\c negated`, `[^\c]`, "", `[^` + name + `]`},
		{"category in a class", `[\p{Lu}\P{L}1]`, "", `[\p{Lu}\P{L}1]`},
		{"block in a class", `[\p{IsGreek}\P{IsBasicLatin}]`, "", `[\x{370}-\x{3FF}\x{80}-\x{10FFFF}]`},

		{"subtraction", `[a-z-[aeiou]]`, "", `[b-df-hj-np-tv-z]`},
		{"subtraction of a range", `[a-z-[b-y]]`, "", `[az]`},
		{"nested subtraction", `[a-z-[b-y-[c-d]]]`, "", `[acdz]`},
		{"subtraction from a negated class", `[^a-z-[A-Z]]`, "", `[\x{0}-@\[-` + "`" + `\{-\x{10FFFF}]`},
		{"subtraction of a negated class", `[a-z-[^a-c]]`, "", `[a-c]`},
		{"subtraction after a hyphen", `[a--[b]]`, "", `[\-a]`},
		{"subtraction of everything", `[a-c-[a-z]]`, "", nothing},
		{"subtraction that leaves one", `[ab-[a]]`, "", `b`},
		{"subtraction of nothing there", `[\s\S-[^\d\D]]`, "", `(?s:.)`},
		{"subtraction from an escape", `[\s-[\n]]`, "", `[\t\r ]`},

		{"anchors", `^a$`, "", `\Aa\z`},
		{"anchors anywhere", `a^|$b`, "", `a\A|\zb`},
		{"group that does not capture", `(?:a|b)`, "", `a|b`},
		{"reluctant ?", `a??`, "", `a??`},
		{"reluctant *", `a*?`, "", `a*?`},
		{"reluctant +", `a+?`, "", `a+?`},
		{"reluctant quantity", `a{2,3}?b{2}?c{2,}?`, "", `a{2,3}?b{2}?c{2,}?`},

		{"s: wildcard", `.`, "s", `(?s:.)`},
		{"m: anchors", `^a$`, "m", `(?m:^)a(?m:$)`},
		{"m: an anchor that may be last", `^a*`, "m", `(?m:^)a*(?s:.)|(?m:^)a*a\z|\A\z`},
		{"m: without anchors", `a*`, "m", `a*`},
		{"x: white space", " a\tb\nc\r d ", "x", `abcd`},
		{"x: white space in a class stays", " [a b] ", "x", `[a b]`},
		{"x: white space in a nested class stays", " [a b-[ ]] c", "x", `[ab]c`},
		{"x: inside of an escape", `\ n\p{ Lu }`, "x", `\n\p{Lu}`},
		{"x: inside of a quantity", `a{ 1 , 2 } ?`, "x", `a{1,2}?`},
		{"x: an escaped bracket opens no class", `\[ a`, "x", `\[a`},
		{"i: character", `k1`, "i", `[Kk\x{212A}]1`},
		{"i: range", `[j-l]`, "i", `[J-Lj-l\x{212A}]`},
		{"i: negated", `[^Q]`, "i", `[^Qq]`},
		{"i: subtraction", `[a-d-[B]]`, "i", `[ACDacd]`},
		{"i: escapes stay", `\p{Lu}\d\i`, "i", `\p{Lu}\p{Nd}[` + initial + `]`},
		{"i: category in a class stays", `[\p{Lu}x]`, "i", `[\p{Lu}Xx]`},
		{"i: the dotless i", `i`, "i", `[Ii\x{131}]`},
		{"i: the dotted I", `İ`, "i", `\x{130}`},
		{"i: three variants", `σ`, "i", `[\x{3A3}\x{3C2}\x{3C3}]`},
		{"i: equal full mappings", "\ufb05", "i", `[\x{FB05}\x{FB06}]`},
		{"q", `a.b[*^`, "q", `a\.b\[\*\^`},
		{"q with i", `a.`, "qi", `[Aa]\.`},
		{"q turns off s, m, x", ` .^`, "smxq", ` \.\^`},
		{"flags twice", `a`, "iiss", `[Aa]`},
	} {
		t.Run(row.construct, func(t *testing.T) {
			t.Parallel()
			re, err := xpattern.Compile(row.pattern, row.flags)
			require.NoError(t, err)
			assert.Equal(t, row.want, re.String())
		})
	}
}

func TestCategories(t *testing.T) {
	t.Parallel()
	valid := strings.Fields("L Lu Ll Lt Lm Lo M Mn Mc Me N Nd Nl No P Pc Pd Ps Pe Pi Pf Po Z Zs Zl Zp S Sm Sc Sk So C Cc Cf Co Cn")
	for _, c := range valid {
		re, err := xpattern.Compile(`\p{`+c+`}`, "")
		require.NoError(t, err, c)
		assert.Equal(t, `\p{`+c+`}`, re.String())
	}
	for _, c := range strings.Fields("Cs LC Lx X l LU Letter Greek Any ^L L& L1 IsL Is isGreek") {
		_, err := xpattern.Compile(`\p{`+c+`}`, "")
		assert.Error(t, err, c)
	}
}

func TestBlocks(t *testing.T) {
	t.Parallel()
	// The names of XSD 1.0 part 2, appendix F.1.1, with a character of each.
	for name, r := range map[string]rune{
		"BasicLatin": 'a', "Latin-1Supplement": 'ÿ', "LatinExtended-A": 'Ā', "LatinExtended-B": 'ƀ', "IPAExtensions": 'ɐ',
		"SpacingModifierLetters": 'ʰ', "CombiningDiacriticalMarks": 0x300, "Greek": 'α', "GreekandCoptic": 'α', "Cyrillic": 'а', "Armenian": 0x531,
		"Hebrew": 0x5D0, "Arabic": 0x627, "Syriac": 0x710, "Thaana": 0x780, "Devanagari": 0x905, "Bengali": 0x985, "Gurmukhi": 0xA05,
		"Gujarati": 0xA85, "Oriya": 0xB05, "Tamil": 0xB85, "Telugu": 0xC05, "Kannada": 0xC85, "Malayalam": 0xD05, "Sinhala": 0xD85,
		"Thai": 0xE01, "Lao": 0xE81, "Tibetan": 0xF00, "Myanmar": 0x1000, "Georgian": 0x10D0, "HangulJamo": 0x1100, "Ethiopic": 0x1200,
		"Cherokee": 0x13A0, "UnifiedCanadianAboriginalSyllabics": 0x1401, "Ogham": 0x1681, "Runic": 0x16A0, "Khmer": 0x1780,
		"Mongolian": 0x1820, "LatinExtendedAdditional": 0x1E00, "GreekExtended": 0x1F00, "GeneralPunctuation": 0x2010,
		"SuperscriptsandSubscripts": 0x2070, "CurrencySymbols": '€', "CombiningMarksforSymbols": 0x20D0,
		"CombiningDiacriticalMarksforSymbols": 0x20D0, "LetterlikeSymbols": 0x2100, "NumberForms": 0x2153, "Arrows": '→',
		"MathematicalOperators": 0x2200, "MiscellaneousTechnical": 0x2300, "ControlPictures": 0x2400, "OpticalCharacterRecognition": 0x2440,
		"EnclosedAlphanumerics": 0x2460, "BoxDrawing": 0x2500, "BlockElements": 0x2580, "GeometricShapes": 0x25A0,
		"MiscellaneousSymbols": 0x2600, "Dingbats": 0x2701, "BraillePatterns": 0x2800, "CJKRadicalsSupplement": 0x2E80, "KangxiRadicals": 0x2F00,
		"IdeographicDescriptionCharacters": 0x2FF0, "CJKSymbolsandPunctuation": 0x3001, "Hiragana": 0x3041, "Katakana": 0x30A1,
		"Bopomofo": 0x3105, "HangulCompatibilityJamo": 0x3131, "Kanbun": 0x3190, "BopomofoExtended": 0x31A0,
		"EnclosedCJKLettersandMonths": 0x3200, "CJKCompatibility": 0x3300, "CJKUnifiedIdeographsExtensionA": 0x3400,
		"CJKUnifiedIdeographs": 0x4E00, "YiSyllables": 0xA000, "YiRadicals": 0xA490, "HangulSyllables": 0xAC00, "PrivateUse": 0xE000,
		"CJKCompatibilityIdeographs": 0xF900, "AlphabeticPresentationForms": 0xFB00, "ArabicPresentationForms-A": 0xFB50,
		"CombiningHalfMarks": 0xFE20, "CJKCompatibilityForms": 0xFE30, "SmallFormVariants": 0xFE50, "ArabicPresentationForms-B": 0xFE70,
		"HalfwidthandFullwidthForms": 0xFF01, "Specials": 0xFFFD, "OldItalic": 0x10300, "Gothic": 0x10330, "Deseret": 0x10400,
		"ByzantineMusicalSymbols": 0x1D000, "MusicalSymbols": 0x1D100, "MathematicalAlphanumericSymbols": 0x1D400,
		"CJKUnifiedIdeographsExtensionB": 0x20000, "CJKCompatibilityIdeographsSupplement": 0x2F800, "Tags": 0xE0001,
		"PrivateUseArea": 0xE000, "SupplementaryPrivateUseArea-A": 0xF0000, "SupplementaryPrivateUseArea-B": 0x100000, "Kawi": 0x11F00,
	} {
		re, err := xpattern.Compile(`^\p{Is`+name+`}$`, "")
		require.NoError(t, err, name)
		assert.True(t, re.MatchString(string(r)), name)
		not, err := xpattern.Compile(`^\P{Is`+name+`}$`, "")
		require.NoError(t, err, name)
		assert.False(t, not.MatchString(string(r)), name)
	}
	for _, name := range []string{"Nowhere", "basiclatin", "Basic Latin", "BASICLATIN", "HighSurrogates", "HighPrivateUseSurrogates", "LowSurrogates", ""} {
		_, err := xpattern.Compile(`\p{Is`+name+`}`, "")
		assert.Error(t, err, name)
	}
}

func TestRefused(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		pattern, flags string
		pos            int
		reason         string
	}{
		{`(a)\1`, "", 4, "back-references"},
		{`\0`, "", 1, `no escape \0`},
		{`\b`, "", 1, `no escape \b`},
		{`a\B`, "", 2, `no escape \B`},
		{`\u0041`, "", 1, `no escape \u`},
		{`\x41`, "", 1, `no escape \x`},
		{`\/`, "", 1, `no escape \/`},
		{`\"`, "", 1, `no escape \"`},
		{`\A`, "", 1, `no escape \A`},
		{`\Qa\E`, "", 1, `no escape \Q`},
		{`\é`, "", 1, `no escape \é`},
		{`[\b]`, "", 2, `no escape \b`},
		{`é\`, "", 2, "backslash at the end"},
		{`[\`, "", 2, "backslash at the end"},
		{`(?=a)`, "", 1, "no lookaround"},
		{`(?!a)`, "", 1, "no lookaround"},
		{`(?<=a)`, "", 1, "no lookaround"},
		{`(?<n>a)`, "", 1, "no names"},
		{`(?P<n>a)`, "", 1, "no names"},
		{`(?i)a`, "", 1, "no flags"},
		{`(?`, "", 1, "'(?:'"},
		{`(`, "", 1, "not closed"},
		{`a(b(c)`, "", 2, "not closed"},
		{`(?:`, "", 1, "not closed"},
		{`)`, "", 1, "without a '('"},
		{`a)b`, "", 2, "without a '('"},
		{`(a|*)`, "", 4, "nothing to repeat"},
		{`*`, "", 1, "nothing to repeat"},
		{`+a`, "", 1, "nothing to repeat"},
		{`?`, "", 1, "nothing to repeat"},
		{`{1}`, "", 1, "nothing to repeat"},
		{`a**`, "", 3, "nothing to repeat"},
		{`a+*`, "", 3, "nothing to repeat"},
		{`a*+`, "", 3, "nothing to repeat"},
		{`a???`, "", 4, "nothing to repeat"},
		{`a{1}{2}`, "", 5, "nothing to repeat"},
		{`a{`, "", 2, "quantity"},
		{`a{}`, "", 2, "quantity"},
		{`a{,2}`, "", 2, "quantity"},
		{`a{1,2,3}`, "", 2, "quantity"},
		{`a{1`, "", 2, "quantity"},
		{`a{1,`, "", 2, "quantity"},
		{`a{-1}`, "", 2, "quantity"},
		{`a{ 1}`, "", 2, "quantity"},
		{`a{x}`, "", 2, "quantity"},
		{`a{3,2}`, "", 2, "maximum below its minimum"},
		{`a{1001}`, "", 2, "more than 1000"},
		{`a{1001,}`, "", 2, "more than 1000"},
		{`a{0,1001}`, "", 2, "more than 1000"},
		{`a{99999999999999999999999999}`, "", 2, "more than 1000"},
		{`(a{1000}){1000}`, "", 0, "more than 1000"},
		{`}`, "", 1, "must be escaped"},
		{`a]`, "", 2, "must be escaped"},
		{`[`, "", 1, "not closed"},
		{`[a`, "", 1, "not closed"},
		{`[a-`, "", 1, "not closed"},
		{`[^`, "", 1, "not closed"},
		{`[a-[b]`, "", 1, "not closed"},
		{`[a-[b`, "", 4, "not closed"},
		{`[]`, "", 2, "must have a member"},
		{`[^]`, "", 3, "must have a member"},
		{`[]a]`, "", 2, "must have a member"},
		{`[a-[]]`, "", 5, "must have a member"},
		{`[a[b]]`, "", 3, "must be escaped"},
		{`[-[a]]`, "", 2, "nothing to subtract from"},
		{`[^-[a]]`, "", 3, "nothing to subtract from"},
		{`[a-[b]c]`, "", 7, "last part"},
		{`[a-[b]-[c]]`, "", 7, "last part"},
		{`[z-a]`, "", 2, "out of order"},
		{`[a-\d]`, "", 2, "end with a single character"},
		{`[a-\p{L}]`, "", 2, "end with a single character"},
		{`[--a]`, "", 2, "must be escaped"},
		{`[a--b]`, "", 2, "must be escaped"},
		{`[!--]`, "", 2, "must be escaped"},
		{`[[:alpha:]]`, "", 2, "must be escaped"},
		{`\p`, "", 1, "in braces"},
		{`\pL`, "", 1, "in braces"},
		{`\p{`, "", 1, "not closed"},
		{`\p{L`, "", 1, "not closed"},
		{`\p{` + strings.Repeat("L", 1000) + `}`, "", 1, "not closed"},
		{`\p{}`, "", 1, `no category or block ""`},
		{`a\p{Latin}`, "", 2, `no category or block "Latin"`},
		{`[\p{IsNowhere}]`, "", 2, `no category or block "IsNowhere"`},
		{"a\xff", "", 2, "not UTF-8"},
		{"a b \\1", "x", 5, "back-references"},
		{"a", "g", 0, `unknown flag 'g'`},
		{"a", "i m", 0, `unknown flag ' '`},
		{"a", "I", 0, `unknown flag 'I'`},
		{"(*", "q" + "z", 0, `unknown flag 'z'`},
		{strings.Repeat("(", 1001) + strings.Repeat(")", 1001), "", 1001, "nested"},
		{strings.Repeat("[a-", 1001), "", 3001, "nested"},
		{strings.Repeat("(a|", 900) + strings.Repeat(")*", 900), "", 0, "nested too deeply"},
		{strings.Repeat(`[^\w.]`, 1000), "", 0, "too large"},
		{strings.Repeat(`a?`, 100_000), "", 0, "more than 10000 states"},
		{strings.Repeat(`(a?){1000}`, 5), "", 0, "more than 10000 states"},
		{"^" + strings.Repeat(`a?`, 4_000), "m", 0, "more than 10000 states"},
	} {
		_, err := xpattern.Compile(row.pattern, row.flags)
		var e *xpattern.Error
		if !assert.ErrorAsf(t, err, &e, "%.40q", row.pattern) {
			continue
		}
		assert.Equalf(t, row.pos, e.Pos, "%.40q: %s", row.pattern, e)
		assert.Containsf(t, e.Reason, row.reason, "%.40q", row.pattern)
	}
}

func TestMatch(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		pattern, flags string
		yes, no        []string
	}{
		{``, "", []string{"", "a"}, nil},
		{`b`, "", []string{"abc"}, []string{"", "B"}},
		{`^b$`, "", []string{"b"}, []string{"b\n", "\nb", "ab", "bc"}},
		{`^$`, "", []string{""}, []string{"\n", "a"}},
		{`a.b`, "", []string{"axb", "a\u2028b", "a\U0001F600b"}, []string{"a\nb", "a\rb", "ab"}},
		{`a.b`, "s", []string{"a\nb", "a\rb"}, []string{"ab"}},
		{`^.$`, "", []string{"é", "\U0001F600"}, []string{"e\u0301"}},
		{`^\d$`, "", []string{"1", "\u0661", "\U0001D7D8"}, []string{"\u00b2", "\u2160", "a"}},
		{`^\w$`, "", []string{"a", "1", "é", "$", "+", "\u0301", "^", "~"}, []string{"_", "-", ".", " ", "\u00a0", "\u0085", "\ue000", "\u0378", ""}},
		{`^\W$`, "", []string{"_", " ", "\u0378"}, []string{"a", "$"}},
		{`^\s$`, "", []string{" ", "\t", "\n", "\r"}, []string{"\u00a0", "\v", "\f", "\u2003", "\u0085"}},
		{`^\S$`, "", []string{"\u00a0", "\v", "a"}, []string{" ", "\n"}},
		{`^\i\c*$`, "", []string{"a", ":", "_a-1.\u00b7", "é"}, []string{"1", "-a", "a b", "a/"}},
		{`^\I\C$`, "", []string{"1 ", "/*"}, []string{"a ", "1a"}},
		{`^[a-z-[aeiou]]+$`, "", []string{"xyz"}, []string{"xaz", "", "X"}},
		{`^[\w-[\d]]$`, "", []string{"a", "$"}, []string{"1", "_"}},
		{`^[\p{L}-[\p{IsBasicLatin}]]$`, "", []string{"é", "я"}, []string{"a", "1"}},
		{`^[\w\-.]+$`, "", []string{"a-b.c"}, []string{"a_b", "a b"}},
		{`^[^\w]$`, "", []string{"_"}, []string{"a"}},
		{`^[^\W_]$`, "", []string{"a"}, []string{"_", "-"}},
		{`^(ab|c){2}$`, "", []string{"abc", "cc", "abab"}, []string{"ab", "abcc"}},
		{`^a|b$`, "", []string{"ax", "xb"}, []string{"xax"}},
		{`^a{2,3}$`, "", []string{"aa", "aaa"}, []string{"a", "aaaa"}},
		{`^a{0}$`, "", []string{""}, []string{"a"}},
		{`^a{0,0}b$`, "", []string{"b"}, []string{"ab"}},
		{`^a*?$`, "", []string{"", "aaa"}, []string{"b"}},
		{`a^b`, "", nil, []string{"ab", "a\nb"}},
		{`STRASSE`, "i", []string{"straSSe", "\u017ftra\u017f\u017fe"}, []string{"straße"}},
		{`ß`, "i", []string{"ß", "ẞ"}, []string{"ss"}},
		{`^[A-Z-[IO]]$`, "i", []string{"A", "a", "\u212a"}, []string{"I", "i", "O", "o", "1"}},
		{`^[^Q]$`, "i", []string{"a"}, []string{"q", "Q"}},
		{`^\p{Lu}$`, "i", []string{"A"}, []string{"a"}},
		{`^ϴ$`, "i", []string{"ϴ", "θ"}, []string{"ϑ"}},
		{`^Aldi$`, "i", []string{"aldi", "ALDI"}, []string{"aldı\u0307"}},
		{`^ \d +$`, "x", []string{"123"}, []string{" 1"}},
		{`^[ ]$`, "x", []string{" "}, []string{""}},
		{`a.b`, "q", []string{"xa.by"}, []string{"axb"}},
		{`A.B`, "iq", []string{"a.b"}, []string{"axb"}},

		// The flag m, for each way a text can end.
		{`^b`, "m", []string{"b", "a\nb", "a\nb\n"}, []string{"ab"}},
		{`a$`, "m", []string{"a", "a\n", "a\nb"}, []string{"ab", "a\r\n"}},
		{`^$`, "m", []string{"", "\n", "\na", "a\n\nb", "a\n\n"}, []string{"a", "a\n", "a\nb", "a\nb\n"}},
		{`\n$`, "m", []string{"a\n\n", "\n\n", "\n\nb", "a\nb\n\n"}, []string{"a\n", "\n", "a\nb\n"}},
		{`\n^`, "m", []string{"a\nb", "\n\n"}, []string{"a\n", "\n", ""}},
		{`\n^$`, "m", []string{"a\n\n", "\n\n"}, []string{"a\n", "a\nb"}},
		{`a\s$`, "m", []string{"a ", "a \n", "a\n\n", "a\n\nb"}, []string{"a", "a\n", "a\nb"}},
		{`^\s*$`, "m", []string{"", " ", "\n", "a\n \nb", "a\n "}, []string{"a", "a\n", " a\n"}},
		{`(^a|\n$)+`, "m", []string{"a", "a\n", "b\n\n"}, []string{"b\n", "ba"}},
		{`(a$\n?)*c`, "m", []string{"c", "a\nc"}, []string{"a\n"}},
		{`^`, "m", []string{"", "a", "\n"}, nil},
		{`$`, "m", []string{"", "a", "a\n", "\n"}, nil},
		{`x*$`, "m", []string{"", "a", "a\n", "\n"}, nil},
		{`(\n$){2}`, "m", []string{"\n\n\n"}, []string{"\n\n", "a\n\n"}},
		{`(\n|^){2}$`, "m", []string{"\n\n", "\n\n\n", "\n", "a\n\n"}, []string{"a\n", "a"}},
	} {
		re, err := xpattern.Compile(row.pattern, row.flags)
		require.NoErrorf(t, err, "%q", row.pattern)
		for _, s := range row.yes {
			assert.Truef(t, re.MatchString(s), "%q flags %q matches %q (%s)", row.pattern, row.flags, s, re)
		}
		for _, s := range row.no {
			assert.Falsef(t, re.MatchString(s), "%q flags %q does not match %q (%s)", row.pattern, row.flags, s, re)
		}
	}
}

// TestBudget has patterns of which each part is small, and is refused for what it
// would be expanded to, before it is. Without that one of them takes a second and
// hundreds of megabytes.
func TestBudget(t *testing.T) {
	t.Parallel()
	const most = 1 << 20
	blocks := ""
	for i := range 4000 {
		blocks += string(rune(0x4E00 + 2*i))
	}
	for _, row := range []struct {
		name, pattern, flags string
		within               bool
	}{
		{"a class of the same two escapes", "[^" + strings.Repeat(`\P{L}\p{Lu}`, 1000) + "]", "", true},
		{"one escape again and again", strings.Repeat(`\p{L}`, 1000), "", false},
		{"in an expression that is repeated", `(\p{L}{30}){30}`, "", false},
		{"subtractions that leave nothing", strings.Repeat(`[\p{L}-[\p{L}]]`, 500), "", false},
		{"a long class at every level of subtractions", strings.Repeat("[\u0001-\U0010FFFF-", 700) + "[" + blocks + "]" + strings.Repeat("]", 700), "", false},
		{"all characters with their variants", "[" + strings.Repeat("!-\u2fff", 4000) + "]", "i", true},
		{"the same in as many classes", strings.Repeat("[!-\u2fff]", 4000), "i", false},
		{"words and more", strings.Repeat(`[\wa]`, 500), "", false},
		{"lines of classes", strings.Repeat(`[\p{L}\p{N}]`, 500) + "$", "m", false},
		{"a long text", strings.Repeat("a", most/40+1), "", false},
		{"a text", strings.Repeat("a", most/400), "", true},
		{"an error after a long text", strings.Repeat("a", most/80) + "(", "", true},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			_, bytes, err := xpattern.CompileWithin(row.pattern, row.flags, most)
			assert.GreaterOrEqual(t, bytes, 40*utf8.RuneCountInString(row.pattern))
			if !row.within {
				require.ErrorIs(t, err, xpattern.ErrBudget)
				assert.Greater(t, bytes, most)
				return
			}
			require.NotErrorIs(t, err, xpattern.ErrBudget)
			assert.LessOrEqual(t, bytes, most)
			_, _, err = xpattern.CompileWithin(row.pattern, row.flags, bytes-1)
			assert.ErrorIs(t, err, xpattern.ErrBudget)
		})
	}
}

func TestErrorText(t *testing.T) {
	t.Parallel()
	_, err := xpattern.Compile(`a\1`, "")
	assert.EqualError(t, err, "character 2: back-references are not supported: they cannot be matched in linear time")
	_, err = xpattern.Compile(`a`, "g")
	assert.EqualError(t, err, "unknown flag 'g', the flags are i, m, s, x and q")
}
