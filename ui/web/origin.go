package web

import (
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
)

// secure reports whether the pages of a request are served over TLS, here or at the proxy.
func (s *Server) secure(r *http.Request) bool {
	return s.TLS || s.TrustProxy && r.Header.Get("X-Forwarded-Proto") == "https" ||
		strings.HasPrefix(s.BaseURL, "https:")
}

// origin returns the start of links to this server.
func (s *Server) origin(r *http.Request) string {
	switch {
	case s.BaseURL != "":
		return strings.TrimSuffix(s.BaseURL, "/")
	case s.secure(r):
		return "https://" + r.Host + s.Root
	default:
		return "http://" + r.Host + s.Root
	}
}

// origins returns the possible beginnings of links to this server, the best first. A user on the
// server's own machine gets links that other devices can follow: with the machine's network
// addresses, then with the host of the request. No one else sees those addresses.
func (s *Server) origins(r *http.Request) []string {
	origin := s.origin(r)
	if !s.isLocal(r) {
		return []string{origin}
	}
	scheme, _, _ := strings.Cut(origin, "://")
	var all []string
	for _, address := range s.Reach {
		if !isLoopback(address) {
			all = append(all, scheme+"://"+address+s.Root)
		}
	}
	const most = 3 // networks of a machine; the others are those of virtual machines on it
	return append(all[:min(len(all), most)], origin)
}

// localPort returns the port of the server if links to it work only on its own machine, else "".
func (s *Server) localPort(r *http.Request) (port string) {
	if !s.isLocal(r) || len(s.origins(r)) > 1 {
		return ""
	}
	for _, address := range append(slices.Clone(s.Reach), r.Host) {
		if _, port, err := net.SplitHostPort(address); err == nil {
			return port
		}
	}
	return "80"
}

// isLocal reports whether a request comes from the server's own machine, by a loopback address.
func (s *Server) isLocal(r *http.Request) bool {
	return s.BaseURL == "" && !s.TrustProxy && r.Header.Get("X-Forwarded-For") == "" &&
		isLoopback(r.Host) && isLoopback(r.RemoteAddr)
}

// isLoopback reports whether an address, with or without a port, is a loopback address.
func isLoopback(address string) bool {
	host, ip := hostOf(address)
	return ip.IsLoopback() || strings.EqualFold(host, "localhost")
}

// isNear reports whether an address is valid only within one network.
func isNear(address string) bool {
	host, ip := hostOf(address)
	return isLoopback(address) || ip.IsPrivate() || ip.IsLinkLocalUnicast() ||
		strings.HasSuffix(strings.ToLower(host), ".local")
}

// hostOf returns the host of an address without port and path, and its IP address if it is one.
func hostOf(address string) (host string, ip netip.Addr) {
	address, _, _ = strings.Cut(address, "/")
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		host = strings.Trim(address, "[]")
	}
	ip, _ = netip.ParseAddr(host)
	return host, ip.Unmap()
}

// foreignHost refuses a request for another host name.
var foreignHost = forbidden("the request is for another host; " +
	"allowed: this server's own name, which --base-url sets")

// isForeign reports whether a request to a loopback address names another host. A page of another
// site could make such a name lead here, and have a browser read this server's answers. A request
// from a trusted proxy may name any host.
func (s *Server) isForeign(r *http.Request) bool {
	at, _ := r.Context().Value(http.LocalAddrContextKey).(*net.TCPAddr)
	return at != nil && at.IP.IsLoopback() && !s.TrustProxy && !isOwn(r.Host, s.BaseURL)
}

// isOwn reports whether no one else can have made a host name lead here: it is an address, this
// machine's own name, or that of the base URL.
func isOwn(host, base string) bool {
	if _, ip := hostOf(host); ip.IsValid() || isLoopback(host) {
		return true
	}
	u, err := url.Parse(base)
	return err == nil && base != "" && strings.EqualFold(u.Host, host)
}

// A joinLink is a link to a page for other devices.
type joinLink struct {
	Address string // as people type it
	Own     bool   // it works only on the server's own machine
	Link    string
	Code    *code // nil: the link is too long for one
}

// joinLinks returns the links to a path for other devices.
func (s *Server) joinLinks(r *http.Request, path string) (links []joinLink) {
	for _, origin := range s.origins(r) {
		_, address, _ := strings.Cut(origin, "://")
		link := origin + path
		links = append(links, joinLink{address, isLoopback(address), link, codeOf(link)})
	}
	return links
}

// A code is a QR code as an SVG picture.
type code struct {
	Size int    // of a side in squares, with the quiet border
	Path string // of all dark squares
}
