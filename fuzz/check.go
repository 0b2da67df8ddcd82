package fuzz

import (
	"github.com/taskwright/taskwright/datasets"
	"github.com/taskwright/taskwright/internal/literal"
)

// Counts is what the gates see in the variants of a task. Kept, Normalised,
// Inferable, Lost and Altered add up to Literals.
type Counts struct {
	Tasks      int `json:"tasks"`
	Literals   int `json:"literals"`   // values that the variants must state, once for each variant
	Kept       int `json:"kept"`       // stated as they are
	Normalised int `json:"normalised"` // stated in another form
	Inferable  int `json:"inferable"`  // not stated, and need not be by a rule
	Lost       int `json:"lost"`       // not stated
	Altered    int `json:"altered"`    // not stated, and something similar stands there
	Invented   int `json:"invented"`   // stated, and nobody said it
	Leaks      int `json:"leaks"`      // names, step phrasing, delivered values
}

// Add adds the counts of another task.
func (c *Counts) Add(o Counts) {
	c.Tasks += o.Tasks
	c.Literals += o.Literals
	c.Kept += o.Kept
	c.Normalised += o.Normalised
	c.Inferable += o.Inferable
	c.Lost += o.Lost
	c.Altered += o.Altered
	c.Invented += o.Invented
	c.Leaks += o.Leaks
}

// Check counts literals and leaks in all variants that a task has, accepted or
// not. A task without a chain (an imported one) is measured by the literals of
// its instruction.
func Check(task *datasets.Task) Counts {
	return count(task, func(*datasets.Variant) bool { return true })
}

// CheckAccepted counts in the accepted variants only.
func CheckAccepted(task *datasets.Task) Counts {
	return count(task, func(v *datasets.Variant) bool { return v.Status == datasets.StatusAccepted })
}

func count(task *datasets.Task, counted func(*datasets.Variant) bool) Counts {
	g := newGate(task)
	c := Counts{Tasks: 1}
	for i := range task.Variants {
		if !counted(&task.Variants[i]) {
			continue
		}
		text := literal.Parse(task.Variants[i].Text)
		v := judgeLiterals(g.said, g.needs, text)
		for _, s := range v.states {
			c.Literals++
			switch s {
			case kept:
				c.Kept++
			case normalised:
				c.Normalised++
			case inferable:
				c.Inferable++
			case altered:
				c.Altered++
			default:
				c.Lost++
			}
		}
		c.Invented += len(v.invented)
		c.Leaks += len(g.leaks.find(text))
	}
	return c
}
