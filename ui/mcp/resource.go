package mcp

import (
	"context"
	"net/url"
	"slices"
	"strings"

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
		Name: "rules", Title: "The rules of a game", URITemplate: rulesAddress + "{rules}",
		MIMEType: plainText,
		Description: "The rules of a game in words: a game and its options, such as dilemma, " +
			"or divisibility%20target%3D11.",
	}, readRules)
	for _, b := range slices.Concat(digit.Books, digit.Fair) {
		s.server.AddResource(&sdk.Resource{
			Name: b.Name, Title: rulebook.Title(b.Rules), URI: rulesAddress + b.Name,
			MIMEType: plainText, Description: "The rules in words: " + rulebook.Line(b.Rules) + ".",
		}, readRules)
	}
}

// readRules returns the rules at an address.
func readRules(
	_ context.Context, req *sdk.ReadResourceRequest,
) (*sdk.ReadResourceResult, error) {
	name, err := rulesIn(req.Params.URI)
	if err != nil {
		return nil, wrongArgument(err)
	}
	r, err := digit.ParseRules(name)
	if err != nil {
		return nil, wrongArgument(err)
	}
	text := &sdk.ResourceContents{Text: speech.Plain(r).Explain()}
	found := &sdk.ReadResourceResult{Contents: []*sdk.ResourceContents{text}}
	found.CacheScope = "public"
	return found, nil
}

// rulesIn returns the rules in an address. As in any path, %20 is a space and + is a plus.
func rulesIn(uri string) (string, error) {
	return url.PathUnescape(strings.TrimPrefix(uri, rulesAddress))
}

// readable accepts addresses that the SDK would reject: with = or a space that is not escaped.
func readable(next sdk.MethodHandler) sdk.MethodHandler {
	return func(ctx context.Context, method string, req sdk.Request) (sdk.Result, error) {
		read, ok := req.(*sdk.ReadResourceRequest)
		if !ok {
			return next(ctx, method, req)
		}
		asked := read.Params.URI
		if name, err := rulesIn(asked); err == nil && strings.HasPrefix(asked, rulesAddress) {
			read.Params.URI = rulesAddress + strings.ReplaceAll(url.QueryEscape(name), "+", "%20")
		}
		result, err := next(ctx, method, req)
		if found, ok := result.(*sdk.ReadResourceResult); ok && found != nil {
			for _, c := range found.Contents {
				c.URI = asked
			}
		}
		return result, err
	}
}
