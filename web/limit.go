package web

import (
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"digitduel/rulebook"
)

// Limits keep one visitor from taking what others need. A limit of 0 is none.
type Limits struct {
	Address          float64 // requests a second from one address; a school is one address
	Seat             float64 // acts a second from one seat
	Tables           float64 // new tables a second from one address
	Streams          int     // streams at once
	StreamsOfAddress int     // streams at once to one address
	StreamsOfTable   int     // streams at once about one table
}

// DefaultLimits are enough for a school behind one address, and too little to do harm.
var DefaultLimits = Limits{Address: 200, Seat: 20, Tables: 10, Streams: 20_000, StreamsOfAddress: 2_000, StreamsOfTable: 500}

// A gate lets requests through within limits.
type gate struct {
	limits Limits

	mu      sync.Mutex
	buckets map[string]*rate.Limiter
	swept   time.Time
	streams map[string]int // by what they are counted for; "" is all of them
}

// admit takes a request of an address into account; if there were too many it says how long to wait.
func (g *gate) admit(address string, now time.Time) (wait time.Duration, ok bool) {
	return g.take("a "+address, g.limits.Address, now)
}

// act takes an act of a seat into account.
func (g *gate) act(seat string, now time.Time) (wait time.Duration, ok bool) {
	return g.take("s "+seat, g.limits.Seat, now)
}

// open takes a new table of an address into account.
func (g *gate) open(address string, now time.Time) (wait time.Duration, ok bool) {
	return g.take("t "+address, g.limits.Tables, now)
}

// take takes one from a bucket that holds what comes together in ten seconds.
func (g *gate) take(key string, perSecond float64, now time.Time) (wait time.Duration, ok bool) {
	if perSecond <= 0 {
		return 0, true
	}
	const hold = 10
	g.mu.Lock()
	defer g.mu.Unlock()
	if now.Sub(g.swept) > time.Minute {
		g.sweep(now)
	}
	bucket, there := g.buckets[key]
	if !there {
		if g.buckets == nil {
			g.buckets = map[string]*rate.Limiter{}
		}
		bucket = rate.NewLimiter(rate.Limit(perSecond), max(1, int(perSecond*hold)))
		g.buckets[key] = bucket
	}
	if bucket.AllowN(now, 1) {
		return 0, true
	}
	return time.Duration((1 - bucket.TokensAt(now)) / perSecond * float64(time.Second)), false
}

// sweep forgets the buckets that are full again.
func (g *gate) sweep(now time.Time) {
	g.swept = now
	for key, bucket := range g.buckets {
		if bucket.TokensAt(now) >= float64(bucket.Burst()) {
			delete(g.buckets, key)
		}
	}
}

// enter counts a stream until leave is called, unless there are too many of its kind.
func (g *gate) enter(address, table string) (leave func(), err error) {
	counts := []struct {
		key  string
		most int
		what string
	}{
		{"", g.limits.Streams, "streams"},
		{"a " + address, g.limits.StreamsOfAddress, "streams to your address"},
		{"t " + table, g.limits.StreamsOfTable, "streams about this table"},
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, c := range counts {
		if c.most > 0 && g.streams[c.key] >= c.most {
			p := tooMany(c.what, 10*time.Second)
			if c.key == "" {
				p.status = http.StatusServiceUnavailable // which is not for the visitor to change
			}
			return nil, p
		}
	}
	if g.streams == nil {
		g.streams = map[string]int{}
	}
	for _, c := range counts {
		g.streams[c.key]++
	}
	return func() {
		g.mu.Lock()
		defer g.mu.Unlock()
		for _, c := range counts {
			if g.streams[c.key]--; g.streams[c.key] == 0 {
				delete(g.streams, c.key)
			}
		}
	}, nil
}

func (g *gate) streaming() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.streams[""]
}

func tooMany(what string, wait time.Duration) *problem {
	seconds := max(1, int(wait.Seconds()+0.999))
	return &problem{status: http.StatusTooManyRequests, text: fmt.Sprintf("too many %s; try again in %d s", what, seconds), told: rulebook.TooFast(seconds).Long, retry: seconds}
}

// address returns where a request comes from, as limits count it: an IPv4 address, or the network of an IPv6 address.
func (s *Server) address(r *http.Request) string {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		host = r.RemoteAddr
	}
	if s.TrustProxy {
		// The last one was added by the proxy that we trust; those before it are whatever the client says.
		given := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
		if last := strings.TrimSpace(given[len(given)-1]); last != "" {
			host = last
		}
	}
	address, err := netip.ParseAddr(host)
	if err != nil {
		return "unknown"
	}
	if address = address.Unmap(); address.Is6() {
		network, _ := address.WithZone("").Prefix(64) // an IPv6 address has 128 bits
		return network.String()
	}
	return address.String()
}
