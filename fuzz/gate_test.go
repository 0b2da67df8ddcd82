package fuzz

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/taskwright/taskwright/datasets"
	"github.com/taskwright/taskwright/internal/literal"
)

// right is a text on the lakes that passes both gates.
const right = "I'm off swimming in June and live in Zurich. Which is the deepest lake Carinthia has, which towns are on its shore, how many kilometres is it from Zurich as the crow flies, and how warm do June days get there in °F?"

// TestGate: what is good enough and what is not, each for its own reason.
func TestGate(t *testing.T) {
	for _, c := range []struct{ name, text, reason string }{
		{"right", right, ""},
		{"normalised", strings.ReplaceAll(right, "June", "month 6"), ""},
		{"month lost", strings.ReplaceAll(right, "June", "summer"), "literals: June lost (step 4, /month)"},
		{"city lost", strings.ReplaceAll(right, "Zurich", "home"), "literals: \"Zurich\" lost (step 3, /from)"},
		{"region lost", strings.ReplaceAll(right, "Carinthia", "the south"), "literals: Carinthia lost (step 1, /region)"},
		{"unit lost", strings.ReplaceAll(right, " in °F", ""), "literals: degrees Fahrenheit lost (step 5, /to)"},
		{"order lost", strings.ReplaceAll(right, "the deepest lake", "a lake"), "literals: the largest one lost (step 2, /lake_id)"},
		{"order turned round", strings.ReplaceAll(right, "the deepest lake", "the shallowest lake"), "literals: the largest one altered (step 2, /lake_id)"},
		{"order turned round in general", strings.ReplaceAll(right, "the deepest lake", "the lake with the least depth in"), "literals: the largest one altered (step 2, /lake_id)"},
		{"at least is no order", right + " At least roughly.", ""},
		{"relative day invented", right + " I leave next Friday.", "literals: friday invented"},
		{"month altered", strings.ReplaceAll(right, "June", "July"), "literals: June altered (step 4, /month)"},
		{"number invented", right + " I have 12.5 hours.", "literals: 12.5 hours invented"},
		{"delivered name", strings.ReplaceAll(right, "Zurich as", "Zurich to Lake Millrun as"), "leaks: delivered value Lake Millrun"},
		{"delivered number", right + " About 371.8 km?", "leaks: delivered value 371.8"},
		{"delivered coordinate", right + " It is at 46.79.", "leaks: delivered value 46.79"},
		{"tool", "Call find_lakes. " + right, "leaks: tool find_lakes"},
		{"tool in camel case", right + " (findLakes)", "leaks: tool find_lakes"},
		{"tool in Pascal case", right + " FindLakes", "leaks: tool find_lakes"},
		{"tool in kebab case", right + " find-lakes", "leaks: tool find_lakes"},
		{"tool in the plural", right + " find_lakess", "leaks: tool find_lakes"},
		{"tool as a tool", "Use the find lakes tool. " + right, "leaks: tool find_lakes"},
		{"tool as English", "Help me find lakes. " + right, ""},
		{"plain word", right + " The distance matters, and units too.", ""},
		{"plain word as a tool", right + " The distance tool may help.", "leaks: tool distance"},
		{"plain word in code marks", right + " `distance`", "leaks: tool distance"},
		{"server", right + " Ask the lakes server.", "leaks: server lakes"},
		{"parameter", right + " lake_id", "leaks: parameter lake_id"},
		{"parameter in words", right + " I need the lake id.", "leaks: parameter lake_id"},
		{"step", right + " Step 2 is the towns.", "leaks: step phrasing “Step 2”"},
		{"step phrasing", right + " Then use the id to go on.", "leaks: step phrasing “Then use”"},
		{"numbered list", right + "\n1. find it\n", "leaks: step phrasing “1. f”"},
	} {
		v := datasets.Variant{Text: c.text}
		Judge(lakes(), &v)
		found := c.reason == "" && len(v.Reasons) == 0
		for _, r := range v.Reasons {
			found = found || r == c.reason
		}
		if !found {
			t.Errorf("%s: reasons %q, want %q", c.name, v.Reasons, c.reason)
		}
		if want := map[bool]string{true: datasets.StatusAccepted, false: datasets.StatusRejected}[c.reason == ""]; v.Status != want {
			t.Errorf("%s: status %s", c.name, v.Status)
		}
	}
}

// TestConstants: coordinates and codes that a person states must stay exact.
func TestConstants(t *testing.T) {
	task := &datasets.Task{
		Instruction:   "Tell me the height at 46.7867, 13.5489 and of the smallest hut within 12 km.",
		RequiredTools: []string{"relief/get_height", "huts/near"},
		Servers:       []string{"huts", "relief"},
		Chain: []datasets.Step{
			step("relief", "get_height", constant("/lat", "46.7867", ""), constant("/lon", "13.5489", "")),
			step("huts", "near", constant("/km", "12", ""), from("/id", `"h1"`, 1, "/huts/*/id", datasets.PickSmallest, "/huts/*/beds")),
		},
	}
	for _, c := range []struct{ name, text, reason string }{
		{"as it is", "How high is it at 46.7867, 13.5489, and the smallest hut within 12 km?", ""},
		{"in metres", "How high is it at 46.7867, 13.5489, and the tiniest hut within 12,000 m?", ""},
		{"coordinate rounded", "How high is it at 46.79, 13.5489, and the smallest hut within 12 km?", "literals: 46.7867 altered (step 1, /lat)"},
		{"coordinate dropped", "How high is it there, 13.5489, and the smallest hut within 12 km?", "literals: 46.7867 lost (step 1, /lat)"},
		{"distance changed", "How high is it at 46.7867, 13.5489, and the smallest hut within 13 km?", "literals: 12 altered (step 2, /km)"},
		{"largest for smallest", "How high is it at 46.7867, 13.5489, and the largest hut within 12 km?", "literals: the smallest one altered (step 2, /id)"},
		{"tool in words", "Use the get height tool at 46.7867, 13.5489 and the smallest hut within 12 km.", "leaks: tool get_height"},
		{"tool in camel case", "getHeight at 46.7867, 13.5489 and the smallest hut within 12 km?", "leaks: tool get_height"},
	} {
		v := datasets.Variant{Text: c.text}
		Judge(task, &v)
		if c.reason == "" && len(v.Reasons) > 0 || c.reason != "" && !contains(v.Reasons, c.reason) {
			t.Errorf("%s: reasons %q, want %q", c.name, v.Reasons, c.reason)
		}
	}
}

func TestServerWithAProperName(t *testing.T) {
	v := datasets.Variant{Text: "In which year was \"The Salt Road\" published, and how many copies of ISBN 978-0-306-40615-7 does Open Shelf have?"}
	Judge(library(), &v)
	if want := []string{"leaks: server Open Shelf"}; !cmp.Equal(v.Reasons, want) {
		t.Errorf("reasons %q, want %q", v.Reasons, want)
	}
	v.Text = strings.ReplaceAll(v.Text, "does Open Shelf have", "are on the shelf")
	if Judge(library(), &v); v.Status != datasets.StatusAccepted {
		t.Errorf("reasons %q", v.Reasons)
	}
}

// TestRejectedIsKept: a part that loses a value can't be repaired by any
// combination; the variant stays, rejected, with its text as it is.
func TestRejectedIsKept(t *testing.T) {
	task := lakes()
	for i := range task.Outline {
		task.Outline[i].Text = strings.ReplaceAll(task.Outline[i].Text, "Zurich", "there")
		task.Outline[i].Question = strings.ReplaceAll(task.Outline[i].Question, "Zurich", "there")
		task.Outline[i].Brief = strings.ReplaceAll(task.Outline[i].Brief, "Zurich", "there")
	}
	if err := Vary(task, nil); err != nil {
		t.Fatal(err)
	}
	for _, v := range task.Variants {
		if v.Status != datasets.StatusRejected || len(v.Reasons) == 0 || strings.Contains(v.Text, "Zurich") {
			t.Errorf("%s: %s %q: %s", v.Level, v.Status, v.Reasons, v.Text)
		}
	}
}

func TestVaryAgain(t *testing.T) {
	a, b := lakes(), lakes()
	for range 2 {
		if err := errors.Join(Vary(a, nil)); err != nil {
			t.Fatal(err)
		}
	}
	if err := Vary(b, nil); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(b, a); diff != "" {
		t.Errorf("a second time differs:\n%s", diff)
	}
	a.Variants = append(a.Variants, datasets.Variant{Level: datasets.LevelLight, Author: "some-model", Text: "x"})
	if err := Vary(a, &Options{Levels: []string{datasets.LevelLight}, Seed: 7}); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, v := range a.Variants {
		got = append(got, v.Level+"/"+v.Author)
	}
	if want := []string{"medium/phrasebank", "heavy/phrasebank", "light/some-model", "light/phrasebank"}; !cmp.Equal(got, want) {
		t.Errorf("variants %q, want %q", got, want)
	}
}

func TestVaryErrors(t *testing.T) {
	if err := Vary(&datasets.Task{ID: "x"}, nil); !errors.Is(err, ErrNoOutline) {
		t.Errorf("err = %v", err)
	}
	if err := Vary(lakes(), &Options{Levels: []string{"cosmic"}}); err == nil {
		t.Error("an unknown level is accepted")
	}
}

// TestClaims: an ask without a claim gets one where there is no doubt, and a
// claim that the text answers goes.
func TestClaims(t *testing.T) {
	task := breakfast()
	if err := Vary(task, nil); err != nil {
		t.Fatal(err)
	}
	added := task.Claims[len(task.Claims)-1]
	if added.ID != "c2" || added.Pointer != "/value" || added.Expected != "18.95" || !added.Essential || !task.Claims[0].Essential {
		t.Errorf("claims = %+v", task.Claims)
	}
	task = lakes()
	task.Claims = append(task.Claims, entity("c5", "The person lives in Zurich", 1, "/x", `"Zurich"`))
	task.Outline[4].Claims = append(task.Outline[4].Claims, "c5")
	if err := Vary(task, nil); err != nil {
		t.Fatal(err)
	}
	if find(task, "c5") != nil || contains(task.Outline[4].Claims, "c5") || !task.Checks[0].Passed || !strings.Contains(task.Checks[0].Detail, "dropped c5") {
		t.Errorf("c5 is still there: %+v", task.Checks)
	}
	task = lakes()
	task.Outline[2].Claims = nil
	if err := Vary(task, nil); err != nil {
		t.Fatal(err)
	}
	// The towns are objects, not plain values: no claim can be made without doubt.
	if check := task.Checks[0]; check.Passed || !strings.HasPrefix(check.Detail, "no claim answers “the towns") || find(task, "c5") != nil {
		t.Errorf("an ask without claim: %+v", check)
	}
	task = lakes()
	task.Outline[3].Claims = nil
	if err := Vary(task, nil); err != nil {
		t.Fatal(err)
	}
	if c := find(task, "c5"); c == nil || c.Pointer != "/km" || c.Expected != "371.8" || c.Kind != datasets.ClaimValue || !task.Checks[0].Passed {
		t.Errorf("claim on the distance: %+v, %+v", c, task.Checks[0])
	}
}

func TestCheck(t *testing.T) {
	task := lakes()
	if err := Vary(task, nil); err != nil {
		t.Fatal(err)
	}
	c := Check(task)
	if c.Tasks != 1 || c.Literals != 18 || c.Kept+c.Normalised+c.Inferable != 18 || c.Lost+c.Altered+c.Invented+c.Leaks != 0 || c != CheckAccepted(task) {
		t.Errorf("counts = %+v", c)
	}
	task.Variants = []datasets.Variant{{Text: "Which lake is it? 371.8"}}
	if c := Check(task); c.Lost == 0 || c.Leaks != 1 {
		t.Errorf("counts = %+v", c)
	}
}

// TestCheckWithoutChain: an imported task is measured by its instruction.
func TestCheckWithoutChain(t *testing.T) {
	task := &datasets.Task{
		Servers:     []string{"Math Box"},
		Instruction: "1. Take 5000 people, within 50 km, on 2025-10-03, the code \"AB-12\" and 12.5 %.\n2. Compute with 3 vectors.",
		Variants:    []datasets.Variant{{Text: "There are 5 000 people within 50000 m on 3 October 2025, code AB-12, about 13 percent, 190,489 pairs. Use Math Box."}},
	}
	want := Counts{Tasks: 1, Literals: 6, Kept: 1, Normalised: 3, Lost: 1, Altered: 1, Invented: 1, Leaks: 1}
	if got := Check(task); got != want {
		t.Errorf("counts = %+v, want %+v", got, want)
	}
}

// TestBank: the bank is rich, and no phrase of it brings a literal, a step or a
// canned demand for evidence into a text.
func TestBank(t *testing.T) {
	b := loadBank()
	l := newLeaks(&datasets.Task{})
	for level, ph := range map[string]phrases{"light": b.Light, "medium": b.Medium, "heavy": b.Heavy} {
		lists := map[string][]string{"openers": ph.Openers, "leads": append(append([]string(nil), ph.Leads...), ph.Nouns...), "more": append(append([]string(nil), ph.More...), ph.MoreAsk...), "closers": ph.Closers}
		for name, list := range lists {
			seen := map[string]bool{}
			for _, s := range list {
				seen[s] = true
				low := strings.ToLower(s)
				if v := judgeLiterals(speak(&datasets.Task{}, nil), nil, literal.Parse(s)); len(v.invented) > 0 {
					t.Errorf("%s %s: %q brings %q", level, name, s, v.invented)
				}
				if got := l.find(literal.Parse(s)); len(got) > 0 {
					t.Errorf("%s %s: %q brings %q", level, name, s, got)
				}
				for _, canned := range []string{"evidence", "verif", "concrete", "supported", "findings", "ensure"} {
					if strings.Contains(low, canned) {
						t.Errorf("%s %s: %q is canned", level, name, s)
					}
				}
			}
			if least := map[string]int{"openers": 18, "leads": 20, "more": 10, "closers": 18}[name]; len(seen) < least {
				t.Errorf("%s %s: %d phrases, want %d", level, name, len(seen), least)
			}
		}
	}
}

// TestVariety: fifty tasks of the same shape don't sound alike.
func TestVariety(t *testing.T) {
	seen := map[string]int{}
	n := 0
	for i := range 50 {
		task := ferry()
		task.ID = fmt.Sprintf("ferry-%d", i)
		if err := Vary(task, nil); err != nil {
			t.Fatal(err)
		}
		for _, v := range task.Variants {
			seen[v.Text]++
			n++
		}
	}
	if len(seen)*100 < n*95 {
		t.Errorf("%d different texts of %d", len(seen), n)
	}
}
