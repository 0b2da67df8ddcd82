package fuzz

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"

	"github.com/taskwright/taskwright/datasets"
	"github.com/taskwright/taskwright/internal/literal"
)

// Options says what to write; nil means the defaults.
type Options struct {
	Levels   []string // light, medium, heavy; nil means all three
	Seed     int64    // added to the task's id
	Attempts int      // combinations tried for each level before a variant is rejected; 0 means 24
}

// ErrNoOutline is the error for a task whose instruction has no parts that
// could be recombined, such as an imported one.
var ErrNoOutline = errors.New("the task has no outline with something to ask or do")

// Author is the author of the variants that this package writes.
const Author = "phrasebank"

// Names of the checks that a variant, and a task's claim list, carry.
const (
	CheckLiterals = "literals"
	CheckLeaks    = "leaks"
	CheckClaims   = "claims"
)

// Vary writes the variants of a task and finishes its claims. Variants of
// other levels and variants by other authors stay. A level at which no
// combination passes the gates keeps the one with the fewest reasons, rejected.
// The same task and options give the same result. The error is [ErrNoOutline],
// or names a level that does not exist; the task is then unchanged.
func Vary(task *datasets.Task, opts *Options) error {
	if opts == nil {
		opts = &Options{}
	}
	levels := opts.Levels
	if levels == nil {
		levels = []string{datasets.LevelLight, datasets.LevelMedium, datasets.LevelHeavy}
	}
	for _, l := range levels {
		if l != datasets.LevelLight && l != datasets.LevelMedium && l != datasets.LevelHeavy {
			return fmt.Errorf("fuzzy level %q: want light, medium or heavy", l)
		}
	}
	p := cut(task.Outline)
	if len(p.asks)+len(p.deeds) == 0 {
		return fmt.Errorf("task %s: %w", task.ID, ErrNoOutline)
	}
	g := newGate(task)
	variants := others(task.Variants, levels)
	for _, level := range levels {
		variants = append(variants, write(task, g, p, level, opts))
	}
	task.Variants = variants
	complete(task)
	return nil
}

// others are the variants that a rewriting of the levels leaves alone.
func others(variants []datasets.Variant, levels []string) []datasets.Variant {
	var out []datasets.Variant
	for _, v := range variants {
		ours := v.Author == Author
		for _, l := range levels {
			if ours && v.Level == l {
				ours = true
				break
			}
		}
		if !ours || !contains(levels, v.Level) {
			out = append(out, v)
		}
	}
	return out
}

func contains(list []string, s string) bool {
	for _, e := range list {
		if e == s {
			return true
		}
	}
	return false
}

// write tries combinations of one level until one passes the gates.
func write(task *datasets.Task, g *gate, p pieces, level string, opts *Options) datasets.Variant {
	attempts := opts.Attempts
	if attempts <= 0 {
		attempts = 24
	}
	var best datasets.Variant
	for try := 0; try < attempts; try++ {
		v := datasets.Variant{Level: level, Author: Author, Text: compose(source(task, level, opts.Seed, try), level, p)}
		g.judge(&v)
		if try == 0 || len(v.Reasons) < len(best.Reasons) {
			best = v
		}
		if best.Status == datasets.StatusAccepted {
			break
		}
	}
	return best
}

// source is the random source of one attempt at one level of one task.
func source(task *datasets.Task, level string, seed int64, try int) *rand.Rand {
	d := datasets.Digest("fuzz", task.ID, level, strconv.FormatInt(seed, 10), strconv.Itoa(try))
	a, errA := strconv.ParseUint(d[:16], 16, 64)
	b, errB := strconv.ParseUint(d[16:32], 16, 64)
	if errA != nil || errB != nil {
		panic("fuzz: a digest is no hexadecimal number")
	}
	return rand.New(rand.NewPCG(a, b))
}

// gate holds what a task's texts are judged by.
type gate struct {
	needs []needed
	said  *spoken
	leaks *leaks
}

func newGate(task *datasets.Task) *gate {
	list := needs(task)
	return &gate{list, speak(task, list), newLeaks(task)}
}

// Judge puts a variant, whoever wrote it, through the gates: it sets Status,
// Reasons and the checks of this package.
func Judge(task *datasets.Task, v *datasets.Variant) { newGate(task).judge(v) }

func (g *gate) judge(v *datasets.Variant) {
	text := literal.Parse(v.Text)
	verdict := judgeLiterals(g.said, g.needs, text)
	given := g.leaks.find(text)
	v.Reasons = nil
	stated := 0
	for i, s := range verdict.states {
		if s == lost || s == altered {
			v.Reasons = append(v.Reasons, fmt.Sprintf("%s: %s %s (%s)", CheckLiterals, &g.needs[i], s, g.needs[i].name))
		} else {
			stated++
		}
	}
	for _, s := range verdict.invented {
		v.Reasons = append(v.Reasons, fmt.Sprintf("%s: %s invented", CheckLiterals, s))
	}
	literalsPassed := len(v.Reasons) == 0
	for _, s := range given {
		v.Reasons = append(v.Reasons, CheckLeaks+": "+s)
	}
	v.Status = datasets.StatusAccepted
	if len(v.Reasons) > 0 {
		v.Status = datasets.StatusRejected
	}
	setCheck(&v.Checks, datasets.Check{Name: CheckLiterals, Passed: literalsPassed, Detail: fmt.Sprintf("%d of %d stated", stated, len(verdict.states))})
	detail := "none"
	if len(given) > 0 {
		detail = strings.Join(given, "; ")
	}
	setCheck(&v.Checks, datasets.Check{Name: CheckLeaks, Passed: len(given) == 0, Detail: detail})
}

// setCheck puts a check in the place of an older one of the same name.
func setCheck(checks *[]datasets.Check, c datasets.Check) {
	for i := range *checks {
		if (*checks)[i].Name == c.Name {
			(*checks)[i] = c
			return
		}
	}
	*checks = append(*checks, c)
}
