package jsonld_test

import (
	"bufio"
	"bytes"
	"fmt"
	"math"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rdfproto/rdfproto/internal/suite"
	"github.com/rdfproto/rdfproto/rdf"
	"github.com/rdfproto/rdfproto/rdf/jsonld"
	"github.com/rdfproto/rdfproto/rdf/vocab"
)

// object returns the only object of a document.
func object(t *testing.T, document string, o jsonld.Options) (rdf.Term, error) {
	t.Helper()
	d, err := jsonld.Parse([]byte(document), o)
	if err != nil {
		return rdf.Term{}, err
	}
	require.Equal(t, 1, d.Len(), document)
	return d.Term(d.Quad(0).O), nil
}

func TestNumbers(t *testing.T) {
	t.Parallel()
	const integer, double = vocab.XSDInteger, vocab.XSDDouble
	for _, tt := range []struct {
		number, lexical, datatype string
		inexact                   bool // refused unless it may be lossy
	}{
		{"0", "0", integer, false},
		{"1", "1", integer, false},
		{"-1", "-1", integer, false},
		{"-0", "0", integer, false},
		{"0.0", "0", integer, false},
		{"-0.0e5", "0", integer, false},
		{"0e999999999999999999999", "0", integer, false},
		{"1.0", "1", integer, false},
		{"1e3", "1000", integer, false},
		{"1.5e1", "15", integer, false},
		{"1500e-2", "15", integer, false},
		{"123456789012345", "123456789012345", integer, false},
		{"9007199254740992", "9007199254740992", integer, false},
		{"9007199254740993", "9007199254740992", integer, true},
		{"-9007199254740993", "-9007199254740992", integer, true},
		{"9007199254740993.0", "9007199254740992", integer, true},
		{"9.007199254740993e15", "9007199254740992", integer, true},
		{"9007199254740994", "9007199254740994", integer, false},
		{"100000000000000000000", "100000000000000000000", integer, false},
		{"999999999999999999999", "1.0E21", double, true},
		{"12345678901234567890", "12345678901234567168", integer, true},
		{"1e20", "100000000000000000000", integer, false},
		{"1e21", "1.0E21", double, false},
		{"1000000000000000000000", "1.0E21", double, false},
		{"1000000000000000000001", "1.0E21", double, true},
		{"1e23", "9.999999999999999E22", double, false},
		{"100000000000000000000000", "9.999999999999999E22", double, true},
		{"1.7976931348623157e308", "1.797693134862316E308", double, false},
		{"5e-324", "4.940656458412465E-324", double, false},
		{"1e-400", "0", integer, true},
		{"0.1", "1.0E-1", double, false},
		{"9.95", "9.949999999999999E0", double, false},
		{"1.5", "1.5E0", double, false},
		{"-1.5", "-1.5E0", double, false},
		{"123.456", "1.23456E2", double, false},
		{"5.55e5", "555000", integer, false},
		{"0.30000000000000004", "3.0E-1", double, false},
		{"1.0000000000000000001", "1", integer, true},
		{"123456789012345678901234.5", "1.234567890123457E23", double, false},
		// Halves of the last digit, up and not to even.
		{"5.9604644775390625e-8", "5.960464477539063E-8", double, false},
		{"1.1920928955078125e-7", "1.192092895507813E-7", double, false},
		{"2.3841857910156250e-7", "2.384185791015625E-7", double, false},
	} {
		t.Run(tt.number, func(t *testing.T) {
			t.Parallel()
			document := `{"urn:p":` + tt.number + `}`
			got, err := object(t, document, jsonld.Options{Lossy: true})
			require.NoError(t, err)
			assert.Equal(t, tt.lexical, got.Value())
			assert.Equal(t, tt.datatype, got.Datatype())
			_, err = object(t, document, jsonld.Options{})
			if !tt.inexact {
				assert.NoError(t, err)
				return
			}
			var e *jsonld.Error
			require.ErrorAs(t, err, &e)
			assert.Equal(t, jsonld.CodeInexactNumber, e.Code)
		})
	}
}

func TestNumbersAsDoubles(t *testing.T) {
	t.Parallel()
	for number, want := range map[string]string{
		"0": "0.0E0", "-0": "0.0E0", "5": "5.0E0", "-10": "-1.0E1", "1e21": "1.0E21", "0.5": "5.0E-1", "123456789012345": "1.23456789012345E14",
	} {
		got, err := object(t, `{"urn:p":{"@value":`+number+`,"@type":"`+vocab.XSDDouble+`"}}`, jsonld.Options{})
		require.NoError(t, err)
		assert.Equal(t, want, got.Value(), number)
	}
	got, err := object(t, `{"urn:p":{"@value":5.5,"@type":"urn:dt"}}`, jsonld.Options{})
	require.NoError(t, err)
	assert.Equal(t, "5.5E0", got.Value())
	assert.Equal(t, "urn:dt", got.Datatype())
}

func TestSuiteES6Numbers(t *testing.T) {
	t.Parallel()
	dir := suite.Dir(t, "jcs")
	lines := bufio.NewScanner(bytes.NewReader(suite.ReadFile(t, filepath.Join(dir, "es6numbers-sample.txt"))))
	n := 0
	for ; lines.Scan(); n++ {
		bits, want, ok := strings.Cut(lines.Text(), ",")
		require.True(t, ok)
		u, err := strconv.ParseUint(bits, 16, 64)
		require.NoError(t, err)
		number := strconv.FormatFloat(math.Float64frombits(u), 'e', -1, 64)
		got, err := object(t, `{"urn:p":{"@type":"@json","@value":`+number+`}}`, jsonld.Options{Lossy: true})
		require.NoError(t, err)
		require.Equal(t, want, got.Value(), number)
	}
	assert.Equal(t, 10_000, n)
}

func TestSuiteJCS(t *testing.T) {
	t.Parallel()
	dir := suite.Dir(t, "jcs")
	inputs, err := filepath.Glob(filepath.Join(dir, "input", "*.json"))
	require.NoError(t, err)
	assert.Len(t, inputs, 6)
	for _, input := range inputs {
		want := suite.ReadFile(t, filepath.Join(dir, "output", filepath.Base(input)))
		got, err := object(t, fmt.Sprintf(`{"urn:p":{"@type":"@json","@value":%s}}`, suite.ReadFile(t, input)), jsonld.Options{Lossy: true})
		require.NoError(t, err)
		assert.Equal(t, string(want), got.Value(), input)
	}
}

func TestJSONLiterals(t *testing.T) {
	t.Parallel()
	for json, want := range map[string]string{
		`"\u0000\b\t\n\f\r\"\\\/\u007f\u2028é😀"`:                                    `"\u0000\b\t\n\f\r\"\\/` + "\u007f\u2028é😀\"",
		`{"\ufb33":1,"😀":2,"\u0080":3,"\r":4,"1":5,"ö":6,"€":7,"":8,"a":9,"ab":10}`: `{"":8,"\r":4,"1":5,"a":9,"ab":10,"` + "\u0080" + `":3,"ö":6,"€":7,"😀":2,"` + "\ufb33" + `":1}`,
		`{"𐐷":1,"𐐶":2}`:                     `{"𐐶":2,"𐐷":1}`,
		`[1e30,-0,1e-7,0.000001,4.50,2e-3]`: `[1e+30,0,1e-7,0.000001,4.5,0.002]`,
		`[ ]`:                               `[]`,
		`{ }`:                               `{}`,
		`true`:                              `true`,
		`null`:                              `null`,
	} {
		got, err := object(t, `{"urn:p":{"@type":"@json","@value":`+json+`}}`, jsonld.Options{})
		require.NoError(t, err, json)
		assert.Equal(t, want, got.Value(), json)
		assert.Equal(t, vocab.RDFJSON, got.Datatype())
	}
}
