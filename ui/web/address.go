package web

import (
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// A joinLink is a link to a page for other devices.
type joinLink struct {
	Address string // as people type it
	Own     bool   // it works only on the server's own machine
	Link    string
	Code    *code
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

// joinLinks returns the links to a path for other devices.
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

// A code is a QR code as an SVG picture.
type code struct {
	Size int    // of a side in squares, with the quiet border
	Path string // of all dark squares
}
