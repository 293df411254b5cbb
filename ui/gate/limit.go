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

// Limits keep one visitor from taking what others need. A limit of 0 is none.
type Limits struct {
	Address              float64 // requests a second from one address; a school is one address
	Seat                 float64 // acts a second from one seat
	Tables               float64 // new tables a second from one address
	Work                 float64 // seconds of computing a second for one address
	Streams              int     // streams at once
	StreamsOfAddress     int     // streams at once to one address
	StreamsOfTable       int     // streams at once about one table
	ConnectionsOfAddress int     // connections at once from one address
}

// DefaultLimits are enough for a school behind one address, and too little to do harm.
var DefaultLimits = Limits{
	Address: 200, Seat: 20, Tables: 10, Work: 0.2, Streams: 20_000, StreamsOfAddress: 2_000, StreamsOfTable: 500, ConnectionsOfAddress: 3_000,
}

// sites is how many times as much as one address a network of 48 bits may do, which holds 65,536 IPv6 addresses as limits count them.
const sites = 4

// A bucket holds what may be done at once, and fills with time. What is below 0 is owed.
type bucket struct {
	level, perSecond, most float64
	at                     time.Time
}

func (b *bucket) fill(now time.Time) {
	if passed := now.Sub(b.at).Seconds(); passed > 0 {
		b.level, b.at = min(b.most, b.level+passed*b.perSecond), now
	}
}

// after returns how long it takes until a bucket holds so much.
func (b *bucket) after(level float64) time.Duration {
	return time.Duration(max(0, level-b.level) / b.perSecond * float64(time.Second))
}

// Admit returns nil if an address may make another request.
func (g *Gate) Admit(address string) error {
	return g.takeFor("a", address, g.Limits.Address, "requests from your address")
}

// AdmitUpkeep is like Admit, for the pages of the operator, which visitors can ask for too. They have
// a limit of their own, so that a busy address can still be monitored.
func (g *Gate) AdmitUpkeep(address string) error {
	if g.Limits.Address <= 0 {
		return nil
	}
	return g.takeFor("u", address, max(1, g.Limits.Address/10), "requests from your address")
}

// Open returns nil if an address may open another table.
func (g *Gate) Open(address string) error {
	return g.takeFor("t", address, g.Limits.Tables, "new tables from your address")
}

// Act returns nil if a seat may act once more.
func (g *Gate) Act(t *match.Table, seat match.Seat) error {
	return g.take("s "+fmt.Sprint(t.ID(), seat), g.Limits.Seat, "acts from your seat")
}

// newConnection takes a new connection of an address into account, and returns how long the
// connection has to wait so that they come no faster than requests may.
func (g *Gate) newConnection(address string) (wait time.Duration) {
	if g.Limits.Address <= 0 {
		return 0
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	owe := func(key string, perSecond float64) {
		b := g.bucket(key, perSecond, 2*perSecond)
		// One that would have to wait too long is closed, and takes nothing.
		if d := b.after(1); d <= longestDelay {
			b.level--
			wait = max(wait, d)
		} else {
			wait = d
		}
	}
	if site := siteOf(address); site != "" {
		owe("c "+site, sites*g.Limits.Address)
	}
	owe("c "+address, g.Limits.Address)
	return wait
}

// takeFor takes one for an address and for the site that it is part of.
func (g *Gate) takeFor(key, address string, perSecond float64, what string) error {
	if site := siteOf(address); site != "" {
		if err := g.take(key+" "+site, sites*perSecond, what); err != nil {
			return err
		}
	}
	return g.take(key+" "+address, perSecond, what)
}

// take takes one from a bucket, or says what there are too many of.
func (g *Gate) take(key string, perSecond float64, what string) error {
	if perSecond <= 0 {
		return nil
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	b := g.bucket(key, perSecond, max(1, math.Floor(perSecond*hold)))
	if b.level < 1 {
		return tooMany(what, b.after(1))
	}
	b.level--
	return nil
}

// hold is for how many seconds a bucket holds what may be done: so much may be done at once.
const hold = 10

// mostBuckets is how many are kept. Beyond it, those who come share one.
const mostBuckets = 100_000

// bucket returns the bucket of a key. It is called with the lock.
func (g *Gate) bucket(key string, perSecond, most float64) *bucket {
	now := g.Now()
	if full := len(g.buckets) >= mostBuckets; now.Sub(g.swept) > time.Minute || full && now.Sub(g.swept) > time.Second {
		g.sweep(now)
	}
	b, there := g.buckets[key]
	if !there && len(g.buckets) >= mostBuckets {
		key, _, _ = strings.Cut(key, " ")
		b, there = g.buckets[key]
	}
	if !there {
		if g.buckets == nil {
			g.buckets = map[string]*bucket{}
		}
		b = &bucket{level: most, perSecond: perSecond, most: most, at: now}
		g.buckets[key] = b
	}
	b.fill(now)
	return b
}

// sweep forgets the buckets that are full again.
func (g *Gate) sweep(now time.Time) {
	g.swept = now
	for key, b := range g.buckets {
		if b.fill(now); b.level >= b.most {
			delete(g.buckets, key)
		}
	}
}

// A count is of what there may be so many of at once.
type count struct {
	key  string
	most int
	what string // in words, to whoever is one too many
	all  bool   // it is not for the visitor to change
}

// Enter counts a stream until leave is called, unless there are too many of its kind.
func (g *Gate) Enter(address, table string) (leave func(), err error) {
	return g.occupy(append(countsOf("streams", "to", address, g.Limits.StreamsOfAddress),
		count{"streams", g.Limits.Streams, "streams", true},
		count{"streams about " + table, g.Limits.StreamsOfTable, "streams about this table", false}))
}

// connect counts a connection likewise.
func (g *Gate) connect(address string) (leave func(), err error) {
	return g.occupy(countsOf("connections", "from", address, g.Limits.ConnectionsOfAddress))
}

// countsOf returns how something is counted for an address and for the site that it is part of.
func countsOf(what, way, address string, most int) []count {
	counts := []count{{what + " " + address, most, fmt.Sprintf("%s %s your address", what, way), false}}
	if site := siteOf(address); site != "" {
		counts = append(counts, count{what + " " + site, sites * most, fmt.Sprintf("%s %s your network", what, way), false})
	}
	return counts
}

// occupy counts something in each way that it is counted, until leave is called.
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
	if g.counts == nil {
		g.counts = map[string]int{}
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

// Address returns the address that a request comes from, as limits count it.
func (g *Gate) Address(r *http.Request) string {
	if g.TrustProxy {
		// The last one was added by the proxy that we trust; those before it are whatever the client says.
		given := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
		if last := strings.TrimSpace(given[len(given)-1]); last != "" {
			return addressOf(last)
		}
	}
	return addressOf(r.RemoteAddr)
}

// addressOf returns an address as limits count it: an IPv4 address, or the network of an IPv6 address.
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

// siteOf returns the network that an IPv6 address is part of, of which one visitor may have all; of IPv4 there is none.
func siteOf(address string) string {
	network, err := netip.ParsePrefix(address)
	if err != nil {
		return ""
	}
	site, _ := network.Addr().Prefix(48) // an IPv6 address has 128 bits
	return site.String()
}
