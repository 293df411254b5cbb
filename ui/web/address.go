package web

import (
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// A joinLink is an address by which other devices come to a page.
type joinLink struct {
	Address string // as somebody types it
	Own     bool   // it leads nowhere but on the machine of the server
	Link    string
	Code    *code
}

// origins returns what links to this server begin with, the best first. Somebody who opened it on its own machine gets links that other
// devices can follow: with the addresses of the machine in the network, and then as the request came. They are told to nobody else.
func (s *Server) origins(r *http.Request) []string {
	origin := s.origin(r)
	if !s.isLocal(r) {
		return []string{origin}
	}
	scheme, _, _ := strings.Cut(origin, "://")
	var all []string
	for _, address := range s.Reach {
		if !isLoopback(address) {
			all = append(all, scheme+"://"+address)
		}
	}
	const most = 3 // networks that a machine is in; the rest are those of machines within it
	return append(all[:min(len(all), most)], origin)
}

// localPort returns the port that the server listens at if links lead nowhere but on this very machine, else nothing.
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

// isLocal reports whether a request was made on the machine of the server, at an address that means no other.
func (s *Server) isLocal(r *http.Request) bool {
	return s.BaseURL == "" && !s.TrustProxy && r.Header.Get("X-Forwarded-For") == "" && isLoopback(r.Host) && isLoopback(r.RemoteAddr)
}

// isLoopback reports whether an address, with or without a port, is that of the machine itself.
func isLoopback(address string) bool {
	host, ip := hostOf(address)
	return ip.IsLoopback() || strings.EqualFold(host, "localhost")
}

// isNear reports whether an address means something in one network only.
func isNear(address string) bool {
	host, ip := hostOf(address)
	return isLoopback(address) || ip.IsPrivate() || ip.IsLinkLocalUnicast() || strings.HasSuffix(strings.ToLower(host), ".local")
}

// hostOf returns the host of an address without the port, and its number if it is one.
func hostOf(address string) (host string, ip netip.Addr) {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		host = strings.Trim(address, "[]")
	}
	ip, _ = netip.ParseAddr(host)
	return host, ip.Unmap()
}

// joinLinks returns how other devices come to a path.
func (s *Server) joinLinks(r *http.Request, path string) (joinLinks []joinLink) {
	for _, origin := range s.origins(r) {
		_, address, _ := strings.Cut(origin, "://")
		w := joinLink{Address: address, Own: isLoopback(address), Link: origin + path}
		if c, ok := codeOf(w.Link); ok {
			w.Code = &c
		}
		joinLinks = append(joinLinks, w)
	}
	return joinLinks
}
