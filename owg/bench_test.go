package owg_test

import (
	"testing"

	"github.com/rdfproto/rdfproto/owg"
)

func BenchmarkValidate(b *testing.B) {
	data := []byte(file(b, "book-to-press.json"))
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		w, err := owg.Parse(data, owg.Limits{})
		if err != nil {
			b.Fatal(err)
		}
		if r, err := w.Validate(owg.ValidateOptions{Now: noon()}); err != nil || !r.Valid() {
			b.Fatal(err)
		}
	}
}

func BenchmarkTrace(b *testing.B) {
	w := parse(b, file(b, "book-to-press.json"))
	for b.Loop() {
		if t, err := w.Trace("binding"); err != nil || !t.Complete() {
			b.Fatal(err)
		}
	}
}

func BenchmarkUpdate(b *testing.B) {
	data := []byte(file(b, "task-completed.json"))
	for b.Loop() {
		f := owg.NewFollow(owg.Attempt{Task: "dub", Number: 1, Status: owg.StatusRunning}, []string{"dub_ep1"}, owg.Limits{})
		if _, err := f.Update(data, noon()); err != nil {
			b.Fatal(err)
		}
	}
}
