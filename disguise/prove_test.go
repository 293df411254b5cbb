package disguise

import (
	"testing"
	"time"

	"digitduel/digit"
)

func TestBooks(t *testing.T) {
	for _, b := range digit.Books {
		began := time.Now()
		table, err := NewTable(t.Context(), b.Rules)
		if err != nil {
			t.Fatal(err)
		}
		built := time.Since(began)
		began = time.Now()
		for seed := range uint64(2) {
			d, err := New(b.Rules, seed)
			if err != nil {
				t.Fatal(err)
			}
			c, err := table.Prove(t.Context(), d)
			if err != nil {
				t.Errorf("%s, seed %d: %v", b.Name, seed, err)
			}
			t.Log(b.Name, c, built, time.Since(began)/2)
		}
	}
}
