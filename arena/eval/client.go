package eval

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// A Message is a message of a conversation with a model.
type Message struct {
	Role    string `json:"role"`
	Content string `json:"content"`
}

// A client calls the chat API of a server.
type client struct {
	settings *Settings
	http     *http.Client
	headers  http.Header // with the secrets
	filter   filter

	oldTokens atomic.Bool // the server knows max_tokens only

	mu   sync.Mutex
	held time.Time // no call before: the server asked all to wait
}

// newClient returns a client with room for a number of calls in flight.
func newClient(s *Settings, secrets Secrets, concurrency int) *client {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.MaxIdleConnsPerHost, transport.MaxIdleConns = concurrency, 0
	c := &client{
		settings: s, headers: http.Header{},
		http: &http.Client{Transport: transport,
			CheckRedirect: func(*http.Request, []*http.Request) error {
				return http.ErrUseLastResponse
			}},
	}
	c.headers.Set("Content-Type", "application/json")
	if secrets.Key != "" {
		c.headers.Set("Authorization", "Bearer "+secrets.Key)
		c.filter.secrets = append(c.filter.secrets, secrets.Key)
	}
	for name, value := range secrets.Headers {
		c.headers.Set(name, value)
		if value != "" {
			c.filter.secrets = append(c.filter.secrets, value)
		}
	}
	return c
}

func sleep(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}

// body returns the body of a request. Servers differ in the name of the limit of tokens.
func (c *client) body(messages []Message, oldTokens bool) ([]byte, error) {
	s := c.settings
	body := map[string]any{"model": s.Model, "messages": messages, "stream": false}
	if s.Temperature != nil {
		body["temperature"] = *s.Temperature
	}
	if s.ModelSeed != nil {
		body["seed"] = *s.ModelSeed
	}
	if s.MaxTokens > 0 {
		name := newTokens
		if oldTokens {
			name = "max_tokens"
		}
		body[name] = s.MaxTokens
	}
	maps.Copy(body, s.Extra)
	return json.Marshal(body)
}

// newTokens is the newer name of the limit of tokens.
const newTokens = "max_completion_tokens"

// A StatusError reports that a server refuses calls for good.
type StatusError struct {
	Status int
	Text   string // the server's words
}

func (e *StatusError) Error() string { return fmt.Sprintf("status %d: %s", e.Status, e.Text) }

// A retryError reports a failure of the server, which may pass.
type retryError struct {
	err    error
	after  time.Duration // as the server asked; 0: it did not
	shared bool          // all calls wait
	late   bool          // it took longer than a call may
	now    bool          // the next attempt need not wait
}

func (e *retryError) Error() string { return e.err.Error() }

// mostBody is the maximum size of an answer in bytes.
const mostBody = 8 << 20

// call sends one request, and returns a line with the answer. The error is a *retryError, a
// [*StatusError] or that of the context.
func (c *client) call(ctx context.Context, messages []Message) (Line, error) {
	if err := c.await(ctx); err != nil {
		return Line{}, err
	}
	oldTokens := c.oldTokens.Load()
	body, err := c.body(messages, oldTokens)
	if err != nil {
		return Line{}, err
	}
	limit, cancel := context.WithTimeout(ctx, c.settings.timeout())
	defer cancel()
	r, err := http.NewRequestWithContext(limit, http.MethodPost,
		strings.TrimRight(c.settings.API, "/")+"/chat/completions", bytes.NewReader(body))
	if err != nil {
		return Line{}, err
	}
	r.Header = c.headers
	answer, err := c.http.Do(r)
	var text []byte
	if err == nil {
		text, err = io.ReadAll(io.LimitReader(answer.Body, mostBody+1))
		_ = answer.Body.Close() // everything is read
	}
	switch {
	case ctx.Err() != nil:
		return Line{}, ctx.Err()
	case limit.Err() != nil:
		return Line{}, &retryError{late: true, now: true,
			err: fmt.Errorf("no answer within %v", c.settings.timeout())}
	case err != nil:
		if address, ok := errors.AsType[*url.Error](err); ok {
			err = address.Err // records have no address
		}
		return Line{}, &retryError{err: errors.New(c.filter.clean(err.Error()))}
	case len(text) > mostBody:
		return Line{}, &retryError{err: errors.New("the answer is longer than 8 MiB")}
	}
	return c.read(answer, text, oldTokens)
}

// await waits as long as the server has asked all calls to wait.
func (c *client) await(ctx context.Context) error {
	for {
		c.mu.Lock()
		left := time.Until(c.held)
		c.mu.Unlock()
		if left <= 0 {
			return ctx.Err()
		}
		if err := sleep(ctx, left); err != nil {
			return err
		}
	}
}

// completion is the JSON of an answer.
type completion struct {
	Model   string `json:"model"`
	Choices []struct {
		Message struct {
			Content          json.RawMessage `json:"content"`
			Reasoning        json.RawMessage `json:"reasoning"`
			ReasoningContent json.RawMessage `json:"reasoning_content"`
		} `json:"message"`
		FinishReason string `json:"finish_reason"`
	} `json:"choices"`
	Usage json.RawMessage `json:"usage"`
	Error json.RawMessage `json:"error"`
}

// usage is the JSON of the tokens of a call.
type usage struct {
	Prompt     int64 `json:"prompt_tokens"`
	Completion int64 `json:"completion_tokens"`
	Details    struct {
		Reasoning int64 `json:"reasoning_tokens"`
	} `json:"completion_tokens_details"`
	Cost *float64 `json:"cost"`
}

// read reads the answer of a server.
func (c *client) read(answer *http.Response, text []byte, oldTokens bool) (Line, error) {
	status := answer.StatusCode
	var got completion
	malformed := json.Unmarshal(text, &got)
	words, code := serverError(got.Error)
	if words == "" {
		words = strings.TrimSpace(string(text[:min(len(text), 500)]))
	}
	words = c.filter.clean(strings.ToValidUTF8(words, "\ufffd"))
	if status == http.StatusOK && len(got.Error) > 0 && string(got.Error) != "null" {
		status = code // 0 if there is none: it may pass
	}
	failed := func(text string) (Line, error) {
		return Line{Status: status}, &retryError{err: errors.New(text),
			after: c.retryAfter(answer.Header), shared: status == http.StatusTooManyRequests}
	}
	switch {
	case mayPass(status):
		return failed(fmt.Sprintf("status %d: %s", status, words))
	case status != http.StatusOK && strings.Contains(words, newTokens) && !oldTokens &&
		c.settings.MaxTokens > 0:
		c.oldTokens.Store(true)
		return Line{Status: status}, &retryError{err: errors.New(words), now: true}
	case status != http.StatusOK:
		return Line{Status: status}, &StatusError{status, words}
	case malformed != nil:
		return failed("the answer is not JSON")
	case len(got.Choices) == 0:
		return failed("the answer has no choices")
	}
	choice := got.Choices[0]
	clean, message := c.filter.clean, choice.Message
	l := Line{
		Status: status, Model: clean(got.Model), FinishReason: clean(choice.FinishReason),
		Content:   clean(textOf(message.Content)),
		Reasoning: clean(textOf(message.Reasoning) + textOf(message.ReasoningContent)),
	}
	var used any
	if json.Unmarshal(got.Usage, &used) == nil && used != nil {
		l.Usage, _ = json.Marshal(c.filter.value(used)) // it was JSON
		tokens := l.tokens()
		l.Cost = tokens.Cost
		if price := c.settings.Price; l.Cost == nil && price != nil {
			cost := (float64(tokens.Prompt)*price[0] + float64(tokens.Completion)*price[1]) / 1e6
			l.Cost = &cost
		}
	}
	return l, nil
}

// mayPass reports whether a status is a failure of the server that may pass.
func mayPass(status int) bool {
	return status >= 500 || slices.Contains([]int{0, http.StatusRequestTimeout,
		http.StatusConflict, http.StatusTooManyRequests}, status)
}

// serverError returns the message and the code of an error in an answer.
func serverError(text json.RawMessage) (message string, code int) {
	var words string
	if json.Unmarshal(text, &words) == nil {
		return words, 0
	}
	var e struct {
		Message string          `json:"message"`
		Code    json.RawMessage `json:"code"`
	}
	if json.Unmarshal(text, &e) == nil {
		code, _ = strconv.Atoi(strings.Trim(string(e.Code), `"`))
	}
	return e.Message, code
}

// textOf returns a content, which is a string or a list of parts, as text.
func textOf(content json.RawMessage) string {
	var text string
	if json.Unmarshal(content, &text) == nil {
		return text
	}
	var parts []struct {
		Type string `json:"type"`
		Text string `json:"text"`
	}
	var all strings.Builder
	if json.Unmarshal(content, &parts) == nil {
		for _, part := range parts {
			all.WriteString(part.Text)
		}
	}
	return all.String()
}

// retryAfter returns how long a server asks to wait.
func (c *client) retryAfter(h http.Header) time.Duration {
	text := h.Get("Retry-After")
	if seconds, err := strconv.ParseFloat(text, 64); err == nil && seconds > 0 && seconds < 1e6 {
		return time.Duration(seconds * float64(time.Second))
	}
	if at, err := http.ParseTime(text); err == nil {
		return max(0, time.Until(at))
	}
	return 0
}

// wait waits before the next attempt after n failures.
func (c *client) wait(ctx context.Context, failure *retryError, n int) error {
	if failure.now {
		return nil
	}
	d := min(time.Minute, time.Second<<min(n, 6))
	d = time.Duration(float64(d) * (0.5 + rand.Float64()/2))
	if failure.after > 0 {
		d = failure.after
	}
	if failure.shared {
		c.mu.Lock()
		if until := time.Now().Add(d); until.After(c.held) {
			c.held = until
		}
		c.mu.Unlock()
		return nil // the next call waits
	}
	return sleep(ctx, d)
}
