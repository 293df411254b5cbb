package load

import (
	"bufio"
	"io"
	"net"
	"testing"
	"time"
)

// parrot starts a server that costs as little as can be: it answers each request of a known length with the same words.
func parrot(b *testing.B, request int, answer string) (addr string) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer c.Close()
				in := bufio.NewReader(c)
				for {
					for line := ""; line != "\r\n"; {
						if line, err = in.ReadString('\n'); err != nil {
							return
						}
					}
					if _, err := in.Discard(request); err != nil {
						return
					}
					if _, err := io.WriteString(c, answer); err != nil {
						return
					}
				}
			}()
		}
	}()
	return l.Addr().String()
}

// BenchmarkAsk measures the cost of a move for the players, with a server that does next to nothing.
func BenchmarkAsk(b *testing.B) {
	const body, said = `{"move":"7a","seq":12}`, `{"seq":13,"position":"7__/___","turn":"second","result":"*"}`
	addr := parrot(b, len(body), "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nDate: Thu, 01 Jan 2026 00:00:00 GMT\r\nContent-Length: 60\r\n\r\n"+said)
	c := dialed(b, addr)
	b.ReportAllocs()
	for b.Loop() {
		if status, got, err := c.ask(time.Minute, "POST", "/api/tables/t/moves", "token", []byte(body)); status != 200 || string(got) != said || err != nil {
			b.Fatalf("%d %q %v", status, got, err)
		}
	}
}
