package web

import (
	"context"
	"fmt"
	"io"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"digitduel/match"
)

// TestLines reads streams as they come over the wire, until the server stops: in chunks with an end, or to the end of the connection
// for a client that knows no chunks. Whoever speaks on a stream is not listened to.
func TestLines(t *testing.T) {
	const one, bye = "id: 1\nevent: opened\n", "event: bye\ndata: {}\n\n"
	for _, test := range []struct{ version, say, end string }{
		{"HTTP/1.1", "", "15\r\n" + bye + "\r\n0\r\n\r\n"},
		{"HTTP/1.0", "", "}\n\n" + bye},
		{"HTTP/1.1", "GET / HTTP/1.1\r\n", "}\n\n\r\n"},
	} {
		inBubble(t, func(t *testing.T, h *house) {
			table := h.open(`{"rules":"dilemma"}`)
			c, err := h.network.dial(t.Context(), "", "")
			if err != nil {
				t.Fatal(err)
			}
			defer c.Close()
			var got strings.Builder
			read := make(chan struct{})
			go func() {
				defer close(read)
				_, _ = io.Copy(&got, c)
			}()
			fmt.Fprintf(c, "GET %s/events %s\r\nHost: duel.example\r\n\r\n", table.path, test.version)
			synctest.Wait()
			table.say("1:7a")
			if test.say != "" {
				_, _ = io.WriteString(c, test.say) // which is cut off
			} else {
				h.stop()
			}
			<-read
			h.stop()
			h.Drain(context.Background())
			if text := got.String(); !strings.Contains(text, one) || !strings.Contains(text, "id: 3\nevent: moved\n") || !strings.HasSuffix(text, test.end) {
				t.Errorf("over %s, and saying %q: %q, want an end of %q", test.version, test.say, text, test.end)
			}
			if n := h.gate.streaming(); n != 0 {
				t.Errorf("over %s, and saying %q: %d streams are left", test.version, test.say, n)
			}
		})
	}
}

// A sink is an outlet that keeps what is sent.
type sink []string

func (s *sink) send(b []byte) error {
	*s = append(*s, string(b))
	return nil
}

// TestStreamBreaks holds that what breaks while a stream is told ends that stream alone, and is logged.
func TestStreamBreaks(t *testing.T) {
	h := newHouse(t)
	table := h.open(`{"rules":"dilemma"}`)
	v, err := h.Hall.Visit(t.Context(), table.id)
	if err != nil {
		t.Fatal(err)
	}
	c := h.newStream(httptest.NewRequestWithContext(t.Context(), "GET", table.path+"/events", nil), v, viewer{})
	defer c.leave()
	c.out, c.events = new(sink), func([]byte, []match.Step) ([]byte, error) { panic("a hole in the page") }
	now := make(chan struct{})
	close(now)
	if c.goOn(now, nil) || !strings.Contains(h.log.String(), "a hole in the page") {
		t.Errorf("the log is\n%s", h.log)
	}
}

// TestStreamInPieces holds that a long log is sent in pieces, in order, so that whoever reads slowly makes the server hold one of them.
func TestStreamInPieces(t *testing.T) {
	h := newHouse(t)
	table := h.open(`{"rules":"divisibility","best_of":99}`)
	const games = 60
	acts := make(chan struct{})
	close(acts)
	playAlone(t, h, table.id, games, acts)
	v, err := h.Hall.Visit(t.Context(), table.id)
	if err != nil {
		t.Fatal(err)
	}
	c := h.newStream(httptest.NewRequestWithContext(t.Context(), "GET", table.path+"/events", nil), v, viewer{})
	defer c.leave()
	got := new(sink)
	c.out, c.events = got, appendEvents
	for over := false; !over; {
		more, _, err := c.tell("")
		if err != nil {
			t.Fatal(err)
		}
		select {
		case <-more:
		default:
			over = true
		}
	}
	const piece = 64 << 10
	last := 0
	for _, text := range *got {
		for id := range strings.SplitSeq(strings.TrimPrefix(text, "id: "), "\n\nid: ") {
			if last++; !strings.HasPrefix(id, fmt.Sprint(last, "\n")) {
				t.Fatalf("after %d comes %.40q", last-1, id)
			}
		}
		if len(text) > piece {
			t.Errorf("a piece has %d bytes", len(text))
		}
	}
	if seq := v.Table.State().Seq; last != seq || len(*got) < seq*200/piece {
		t.Errorf("%d of %d events came in %d pieces", last, seq, len(*got))
	}
}

// TestPeopleAreToldSparingly lets many come to watch, a few at a time, and holds that a stream tells how many at most once a second, and all of them in the end.
func TestPeopleAreToldSparingly(t *testing.T) {
	const comings, each = 30, 5
	inBubble(t, func(t *testing.T, h *house) {
		ada, _ := h.pair(t, "dilemma")
		stream := h.listen(t, ada, "/t/"+ada.id()+"/live")
		defer stream.leave()
		v, err := h.Hall.Visit(t.Context(), ada.id())
		if err != nil {
			t.Fatal(err)
		}
		defer v.Close()
		start := time.Now()
		for range comings {
			for range each {
				defer v.StayToWatch()()
			}
			time.Sleep(100 * time.Millisecond)
		}
		told, last := 0, ""
		for ; !strings.Contains(last, fmt.Sprintf(`"%d people watch"`, comings*each)); told++ {
			last = stream.next("people")
		}
		if most := 2 + int(time.Since(start)/time.Second); told > most {
			t.Errorf("people were told of %d times in %v, want at most %d", told, time.Since(start), most)
		}
	})
}
