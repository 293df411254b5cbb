package web

import (
	"bytes"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// TestDedupe logs errors, and "well" where there is none, at some seconds, each at a route of its own, and looks at what comes out.
func TestDedupe(t *testing.T) {
	type fault struct {
		second time.Duration
		err    string
	}
	for _, test := range []struct {
		name string
		said []fault
		want []string
	}{
		{"the first of each", []fault{{0, "full"}, {0, "gone"}, {2, "full"}, {3, "gone"}}, []string{
			"0s failed route=0 error=full", "0s failed route=1 error=gone",
		}},
		{"an outage", []fault{{0, "full"}, {3, "full"}, {9, "full"}, {10, "full"}, {20, "full"}}, []string{
			"0s failed route=0 error=full", "10s failed route=3 error=full left_out=2", "20s failed route=4 error=full",
		}},
		{"its end", []fault{{0, "full"}, {3, "full"}, {4, "full"}, {9, ""}, {60, ""}}, []string{
			"0s failed route=0 error=full", "9s well", "1m0s well",
		}},
		{"another begins", []fault{{0, "full"}, {3, "full"}, {12, "gone"}, {13, "full"}}, []string{
			"0s failed route=0 error=full", "12s failed route=2 error=gone",
			"13s failed route=3 error=full left_out=1",
		}},
		{"another day", []fault{{0, "full"}, {3, "full"}, {4000, "gone"}, {4001, "full"}}, []string{
			"0s failed route=0 error=full", "1h6m40s failed route=2 error=gone",
			"1h6m41s failed route=3 error=full",
		}},
		{"names and numbers", []fault{{0, `"k3v9":7`}, {1, `"x4ab":12`}}, []string{`0s failed route=0 error="\"k3v9\":7"`}},
		{"no fault", []fault{{0, ""}, {0, ""}}, []string{"0s well", "0s well"}},
	} {
		synctest.Test(t, func(t *testing.T) {
			var text bytes.Buffer
			start := time.Now()
			log := slog.New(Dedupe(slog.NewTextHandler(&text, &slog.HandlerOptions{ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
				switch a.Key {
				case slog.TimeKey:
					return slog.Duration(a.Key, a.Value.Time().Sub(start))
				case slog.LevelKey:
					return slog.Attr{}
				}
				return a
			}})))
			for i, s := range test.said {
				time.Sleep(time.Until(start.Add(s.second * time.Second)))
				if s.err == "" {
					log.Info("well")
				} else {
					log.With("route", i).Error("failed", "error", errors.New(s.err))
				}
			}
			got := strings.NewReplacer("time=", "", "msg=", "").Replace(text.String())
			if want := strings.Join(test.want, "\n") + "\n"; got != want {
				t.Errorf("%s: got\n%swant\n%s", test.name, got, want)
			}
		})
	}
}
