package mcp

import (
	"context"
	"net/url"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"digitduel/arena/speech"
	"digitduel/digit"
	"digitduel/rulebook"
)

// Prefixes of the addresses of resources.
const (
	rulesAddress   = "duel://rules/"
	gamesAddress   = "duel://games/"
	reportsAddress = "duel://reports/"
)

// A reader returns the text of a resource.
type reader func(ctx context.Context, name string) (string, error)

// reads returns the handler of the resources at an address.
func (s *Server) reads(address string, read reader) sdk.ResourceHandler {
	return func(
		ctx context.Context, req *sdk.ReadResourceRequest,
	) (*sdk.ReadResourceResult, error) {
		return s.resource(ctx, req.Params.URI, address, read)
	}
}

func (s *Server) addRules() {
	s.server.AddResourceTemplate(&sdk.ResourceTemplate{
		Name: "rules", Title: "The rules of a game", URITemplate: rulesAddress + "{rules}",
		MIMEType: plainText,
		Description: "The rules of a game in words: a game and its options, such as dilemma, " +
			"or divisibility%20target%3D11.",
	}, s.reads(rulesAddress, rulesText))
	for _, b := range slices.Concat(digit.Books, digit.Fair) {
		s.server.AddResource(&sdk.Resource{
			Name: b.Name, Title: rulebook.Title(b.Rules), URI: rulesAddress + b.Name,
			MIMEType: plainText, Description: "The rules in words: " + rulebook.Line(b.Rules) + ".",
		}, s.reads(rulesAddress, rulesText))
	}
}

func (s *Server) addResources() {
	if !s.ExamsOnly {
		s.server.AddResourceTemplate(&sdk.ResourceTemplate{
			Name: "games", Title: "A game", URITemplate: gamesAddress + "{id}", MIMEType: plainText,
			Description: "The state of a game, by the id that new_game returned.",
		}, s.reads(gamesAddress, func(ctx context.Context, id string) (string, error) {
			return asText(s.look(ctx, nil, Named{id}))
		}))
	}
	s.server.AddResourceTemplate(&sdk.ResourceTemplate{
		Name: "reports", Title: "A report", URITemplate: reportsAddress + "{id}",
		MIMEType: plainText,
		Description: "What each move of a finished game kept and threw away, or the grade of " +
			"an exam, by the id of the game or exam.",
	}, s.reads(reportsAddress, func(ctx context.Context, id string) (string, error) {
		if strings.Contains(id, ".") {
			return asText(s.gameReport(ctx, id))
		}
		return asText(s.examReport(ctx, id))
	}))
}

const plainText = "text/plain"

// rulesText returns the text of the resource of some rules.
func rulesText(_ context.Context, text string) (string, error) {
	r, err := digit.ParseRules(text)
	if err != nil {
		return "", refusef("%v", err)
	}
	return speech.Plain(r).Explain(), nil
}

// asText returns the answer of a tool as text.
func asText[Out any](answer Out, err error) (string, error) {
	if err != nil {
		return "", err
	}
	return textOf(answer), nil
}

// resource reads the resource at an address, which is a prefix and a name.
func (s *Server) resource(
	ctx context.Context, uri, address string, read reader,
) (*sdk.ReadResourceResult, error) {
	ctx, done := context.WithCancel(ctx)
	defer done()
	name, err := nameIn(uri, address)
	if err != nil {
		return nil, notFound(err.Error())
	}
	text, err := read(ctx, name)
	err = whyOf(ctx, err)
	why := refusalIn(err)
	switch {
	case why != nil:
		return nil, notFound(why.reason)
	case err != nil:
		// The rest of the URI may be a secret.
		s.Log.Error("cannot read a resource", "address", address, "error", err)
		return nil, errInternal
	}
	// The address of a game or report contains a secret, so shared caches must not store it.
	found := &sdk.ReadResourceResult{Contents: []*sdk.ResourceContents{{Text: text}}}
	found.CacheScope = "private"
	if address == rulesAddress {
		found.CacheScope = "public"
	}
	return found, nil
}

func notFound(why string) error {
	return &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: why}
}

// nameIn returns the last part of an address. As in any path, %20 is a space and + is a plus.
func nameIn(uri, address string) (string, error) {
	return url.PathUnescape(strings.TrimPrefix(uri, address))
}

// readable accepts addresses that the SDK would reject: with = or a space that is not escaped.
func readable(next sdk.MethodHandler) sdk.MethodHandler {
	return func(ctx context.Context, method string, req sdk.Request) (sdk.Result, error) {
		read, ok := req.(*sdk.ReadResourceRequest)
		if !ok {
			return next(ctx, method, req)
		}
		asked := read.Params.URI
		for _, address := range []string{rulesAddress, gamesAddress, reportsAddress} {
			name, err := nameIn(asked, address)
			if err == nil && strings.HasPrefix(asked, address) {
				read.Params.URI = address + strings.ReplaceAll(url.QueryEscape(name), "+", "%20")
			}
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
