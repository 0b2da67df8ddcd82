package generate

import (
	"context"
	"encoding/json"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"

	"github.com/taskwright/taskwright/datasets"
	"github.com/taskwright/taskwright/internal/schema"
)

// tries bounds how often a draft looks for one more step.
const tries = 8

// growth is one draft in the making, with the session that runs its calls.
type growth struct {
	*catalog
	rng     *rand.Rand
	session Session
	draft   *draft
	linear  bool // take values from the last step only
}

// grow makes a draft with up to size steps and aims at the given pattern; what
// comes out may be another one. It returns nil where the catalog offers none,
// and an error only where a call could not be made at all.
func (g *growth) grow(ctx context.Context, pattern string, size int) (*draft, error) {
	g.draft = &draft{}
	g.linear = pattern == datasets.PatternLinear
	ok, err := g.addRoot(ctx, size-1)
	if !ok || err != nil {
		return nil, err
	}
	switch pattern {
	case datasets.PatternSingle:
	case datasets.PatternParallel:
		err = g.growParallel(ctx, size)
	default:
		err = g.growConnected(ctx, size)
	}
	if err != nil {
		return nil, err
	}
	return g.draft, nil
}

func (g *growth) growConnected(ctx context.Context, size int) error {
	for len(g.draft.steps) < size {
		from := len(g.draft.steps)
		if !g.linear {
			from = g.branchPoint()
		}
		ok, err := g.extend(ctx, from, size-len(g.draft.steps)-1)
		if err != nil {
			return err
		}
		if !ok {
			return nil
		}
	}
	return nil
}

// branchPoint is the last step as often as an early one, so that hybrids fan
// out and still go deep.
func (g *growth) branchPoint() int {
	n := len(g.draft.steps)
	if g.rng.IntN(2) == 0 {
		return n
	}
	return 1 + min(g.rng.IntN(n), g.rng.IntN(n))
}

func (g *growth) growParallel(ctx context.Context, size int) error {
	branches := 2 + g.rng.IntN(2)
	g.linear = true
	for b := 1; ; b++ {
		if len(g.draft.steps) < size && g.rng.IntN(2) == 0 {
			if _, err := g.extend(ctx, len(g.draft.steps), 0); err != nil {
				return err
			}
		}
		if b == branches || len(g.draft.steps) >= size {
			return nil
		}
		if ok, err := g.addRoot(ctx, 1); err != nil || !ok {
			return err
		}
	}
}

// addRoot runs a call made of constants only, which further steps are to follow.
func (g *growth) addRoot(ctx context.Context, further int) (bool, error) {
	for range tries {
		tool := g.chooseRoot(g.rng, g.draft, further)
		if tool == nil {
			return false, nil
		}
		sample := g.chooseSample(g.rng, tool, g.draft)
		if sample == nil {
			continue
		}
		s, err := g.run(ctx, tool, g.constants(tool, sample, nil))
		if err != nil {
			return false, err
		}
		if s != nil && g.add(s) {
			return true, nil
		}
	}
	return false, nil
}

// extend adds a step that takes a value from step number from, and that so many
// further steps are to follow.
func (g *growth) extend(ctx context.Context, from, further int) (bool, error) {
	for range tries {
		e := g.chooseEdge(g.rng, g.draft, from, further)
		if e < 0 {
			return false, nil
		}
		picks := len(g.draft.picks)
		args, used := g.bind(e, from)
		if args == nil {
			g.draft.picks = g.draft.picks[:picks]
			continue
		}
		s, err := g.run(ctx, g.byID[g.edges[e].ToServer+"/"+g.edges[e].ToTool], args)
		if err != nil {
			return false, err
		}
		if s == nil || !g.add(s) {
			g.draft.picks = g.draft.picks[:picks]
			continue
		}
		g.draft.edges = append(g.draft.edges, used...)
		return true, nil
	}
	return false, nil
}

// add appends a step if there is something in its output to ask for. A tool
// without is chosen less from then on.
func (g *growth) add(s *step) bool {
	g.draft.steps = append(g.draft.steps, s)
	asker := &asker{book: g.book, draft: g.draft, rng: g.rng}
	if g.book.tool(s.tool.ID()).passesOn() || len(asker.possible(len(g.draft.steps))) > 0 {
		return true
	}
	g.barren[s.tool.ID()]++
	g.draft.steps = g.draft.steps[:len(g.draft.steps)-1]
	return false
}

// run calls a tool with arguments that are all resolved. A call that the tool
// refuses, or that returns nothing, gives nil.
func (g *growth) run(ctx context.Context, tool *datasets.Tool, args []datasets.Argument) (*step, error) {
	row := datasets.Step{Server: tool.Server, Tool: tool.Name, Arguments: args}
	object, err := row.ResolveArguments(g.draft.documents())
	if err != nil {
		return nil, nil
	}
	for i := range args {
		v, err := args[i].Resolve(g.draft.documents())
		if err != nil {
			return nil, nil
		}
		args[i].Value = datasets.EncodeJSON(v)
	}
	sent := datasets.EncodeJSON(object)
	if compiled, _, err := schema.Compile(tool.InputSchema); err == nil && len(compiled.Validate(object)) > 0 {
		return nil, nil
	}
	call, _, err := g.session.Call(ctx, tool.Server, tool.Name, sent)
	if err != nil {
		return nil, err
	}
	if call.Result.IsError || call.Volatile || !booked(tool, g.book) && !g.timeless(tool, object) {
		return nil, nil
	}
	doc := datasets.Document(call.Result)
	if empty(doc) || failed(doc) {
		return nil, nil
	}
	return &step{tool: tool, args: args, sent: sent, doc: doc, call: call}, nil
}

// failed says that an answer tells of a failure though it is none by protocol.
func failed(doc any) bool {
	top, ok := doc.(map[string]any)
	if !ok {
		return false
	}
	if text, ok := top["text"].(string); ok && len(top) <= 2 {
		lower := strings.ToLower(text)
		for _, sign := range []string{"no ", "not found", "error", "unknown ", "invalid ", "failed "} {
			if strings.HasPrefix(lower, sign) {
				return true
			}
		}
	}
	for _, v := range top {
		if text, ok := v.(string); ok && systemError.MatchString(text) {
			return true
		}
	}
	if e, has := top["error"]; has && e != nil && e != "" && e != false {
		return true
	}
	return top["success"] == false || top["ok"] == false || top["found"] == false
}

// systemError is what a file system says of a directory that was to be read as
// a file, or of a file that is not there.
var systemError = regexp.MustCompile(`\b(EISDIR|ENOENT|ENOTDIR|EACCES|EPERM)\b`)

func empty(doc any) bool {
	switch doc := doc.(type) {
	case []any:
		return len(doc) == 0
	case map[string]any:
		for _, v := range doc {
			if list, ok := v.([]any); ok && len(list) == 0 {
				continue
			}
			if s, ok := v.(string); ok && s == "" {
				continue
			}
			return false
		}
		return true
	}
	return doc == nil
}

// constants are the arguments of a sample call, as far as they are scalars or
// short lists. skip names the arguments that are bound already. Optional
// arguments are mostly left out: a person states what matters.
func (g *growth) constants(tool *datasets.Tool, sample map[string]any, skip map[string]bool) []datasets.Argument {
	var args []datasets.Argument
	for _, p := range g.params[tool.ID()] {
		v, given := sample[p.Name]
		path := "/" + datasets.EscapeSegment(p.Name)
		if skip[path] || strings.Count(p.Path, "/") != 1 {
			continue
		}
		mentioned := g.book.tool(tool.ID()).mentions(p.Name)
		if !given && mentioned && !booked(tool, g.book) {
			v, given = offered(&p)
		}
		if !given || !p.Required && !g.sayable(tool, p.Name, v) {
			continue
		}
		if !p.Required && !mentioned && !booked(tool, g.book) && (len(g.requiredOf(tool)) > 0 || len(args) > 0) && (!offers(&p, v) || g.rng.IntN(4) > 0) {
			continue
		}
		a := g.constant(tool, p.Name, v)
		if !p.Required && p.Default != nil && datasets.EncodeJSON(p.Default) == a.Value {
			a.Source = datasets.SourceDefault
		}
		args = append(args, a)
	}
	return args
}

func (g *growth) constant(tool *datasets.Tool, param string, value any) datasets.Argument {
	raw := datasets.EncodeJSON(value)
	plain := raw
	if s, ok := value.(string); ok {
		plain = s
	}
	said := g.book.say(tool.ID(), param, plain)
	if words := splitWords(param); said == "" && len(words) > 0 && words[len(words)-1] == "month" {
		said = monthName(plain)
	}
	a := datasets.Argument{Path: "/" + datasets.EscapeSegment(param), Source: datasets.SourceConstant, Value: raw, Said: said}
	if slices.Contains(g.book.tool(tool.ID()).Implied, param) {
		a.Source, a.Said = datasets.SourceInferred, ""
	}
	return a
}

// offered is a value that the schema offers for a parameter.
func offered(p *schema.Param) (any, bool) {
	switch {
	case p.Default != nil:
		return p.Default, true
	case len(p.Examples) > 0:
		return p.Examples[0], true
	case len(p.Enum) > 0:
		return p.Enum[0], true
	}
	return nil, false
}

func decodeObject(raw string) map[string]any {
	v, err := datasets.DecodeJSON(raw)
	if err != nil {
		return nil
	}
	object, _ := v.(map[string]any)
	return object
}

// speakable says that a person could state the value in a sentence.
func speakable(v any) bool {
	switch v := v.(type) {
	case string:
		return len(v) > 1 && len(v) <= 120 && !strings.ContainsAny(v, "\n\r\t")
	case json.Number, bool:
		return true
	case []any:
		if len(v) == 0 || len(v) > 10 {
			return false
		}
		for _, e := range v {
			if _, list := e.([]any); list || !speakable(e) {
				return false
			}
		}
		return true
	}
	return false
}
