package mcp

import (
	"context"
	"encoding/json"
	"io/fs"
	"maps"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"digitduel/bot/sit"
	"digitduel/match"
	"digitduel/solve"
)

// A testServer is a server with its store and solver.
type testServer struct {
	*Server
	store  *match.Memory
	solver *solve.Solver
}

// newTestServer returns a server for a store. All servers share a solver, so each game is solved
// once.
func newTestServer(t *testing.T, store *match.Memory, change func(*Config)) *testServer {
	t.Helper()
	srv := &testServer{store: store, solver: &solver}
	hall := match.NewHall(store, match.HallConfig{Host: func(ctx context.Context, t *match.Table) error {
		return sit.HostLevels(ctx, t, srv.solver.Solve)
	}})
	t.Cleanup(hall.Close)
	c := Config{
		Hall: hall, Keys: match.NewKeys(make([]byte, 32)), Solve: srv.solver.Solve,
		Link:     func(_ context.Context, table string) string { return "http://duel.test/t/" + table },
		Sittings: &sittings{}, Version: "test", Now: time.Now,
	}
	if change != nil {
		change(&c)
	}
	srv.Server = New(c)
	t.Cleanup(srv.Close)
	return srv
}

// sittings implements Sittings in memory.
type sittings struct {
	mu      sync.Mutex
	exams   map[string]string
	items   map[string]int
	answers map[string]map[int]string
}

func (s *sittings) OpenSitting(_ context.Context, id, exam string, items int) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.exams == nil {
		s.exams, s.items = map[string]string{}, map[string]int{}
		s.answers = map[string]map[int]string{}
	}
	s.exams[id], s.items[id], s.answers[id] = exam, items, map[int]string{}
	return nil
}

func (s *sittings) Sitting(
	_ context.Context, id string,
) (exam string, answers map[int]string, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, ok := s.exams[id]; !ok {
		return "", nil, fs.ErrNotExist
	}
	return s.exams[id], maps.Clone(s.answers[id]), nil
}

func (s *sittings) AnswerItem(_ context.Context, id string, item int, answer string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	before, there := s.answers[id][item]
	switch {
	case item < 1 || item > s.items[id]:
		return fs.ErrNotExist
	case there && before != answer:
		return fs.ErrExist
	}
	s.answers[id][item] = answer
	return nil
}

var solver solve.Solver

// A testClient is a client that checks every answer of a tool against its schema.
type testClient struct {
	*testing.T
	session *sdk.ClientSession
	schemas map[string]*jsonschema.Resolved
}

// client returns a client that is connected until the end of the test.
func (srv *testServer) client(t *testing.T) *testClient {
	t.Helper()
	serverSide, clientSide := sdk.NewInMemoryTransports()
	served, err := srv.server.Connect(t.Context(), serverSide, nil)
	if err != nil {
		t.Fatal(err)
	}
	sdkClient := sdk.NewClient(&sdk.Implementation{Name: "guest", Version: "1"}, nil)
	session, err := sdkClient.Connect(t.Context(), clientSide, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = session.Close(); _ = served.Wait() }) // all calls have been answered
	cl := &testClient{T: t, session: session}
	cl.loadSchemas()
	return cl
}

// loadSchemas gets the output schemas of all tools.
func (cl *testClient) loadSchemas() {
	cl.Helper()
	cl.schemas = map[string]*jsonschema.Resolved{}
	tools, err := cl.session.ListTools(cl.Context(), nil)
	if err != nil {
		cl.Fatal(err)
	}
	for _, tool := range tools.Tools {
		text, err := json.Marshal(tool.OutputSchema)
		if err != nil {
			cl.Fatal(err)
		}
		var schema jsonschema.Schema
		if err := json.Unmarshal(text, &schema); err != nil {
			cl.Fatal(err)
		}
		if cl.schemas[tool.Name], err = schema.Resolve(nil); err != nil {
			cl.Fatal(err)
		}
	}
}

// args are the arguments of a tool.
type args map[string]any

// callTool calls a tool until the server is done computing. It checks the answer against its
// schema, and the text of the answer against its structure.
func (cl *testClient) callTool(tool string, a args) *sdk.CallToolResult {
	cl.Helper()
	result, err := cl.session.CallTool(cl.Context(), &sdk.CallToolParams{Name: tool, Arguments: a})
	if err != nil {
		cl.Fatalf("%s %v: %v", tool, a, err)
	}
	text, ok := result.Content[0].(*sdk.TextContent)
	if ok && strings.Contains(text.Text, stillComputing) {
		return cl.callTool(tool, a)
	}
	if err := cl.schemas[tool].Validate(result.StructuredContent); err != nil {
		cl.Fatalf("%s %v: %v\n%v", tool, a, err, result.StructuredContent)
	}
	cl.checkText(result)
	return result
}

// mustCall calls a tool and returns its answer. The test fails if the answer is an error.
func mustCall[T any](cl *testClient, tool string, a args) T {
	cl.Helper()
	answer, refused := tryCall[T](cl, tool, a)
	if refused {
		cl.Fatalf("%s %v: %+v", tool, a, answer)
	}
	return answer
}

// tryCall calls a tool and returns its answer, which may be an error.
func tryCall[T any](cl *testClient, tool string, a args) (answer T, refused bool) {
	cl.Helper()
	result := cl.callTool(tool, a)
	text, err := json.Marshal(result.StructuredContent)
	if err == nil {
		err = json.Unmarshal(text, &answer)
	}
	if err != nil {
		cl.Fatal(err)
	}
	return answer, result.IsError
}

// newRand returns a random source that is the same in every run.
func newRand(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 16)) }
