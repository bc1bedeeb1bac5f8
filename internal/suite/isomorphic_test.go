package suite_test

import (
	"testing"

	"github.com/rdfproto/rdfproto/internal/suite"
	"github.com/rdfproto/rdfproto/rdf/nquads"
)

func TestIsomorphic(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		name, a, b string
		want       bool
	}{
		{"empty", "", "", true},
		{"order", "<a:a> <a:b> <a:c> .\n<a:a> <a:b> <a:d> .\n", "<a:a> <a:b> <a:d> .\n<a:a> <a:b> <a:c> .\n", true},
		{"another term", "<a:a> <a:b> <a:c> .\n", "<a:a> <a:b> <a:d> .\n", false},
		{"another size", "<a:a> <a:b> <a:c> .\n", "", false},
		{"label", "_:x <a:b> _:y .\n", "_:y <a:b> _:z .\n", true},
		{"merged", "_:x <a:b> _:y .\n", "_:y <a:b> _:y .\n", false},
		{"graph", "_:x <a:b> _:x _:x .\n", "_:x <a:b> _:x _:y .\n", false},
		{"two rings of three against one of six",
			"_:a <a:b> _:b .\n_:b <a:b> _:c .\n_:c <a:b> _:a .\n_:d <a:b> _:e .\n_:e <a:b> _:f .\n_:f <a:b> _:d .\n",
			"_:a <a:b> _:b .\n_:b <a:b> _:c .\n_:c <a:b> _:d .\n_:d <a:b> _:e .\n_:e <a:b> _:f .\n_:f <a:b> _:a .\n", false},
		{"a ring turned", "_:a <a:b> _:b .\n_:b <a:b> _:c .\n_:c <a:b> _:a .\n", "_:z <a:b> _:x .\n_:x <a:b> _:y .\n_:y <a:b> _:z .\n", true},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			a, err := nquads.Parse([]byte(row.a), nquads.Options{})
			if err != nil {
				t.Fatal(err)
			}
			b, err := nquads.Parse([]byte(row.b), nquads.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if got := suite.Isomorphic(a, b); got != row.want {
				t.Errorf("got %v, want %v", got, row.want)
			}
		})
	}
}
