// Package eval measures language models behind a chat API: it asks for moves in games or exams,
// keeps every answer, and reports figures with their intervals. docs/agents.md describes it.
package eval

import (
	"encoding/json"
	"fmt"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"time"

	"digitduel/arena"
	"digitduel/bot"
)

// Contexts: what a model sees of a game.
const (
	ByMove = "move" // the position alone
	ByGame = "game" // earlier questions and answers of the game too
)

// Kinds of runs.
const (
	Games = "games"
	Exam  = "exam"
)

// promptVersion is the version of the prompts.
const promptVersion = 1

// Settings hold what a run depends on in addition to the plan of its games. They name the
// variables of secrets, never the secrets.
type Settings struct {
	Kind        string            `json:"kind"`
	API         string            `json:"api"`
	Model       string            `json:"model"`
	Name        string            `json:"name"` // in reports
	Prompt      int               `json:"prompt"`
	Context     string            `json:"context"`
	TimeoutMS   int64             `json:"timeout_ms"` // for one call
	Attempts    int               `json:"attempts"`   // at one call, if the server fails
	Temperature *float64          `json:"temperature,omitempty"`
	ModelSeed   *int64            `json:"model_seed,omitempty"`
	MaxTokens   int               `json:"max_tokens,omitempty"`
	Extra       map[string]any    `json:"extra,omitempty"` // merged into the body of each call
	Price       *[2]float64       `json:"price,omitempty"` // USD per million tokens in and out
	KeyEnv      string            `json:"key_env,omitempty"`
	Headers     map[string]string `json:"headers,omitempty"` // the variable of each header
	Exam        string            `json:"exam,omitempty"`    // its name
	Items       int               `json:"items,omitempty"`   // for each of the rules
}

// Secrets are the values of the variables that settings name.
type Secrets struct {
	Key     string
	Headers map[string]string
}

// SecretsOf looks up the secrets of settings.
func (s *Settings) SecretsOf(lookup func(name string) (string, bool)) (Secrets, error) {
	secrets := Secrets{Headers: map[string]string{}}
	secrets.Key, _ = lookup(s.KeyEnv)
	for header, name := range s.Headers {
		value, ok := lookup(name)
		if !ok {
			return secrets, fmt.Errorf("header %s: the variable %s is not set", header, name)
		}
		secrets.Headers[header] = value
	}
	all := newClient(s, secrets, 1).filter
	if len(s.Extra) > 0 && !reflect.DeepEqual(all.value(s.Extra), any(s.Extra)) {
		return secrets, fmt.Errorf("extra: it contains the value of a secret variable")
	}
	if all.clean(s.API) != s.API || all.clean(s.Model) != s.Model || all.clean(s.Name) != s.Name {
		return secrets, fmt.Errorf("api, model and name must not contain a secret")
	}
	return secrets, nil
}

// Check returns nil if the settings are valid.
func (s *Settings) Check() error {
	u, err := url.Parse(s.API)
	switch {
	case err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "":
		return fmt.Errorf("api: allowed: an address such as http://127.0.0.1:8000/v1")
	case u.User != nil || u.RawQuery != "" || u.Fragment != "":
		return fmt.Errorf("api: an address without a user, a password or a query; secrets come " +
			"from variables (--key-env, --header)")
	case s.Model == "":
		return fmt.Errorf("model: missing name, such as --model qwen3-8b")
	case slices.Contains(bot.LevelNames(), s.Name):
		return fmt.Errorf("name %q: a level; choose another with --name", s.Name)
	case s.Context != ByMove && s.Context != ByGame:
		return fmt.Errorf("context %q: allowed: %s, %s", s.Context, ByMove, ByGame)
	case s.TimeoutMS < 1:
		return fmt.Errorf("timeout: allowed: 1ms or more")
	case s.Kind == Exam && s.Exam == "" && (s.Items < 1 || s.Items > arena.MostItems):
		return fmt.Errorf("items %d: allowed: 1 to %d", s.Items, arena.MostItems)
	case s.Attempts < 1 || s.Attempts > 1000:
		return fmt.Errorf("attempts %d: allowed: 1 to 1000", s.Attempts)
	}
	for key := range s.Extra {
		if key == "messages" || key == "stream" || key == "model" {
			return fmt.Errorf("extra: %s cannot be changed", key)
		}
	}
	return arena.CheckAgent(s.Name)
}

func (s *Settings) timeout() time.Duration { return time.Duration(s.TimeoutMS) * time.Millisecond }

// A Plan is the plan of games or of an exam, and the settings.
type Plan struct {
	*arena.Plan
	Settings Settings
}

// exam returns the exam of a plan.
func (s *Settings) exam(plan *arena.Plan) (exam arena.Exam, err error) {
	if s.Exam != "" {
		return arena.ParseExam(s.Exam)
	}
	exam.Seed = plan.Seed
	for _, r := range plan.Rules {
		exam.Parts = append(exam.Parts, arena.ExamPart{Rules: r, Items: s.Items})
	}
	return exam, nil
}

// Seal adds settings to a plan without them.
func Seal(plan *arena.Plan, s Settings) (*Plan, error) {
	s.Prompt = promptVersion
	if err := s.Check(); err != nil {
		return nil, err
	}
	if s.Kind == Exam {
		exam, err := s.exam(plan)
		if err != nil {
			return nil, err
		}
		plan.Format, plan.Rules = arena.ExamFormat, nil
		for _, part := range exam.Parts {
			plan.Rules = append(plan.Rules, part.Rules)
		}
	}
	text, err := json.Marshal(s)
	if err != nil {
		return nil, err
	}
	return &Plan{plan, s}, plan.SetEval(text)
}

// ReadPlan returns the plan in a folder.
func ReadPlan(dir string) (*Plan, error) {
	plan, err := arena.Folder(dir).Plan()
	if err != nil {
		return nil, err
	}
	if len(plan.Eval) == 0 {
		return nil, fmt.Errorf("%s: not a run of duel eval", dir)
	}
	p := &Plan{Plan: plan}
	if err := json.Unmarshal(plan.Eval, &p.Settings); err != nil {
		return nil, fmt.Errorf("%s: %w", dir, err)
	}
	if p.Settings.Prompt != promptVersion {
		return nil, fmt.Errorf("%s: its prompts have version %d, and this program asks with %d",
			dir, p.Settings.Prompt, promptVersion)
	}
	return p, p.Settings.Check()
}

// short returns an answer as it is quoted: its last line, cut.
func short(answer string) string {
	lines := strings.Split(strings.TrimSpace(answer), "\n")
	line := []rune(strings.TrimSpace(lines[len(lines)-1]))
	const most = 80
	if len(line) > most {
		line = append(line[:most:most], '…')
	}
	return string(line)
}
