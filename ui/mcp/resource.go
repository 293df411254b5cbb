package mcp

import (
	"context"
	"errors"
	"net/url"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"digitduel/digit"
	"digitduel/rulebook"
)

// What the addresses of resources begin with.
const (
	rulesAddress   = "duel://rules/"
	gamesAddress   = "duel://games/"
	reportsAddress = "duel://reports/"
)

// reads returns what reads the resources at an address by their names.
func (s *Server) reads(address string, read func(ctx context.Context, name string) (string, error)) sdk.ResourceHandler {
	return func(ctx context.Context, req *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
		return s.resource(ctx, req.Params.URI, address, read)
	}
}

func (s *Server) addRules() {
	s.server.AddResourceTemplate(&sdk.ResourceTemplate{
		Name: "rules", Title: "The rules of a game", URITemplate: rulesAddress + "{rules}", MIMEType: plainText,
		Description: "The rules of a game in words: a game and options that differ from it, such as dilemma, or divisibility%20target%3D11.",
	}, s.reads(rulesAddress, tellRules))
	for _, b := range slices.Concat(digit.Books, digit.Fair) {
		s.server.AddResource(&sdk.Resource{
			Name: b.Name, Title: rulebook.Title(b.Rules), URI: rulesAddress + b.Name, MIMEType: plainText, Description: "The rules in words: " + rulebook.Line(b.Rules) + ".",
		}, s.reads(rulesAddress, tellRules))
	}
}

func (s *Server) addResources() {
	if !s.ExamsOnly {
		s.server.AddResourceTemplate(&sdk.ResourceTemplate{
			Name: "games", Title: "A game", URITemplate: gamesAddress + "{id}", MIMEType: plainText,
			Description: "The state of a game, by the id that new_game returned.",
		}, s.reads(gamesAddress, func(ctx context.Context, id string) (string, error) { return told(s.look(ctx, nil, Named{id})) }))
	}
	s.server.AddResourceTemplate(&sdk.ResourceTemplate{
		Name: "reports", Title: "A report", URITemplate: reportsAddress + "{id}", MIMEType: plainText,
		Description: "What each move of a finished game kept and threw away, or what the answers in an exam did, by the id of the game or exam.",
	}, s.reads(reportsAddress, func(ctx context.Context, id string) (string, error) {
		if strings.Contains(id, ".") {
			return told(s.gameReport(ctx, id))
		}
		return told(s.examReport(ctx, id))
	}))
}

const plainText = "text/plain"

func tellRules(_ context.Context, text string) (string, error) {
	r, err := digit.ParseRules(text)
	if err != nil {
		return "", refusef("%v", err)
	}
	return plain{r}.explain(), nil
}

// told returns the text of what a tool answers.
func told[Out any](answer Out, err error) (string, error) {
	if err != nil {
		return "", err
	}
	return textOf(answer), nil
}

// resource reads what is at an address, whose last part is a name.
func (s *Server) resource(ctx context.Context, uri, address string, read func(context.Context, string) (string, error)) (*sdk.ReadResourceResult, error) {
	ctx, done := context.WithCancel(ctx)
	defer done()
	name, err := nameIn(uri, address)
	if err != nil {
		return nil, notFound(err.Error())
	}
	text, err := read(ctx, name)
	err = whyOf(ctx, err)
	var why *refusal
	var limit teller
	switch {
	case errors.As(err, &why):
		return nil, notFound(why.reason)
	case errors.As(err, &limit):
		return nil, notFound(limit.Refusal())
	case err != nil:
		s.Log.Error("a resource could not be read", "address", address, "error", err) // the rest of it may be a secret
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: rulebook.Broken.Long}
	}
	// The address of a game or report holds a secret, so nobody but its reader may keep it.
	found := &sdk.ReadResourceResult{Contents: []*sdk.ResourceContents{{Text: text}}}
	found.CacheScope = "private"
	if address == rulesAddress {
		found.CacheScope = "public"
	}
	return found, nil
}

func notFound(why string) error { return &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: why} }

// nameIn returns the last part of an address. As in every path, %20 is a space and + is a plus.
func nameIn(uri, address string) (string, error) {
	return url.PathUnescape(strings.TrimPrefix(uri, address))
}

// readable lets clients write addresses less strictly than the SDK reads them: with = or a space that is not escaped.
func readable(next sdk.MethodHandler) sdk.MethodHandler {
	return func(ctx context.Context, method string, req sdk.Request) (sdk.Result, error) {
		read, ok := req.(*sdk.ReadResourceRequest)
		if !ok {
			return next(ctx, method, req)
		}
		asked := read.Params.URI
		for _, address := range []string{rulesAddress, gamesAddress, reportsAddress} {
			if name, err := nameIn(asked, address); err == nil && strings.HasPrefix(asked, address) {
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
