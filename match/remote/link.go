// Package remote plays at the tables of a running server from another program: it lists and opens
// them, takes seats, and follows a table as a [match.Table] that the server keeps.
//
// A [Table] outlives its connection. After an error it retries with a growing pause, finds out
// whether an act whose answer was lost was done, and does nothing twice.
package remote

import (
	"errors"
	"fmt"
	"net/url"
	"strings"
)

// A Link is an address that people share: of a server, a table, a seat or an invitation.
type Link struct {
	Server string // as in http://192.168.1.5:8080
	Table  string // empty: none
	Token  string // of the seat or the invitation; empty: none
}

// ParseLink parses a link as people copy it: with or without http://, and with additions by a
// browser.
func ParseLink(text string) (Link, error) {
	full := text
	if !strings.Contains(text, "://") {
		full = "http://" + text
	}
	u, err := url.Parse(full)
	isWeb := err == nil && (u.Scheme == "http" || u.Scheme == "https")
	if err == nil && (!isWeb || u.Hostname() == "" || u.User != nil) {
		err = errors.New("not the address of a server")
	}
	if err != nil {
		return Link{}, fmt.Errorf("link %.200q: allowed: the address of a server or a link to a "+
			"table there, as in http://localhost:8080 or http://localhost:8080/t/abc", text)
	}
	before, after, isTable := strings.Cut(u.Path, "/t/")
	l := Link{Server: u.Scheme + "://" + u.Host}
	if !isTable { // a path with a slash at its end is the root of the server, else a page of it
		if root, ok := strings.CutSuffix(before, "/"); ok {
			l.Server += root
		}
		return l, nil
	}
	l.Server += before
	words := strings.Split(after, "/")
	if l.Table = words[0]; len(words) > 2 && words[1] == "seat" {
		l.Token = words[2]
	}
	if !isWord(l.Table) || l.Token != "" && !isWord(l.Token) {
		return Link{}, fmt.Errorf("link %.200q: not a table; copy the complete link", text)
	}
	return l, nil
}

// isWord reports whether a text can be the name of a table or a token.
func isWord(text string) bool {
	const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	return text != "" && len(text) <= 100 && strings.Trim(text, letters+"0123456789-_") == ""
}

// String returns the link as people share it.
func (l Link) String() string {
	text := l.Server
	if l.Table != "" {
		text += "/t/" + l.Table
	}
	if l.Token != "" {
		text += "/seat/" + l.Token
	}
	return text
}
