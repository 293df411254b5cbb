package mcp

import (
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"digitduel/match"
)

// TestResources reads addresses: each line has the beginning of the text, or the error.
func TestResources(t *testing.T) {
	g := open(t, &match.Memory{}, nil).guest(t)
	for _, tt := range []struct{ uri, want, wrong string }{
		{"duel://rules/dilemma", "Digit Dilemma (dilemma)\n", ""},
		{"duel://rules/divisibility%20target%3D11%20pool%3D0-9", "Divisibility Duel (divisibility target=11 pool=0-9)\n", ""},
		{"duel://rules/divisibility%20target=11", "Divisibility Duel (divisibility target=11)\n", ""},
		{"duel://rules/divisibility target=11", "", "Resource not found"},
		{"duel://rules/dilemma%20final=above,lower", "Digit Dilemma (dilemma)\n", ""},
		{"duel://rules/tug", "Tug of War", ""},
		{"duel://rules/divisibility+target=11", "", `book "divisibility+target=11": no such book`},
		{"duel://rules/divisibility%2520target=11", "", `book "divisibility%20target=11": no such book`},
		{"duel://rules/", "", "missing book name; books: dilemma"},
		{"duel://rules/%zz", "", "Resource not found"},
		{"duel://rules", "", "Resource not found"},
		{"duel://nothing/x", "", "Resource not found"},
		{"", "", "Resource not found"},
	} {
		text, err := g.readResource(tt.uri)
		if tt.wrong != "" && (err == nil || !strings.Contains(err.Error(), tt.wrong)) || tt.wrong == "" && (err != nil || !strings.HasPrefix(text, tt.want)) {
			t.Errorf("%s: %q %v", tt.uri, text, err)
		}
	}
}

func (g *guest) readResource(uri string) (string, error) {
	g.Helper()
	result, err := g.session.ReadResource(g.Context(), &sdk.ReadResourceParams{URI: uri})
	if err != nil {
		return "", err
	}
	if c := result.Contents; len(c) != 1 || c[0].URI != uri || c[0].MIMEType != "text/plain" || result.CacheScope != "public" {
		g.Errorf("%s: %+v", uri, c)
	}
	return result.Contents[0].Text, nil
}

// TestListed reads every resource that is listed.
func TestListed(t *testing.T) {
	g := open(t, &match.Memory{}, nil).guest(t)
	count := 0
	for r, err := range g.session.Resources(t.Context(), nil) {
		if err != nil {
			t.Fatal(err)
		}
		count++
		if text, err := g.readResource(r.URI); err != nil || !strings.Contains(text, "("+r.Name) && !strings.Contains(text, r.Title) {
			t.Errorf("%s: %s %v", r.URI, text, err)
		}
	}
	templates, err := g.session.ListResourceTemplates(t.Context(), nil)
	if err != nil || count != 10 || len(templates.ResourceTemplates) != 1 {
		t.Errorf("%d resources, %+v %v", count, templates, err)
	}
}
