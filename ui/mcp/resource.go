package mcp

import (
	"context"
	"net/url"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"digitduel/arena/speech"
	"digitduel/digit"
	"digitduel/rulebook"
)

// rulesAddress is the prefix of the addresses of rules.
const rulesAddress = "duel://rules/"

// addRules adds the rules of games as resources.
func (s *Server) addRules() {
	const plainText = "text/plain"
	s.server.AddResourceTemplate(&sdk.ResourceTemplate{
		Name: "rules", Title: "The rules of a game", URITemplate: rulesAddress + "{+rules}",
		MIMEType: plainText,
		Description: "The rules of a game in words: a game and its options, such as dilemma, " +
			"or divisibility%20target%3D11.",
	}, readRules)
	for _, b := range digit.AllBooks() {
		s.server.AddResource(&sdk.Resource{
			Name: b.Name, Title: rulebook.Title(b.Rules), URI: rulesAddress + b.Name,
			MIMEType: plainText, Description: "The rules in words: " + rulebook.Line(b.Rules) + ".",
		}, readRules)
	}
}

// readRules returns the rules at an address. As in any path, %20 is a space and + is a plus.
func readRules(
	_ context.Context, req *sdk.ReadResourceRequest,
) (*sdk.ReadResourceResult, error) {
	name, err := url.PathUnescape(strings.TrimPrefix(req.Params.URI, rulesAddress))
	var r digit.Rules
	if err == nil {
		r, err = digit.ParseRules(name)
	}
	if err != nil {
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: err.Error()}
	}
	text := &sdk.ResourceContents{Text: speech.Plain(r).Explain()}
	found := &sdk.ReadResourceResult{Contents: []*sdk.ResourceContents{text}}
	found.CacheScope = "public"
	return found, nil
}
