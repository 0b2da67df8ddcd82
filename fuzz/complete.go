package fuzz

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/taskwright/taskwright/datasets"
	"github.com/taskwright/taskwright/internal/claim"
)

// complete finishes the claim list of a task: every ask has a claim with
// evidence, at least one claim of each ask is essential, and no claim can be
// answered from the texts alone. Claims keep their ids. What could not be mended
// is in the task's check "claims".
func complete(task *datasets.Task) {
	var trouble, notes []string
	for i := range task.Outline {
		if p := &task.Outline[i]; p.Role == datasets.RoleAsk && len(existing(task, p.Claims)) == 0 {
			if !derive(task, p) {
				trouble = append(trouble, "no claim answers “"+p.Text+"”")
			} else {
				notes = append(notes, "added "+p.Claims[len(p.Claims)-1])
			}
		}
	}
	changed := len(notes) > 0
	for _, c := range answeredByText(task) {
		notes = append(notes, fmt.Sprintf("dropped %s: the text answers it (%s)", c.ID, c.Text))
		drop(task, c.ID)
		changed = true
	}
	for i := range task.Outline {
		if p := &task.Outline[i]; p.Role == datasets.RoleAsk {
			if ids := existing(task, p.Claims); len(ids) > 0 {
				essential(task, ids)
			} else if !strings.Contains(strings.Join(trouble, " "), p.Text) {
				trouble = append(trouble, "the text itself answers “"+p.Text+"”")
			}
		}
	}
	if changed {
		task.ReferenceAnswer = claim.ReferenceAnswer(task)
	}
	detail := strings.Join(append(trouble, notes...), "; ")
	if detail == "" {
		detail = fmt.Sprintf("%d claims for %d asks", len(task.Claims), len(cut(task.Outline).asks))
	}
	setCheck(&task.Checks, datasets.Check{Name: CheckClaims, Passed: len(trouble) == 0, Detail: detail})
}

func find(task *datasets.Task, id string) *datasets.Claim {
	for i := range task.Claims {
		if task.Claims[i].ID == id {
			return &task.Claims[i]
		}
	}
	return nil
}

// existing are the ids that name a claim.
func existing(task *datasets.Task, ids []string) []string {
	var out []string
	for _, id := range ids {
		if find(task, id) != nil {
			out = append(out, id)
		}
	}
	return out
}

func essential(task *datasets.Task, ids []string) {
	for _, id := range ids {
		if find(task, id).Essential {
			return
		}
	}
	find(task, ids[0]).Essential = true
}

// answeredByText lists the claims that the instruction or an accepted variant
// fulfils by itself.
func answeredByText(task *datasets.Task) []datasets.Claim {
	texts := []string{task.Instruction}
	for _, v := range task.Variants {
		if v.Status == datasets.StatusAccepted {
			texts = append(texts, v.Text)
		}
	}
	answered := make([]bool, len(task.Claims))
	for _, t := range texts {
		for i, r := range claim.ScoreAll(task.Claims, t, nil) {
			answered[i] = answered[i] || r.Outcome == datasets.Fulfilled && !yesNo(task.Claims[i].Expected)
		}
	}
	var out []datasets.Claim
	for i := range task.Claims {
		if answered[i] {
			out = append(out, task.Claims[i])
		}
	}
	return out
}

// yesNo says that a claim answers a question with yes or no: a text that asks
// it can't answer it.
func yesNo(expected string) bool {
	switch strings.ToLower(strings.Trim(expected, `"`)) {
	case "true", "false", "yes", "no":
		return true
	}
	return false
}

func drop(task *datasets.Task, id string) {
	claims := task.Claims[:0:0]
	for _, c := range task.Claims {
		if c.ID != id {
			claims = append(claims, c)
		}
	}
	task.Claims = claims
	for i := range task.Outline {
		p := &task.Outline[i]
		if contains(p.Claims, id) {
			ids := p.Claims[:0:0]
			for _, c := range p.Claims {
				if c != id {
					ids = append(ids, c)
				}
			}
			p.Claims = ids
		}
	}
}

// derive makes the claim of an ask without one, where the output of its step
// leaves no doubt: it holds one value, or one list of values.
func derive(task *datasets.Task, p *datasets.Part) bool {
	var output any
	for i := range task.Reference {
		if task.Reference[i].Step == p.Step {
			v, err := datasets.DecodeJSON(task.Reference[i].Output)
			if err != nil {
				return false
			}
			output = v
		}
	}
	pointer, value, ok := onlyValue(output, "")
	if !ok {
		return false
	}
	subject := capitalize(strings.TrimSpace(p.Text))
	if isClause(p.Text) {
		subject = "The answer to “" + p.Text + "”"
	}
	c := datasets.Claim{ID: freeID(task), Step: p.Step, Pointer: pointer, Expected: datasets.EncodeJSON(value), Essential: true, ToleranceKind: datasets.ToleranceExact}
	c.Text = subject + " is " + claim.Say(value)
	switch v := value.(type) {
	case json.Number:
		c.Kind = datasets.ClaimValue
		if strings.Contains(v.String(), ".") {
			c.Tolerance, c.ToleranceKind = 0.01, datasets.ToleranceRelative
		}
	case []any:
		c.Kind = datasets.ClaimSet
		c.Text = subject + " are " + claim.Say(value)
	default:
		c.Kind = datasets.ClaimEntity
	}
	task.Claims = append(task.Claims, c)
	p.Claims = append(p.Claims, c.ID)
	return true
}

// onlyValue descends through objects of one member to a scalar or a list of
// scalars.
func onlyValue(v any, path string) (pointer string, value any, ok bool) {
	switch v := v.(type) {
	case map[string]any:
		if value, has := v["value"]; has && len(v) > 1 {
			return onlyValue(value, path+"/value")
		}
		if len(v) != 1 {
			return "", nil, false
		}
		for k, e := range v {
			return onlyValue(e, path+"/"+datasets.EscapeSegment(k))
		}
	case []any:
		for _, e := range v {
			switch e.(type) {
			case string, json.Number:
			default:
				return "", nil, false
			}
		}
		return path + "/*", v, len(v) > 0
	case string, json.Number:
		return path, v, path != ""
	}
	return "", nil, false
}

// freeID is the first id "cN" that no claim has.
func freeID(task *datasets.Task) string {
	for n := len(task.Claims) + 1; ; n++ {
		if id := fmt.Sprintf("c%d", n); find(task, id) == nil {
			return id
		}
	}
}
