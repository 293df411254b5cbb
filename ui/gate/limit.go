package gate

import (
	"fmt"
	"math"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"time"

	"digitduel/match"
)

// Limits keep one visitor from using up the resources of others. A limit of 0 is none.
type Limits struct {
	Address              float64 // requests a second from one address; a school is one address
	Seat                 float64 // acts a second from one seat
	Tables               float64 // new tables a second from one address
	Work                 float64 // seconds of computing time a second for one address
	Streams              int     // streams at once
	StreamsOfAddress     int     // streams at once to one address
	StreamsOfTable       int     // streams at once about one table
	ConnectionsOfAddress int     // connections at once from one address
}

// DefaultLimits are enough for a school behind one address, and too low to do harm.
var DefaultLimits = Limits{
	Address: 200, Seat: 20, Tables: 10, Work: 0.2, Streams: 20_000,
	StreamsOfAddress: 2_000, StreamsOfTable: 500, ConnectionsOfAddress: 3_000,
}

// siteShare is how many times the limit of one address applies to a network of 48 bits, which has
// 65,536 IPv6 addresses as limits count them.
const siteShare = 4

// A bucket holds tokens and fills with time. A level below 0 is a debt.
type bucket struct {
	level, perSecond, most float64
	at                     time.Time
}

func (b *bucket) fill(now time.Time) {
	if passed := now.Sub(b.at).Seconds(); passed > 0 {
		b.level, b.at = min(b.most, b.level+passed*b.perSecond), now
	}
}

// after returns the time until the bucket has reached a level.
func (b *bucket) after(level float64) time.Duration {
	return time.Duration(max(0, level-b.level) / b.perSecond * float64(time.Second))
}

// Admit returns an error if an address may not make another request.
func (g *Gate) Admit(address string) error {
	return g.takeFor("a", address, g.Limits.Address, "requests from your address")
}

// AdmitUpkeep is like Admit, for the operator's pages, which visitors can request too. They have a
// separate limit, so that a busy address can still be monitored.
func (g *Gate) AdmitUpkeep(address string) error {
	if g.Limits.Address <= 0 {
		return nil
	}
	return g.takeFor("u", address, max(1, g.Limits.Address/10), "requests from your address")
}

// Open returns an error if an address may not open another table.
func (g *Gate) Open(address string) error {
	return g.takeFor("t", address, g.Limits.Tables, "new tables from your address")
}

// Act returns an error if a seat may not act again now.
func (g *Gate) Act(t *match.Table, seat match.Seat) error {
	return g.take("s "+fmt.Sprint(t.ID(), seat), g.Limits.Seat, "acts from your seat")
}

// newConnection counts a new connection of an address, and returns how long it has to wait so that
// connections are not faster than requests may be.
func (g *Gate) newConnection(address string) (wait time.Duration) {
	if g.Limits.Address <= 0 {
		return 0
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	owe := func(key string, perSecond float64) {
		b := g.bucket(key, perSecond, 2*perSecond)
		// A connection that would wait too long is closed, and costs nothing.
		if d := b.after(1); d <= longestDelay {
			b.level--
			wait = max(wait, d)
		} else {
			wait = d
		}
	}
	if site := siteOf(address); site != "" {
		owe("c "+site, siteShare*g.Limits.Address)
	}
	owe("c "+address, g.Limits.Address)
	return wait
}

// takeFor takes one token for an address and one for its site.
func (g *Gate) takeFor(key, address string, perSecond float64, what string) error {
	if site := siteOf(address); site != "" {
		if err := g.take(key+" "+site, siteShare*perSecond, what); err != nil {
			return err
		}
	}
	return g.take(key+" "+address, perSecond, what)
}

// take takes one token from a bucket, or returns a refusal that names the limit.
func (g *Gate) take(key string, perSecond float64, what string) error {
	if perSecond <= 0 {
		return nil
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	b := g.bucket(key, perSecond, max(1, math.Floor(perSecond*burst)))
	if b.level < 1 {
		return tooMany(what, b.after(1))
	}
	b.level--
	return nil
}

// Try takes one of the most tokens that a key has in a time, all of which it may use at once. Undo
// gives it back. It returns an error that names the limit if there is none.
func (g *Gate) Try(
	key string, most float64, per time.Duration, what string,
) (undo func(), err error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	b := g.bucket("try "+key, most/per.Seconds(), most)
	if b.level < 1 {
		return nil, tooMany(what, b.after(1))
	}
	b.level--
	return func() {
		g.mu.Lock()
		defer g.mu.Unlock()
		b.level++
	}, nil
}

// burst is the capacity of a bucket in seconds: that much may be done at once.
const burst = 10

// mostBuckets is the most buckets that are stored. Further visitors share one.
const mostBuckets = 100_000

// bucket returns the bucket of a key. It is called with the lock.
func (g *Gate) bucket(key string, perSecond, most float64) *bucket {
	now := g.Now()
	full := len(g.buckets) >= mostBuckets
	if age := now.Sub(g.swept); age > time.Minute || full && age > time.Second {
		g.sweep(now)
	}
	b, there := g.buckets[key]
	if !there && len(g.buckets) >= mostBuckets {
		key, _, _ = strings.Cut(key, " ")
		b, there = g.buckets[key]
	}
	if !there {
		b = &bucket{level: most, perSecond: perSecond, most: most, at: now}
		g.buckets[key] = b
	}
	b.fill(now)
	return b
}

// sweep deletes the buckets that are full.
func (g *Gate) sweep(now time.Time) {
	g.swept = now
	for key, b := range g.buckets {
		if b.fill(now); b.level >= b.most {
			delete(g.buckets, key)
		}
	}
}

// A count is a limit on something that is open at the same time.
type count struct {
	key  string
	most int
	what string // names the limit for the visitor
	all  bool   // it is a limit of the whole server
}

// Enter counts a stream until leave is called. It returns an error if there are too many.
func (g *Gate) Enter(address, table string) (leave func(), err error) {
	l := g.Limits
	return g.occupy(append(countsOf("streams", "to", address, l.StreamsOfAddress),
		count{"streams", l.Streams, "streams", true},
		count{"streams about " + table, l.StreamsOfTable, "streams about this table", false}))
}

// connect counts a connection until leave is called. It returns an error if there are too many.
func (g *Gate) connect(address string) (leave func(), err error) {
	return g.occupy(countsOf("connections", "from", address, g.Limits.ConnectionsOfAddress))
}

// countsOf returns the limits for an address and for its site.
func countsOf(what, way, address string, most int) []count {
	what += " "
	counts := []count{{what + address, most, what + way + " your address", false}}
	if site := siteOf(address); site != "" {
		network := count{what + site, siteShare * most, what + way + " your network", false}
		counts = append(counts, network)
	}
	return counts
}

// occupy adds one to each count until leave is called.
func (g *Gate) occupy(counts []count) (leave func(), err error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, c := range counts {
		if c.most > 0 && g.counts[c.key] >= c.most {
			r := tooMany(c.what, 10*time.Second)
			if c.all {
				r.Status = http.StatusServiceUnavailable
			}
			return nil, r
		}
	}
	for _, c := range counts {
		g.counts[c.key]++
	}
	return func() {
		g.mu.Lock()
		defer g.mu.Unlock()
		for _, c := range counts {
			if g.counts[c.key]--; g.counts[c.key] == 0 {
				delete(g.counts, c.key)
			}
		}
	}, nil
}

// Streaming returns the number of open streams.
func (g *Gate) Streaming() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.counts["streams"]
}

// Address returns the address of a request, as limits count it.
func (g *Gate) Address(r *http.Request) string {
	if g.TrustProxy {
		// The trusted proxy added the last address; the client may have sent the others.
		given := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
		if last := strings.TrimSpace(given[len(given)-1]); last != "" {
			return addressOf(last)
		}
	}
	return addressOf(r.RemoteAddr)
}

// addressOf returns an address as limits count it: an IPv4 address, or the network of an IPv6
// address.
func addressOf(remote string) string {
	host, _, err := net.SplitHostPort(remote)
	if err != nil {
		host = remote
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

// siteOf returns the network of an IPv6 address that one visitor may own, or "" for IPv4.
func siteOf(address string) string {
	network, err := netip.ParsePrefix(address)
	if err != nil {
		return ""
	}
	site, _ := network.Addr().Prefix(48) // an IPv6 address has 128 bits
	return site.String()
}
