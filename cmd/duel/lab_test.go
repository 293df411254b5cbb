package main

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"digitduel/lab"
)

// TestRepairs runs the commands that each repair is to be checked with, and looks for what they are to say.
func TestRepairs(t *testing.T) {
	kinds := map[string]bool{}
	for _, rules := range []string{"sevens", "highest", "divisibility target=25 width=3", "dilemma target=37 final=below width=2"} {
		var found struct{ Repairs []lab.Repair }
		if err := json.Unmarshal([]byte(said(t, "lab repair "+rules+" --json")), &found); err != nil {
			t.Fatal(err)
		}
		for i, r := range found.Repairs {
			if before := found.Repairs[max(0, i-1)]; r.Helps && !before.Helps || r.Helps == before.Helps && r.Worse > before.Worse {
				t.Errorf("%s: %q stands behind %q", rules, r.What, before.What)
			}
			if r.Helps {
				kinds[r.Kind] = true
			} else {
				kinds["no "+r.Kind] = true
			}
			for _, c := range r.Check {
				if got := said(t, strings.TrimPrefix(c.Command, "duel ")); !strings.Contains(got, c.Says) {
					t.Errorf("%s: %s: %s does not say %q:\n%s", rules, r.What, c.Command, c.Says, got)
				}
			}
		}
	}
	for _, kind := range []string{"pair", "lot", "rules", "swap", "forbid", "no rules", "no swap", "no forbid", "no lot"} {
		if !kinds[kind] {
			t.Errorf("there was no %s among %v", kind, kinds)
		}
	}
}

// said returns all that a command says.
func said(t *testing.T, line string) string {
	t.Helper()
	var out, errs bytes.Buffer
	if err := run(t.Context(), strings.Fields(line), strings.NewReader(""), &out, &errs); err != nil {
		t.Fatalf("%s: %v", line, err)
	}
	if strings.HasSuffix(line, "--json") {
		return out.String()
	}
	return out.String() + errs.String()
}
