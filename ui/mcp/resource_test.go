package mcp

import (
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"digitduel/match"
)

// TestResources checks the start of the text at each address, or the error.
func TestResources(t *testing.T) {
	cl := newTestServer(t, &match.Memory{}, nil).client(t)
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
		text, err := cl.readResource(tt.uri)
		if tt.wrong != "" && (err == nil || !strings.Contains(err.Error(), tt.wrong)) ||
			tt.wrong == "" && (err != nil || !strings.HasPrefix(text, tt.want)) {
			t.Errorf("%s: %q %v", tt.uri, text, err)
		}
	}
}

// readResource returns the text of a resource.
func (cl *testClient) readResource(uri string) (string, error) {
	cl.Helper()
	result, err := cl.session.ReadResource(cl.Context(), &sdk.ReadResourceParams{URI: uri})
	if err != nil {
		return "", err
	}
	if c := result.Contents; len(c) != 1 || c[0].URI != uri || c[0].MIMEType != "text/plain" ||
		result.CacheScope != "public" {
		cl.Errorf("%s: %+v", uri, c)
	}
	return result.Contents[0].Text, nil
}

// TestListed reads all listed resources.
func TestListed(t *testing.T) {
	cl := newTestServer(t, &match.Memory{}, nil).client(t)
	count := 0
	for r, err := range cl.session.Resources(t.Context(), nil) {
		if err != nil {
			t.Fatal(err)
		}
		count++
		if text, err := cl.readResource(r.URI); err != nil ||
			!strings.Contains(text, "("+r.Name) && !strings.Contains(text, r.Title) {
			t.Errorf("%s: %s %v", r.URI, text, err)
		}
	}
	templates, err := cl.session.ListResourceTemplates(t.Context(), nil)
	if err != nil || count != 10 || len(templates.ResourceTemplates) != 1 {
		t.Errorf("got %d resources, want 10; templates: %+v %v", count, templates, err)
	}
}
