package generate

import (
	"math/rand/v2"
	"strings"

	"github.com/taskwright/taskwright/datasets"
)

// written is the language of a task.
type written struct {
	instruction string
	outline     []datasets.Part
	claims      []datasets.Claim
	answer      string
}

// write puts asks into words: claims, the outline, and the instruction that
// joins its parts.
func (k *asker) write(asks []*ask, reason string) written {
	var w written
	w.outline = append(w.outline, datasets.Part{Role: datasets.RoleReason, Text: reason, Brief: briefReason(reason)})
	full, question, brief := newAuthor(k.book, k.draft), newAuthor(k.book, k.draft), newAuthor(k.book, k.draft)
	w.outline = append(w.outline, k.deeds(full, question, brief)...)
	for _, a := range asks {
		claims := k.claims(a, len(w.claims)+1)
		w.claims = append(w.claims, claims...)
		part := datasets.Part{
			Role: datasets.RoleAsk, Step: int32(a.step),
			Text:     collapse(k.phrase(full, a)),
			Question: collapse(k.question(question, a)),
			Brief:    collapse(k.brief(brief, a)),
		}
		for _, c := range claims {
			part.Claims = append(part.Claims, c.ID)
		}
		w.outline = append(w.outline, part)
	}
	w.instruction = instruction(k.rng, w.outline)
	w.answer = answer(w.claims)
	return w
}

// deeds are the parts for steps that change something: what is to be done.
func (k *asker) deeds(authors ...*author) []datasets.Part {
	var parts []datasets.Part
	for n, s := range k.draft.steps {
		does := k.book.tool(s.tool.ID()).Does
		if does == "" {
			continue
		}
		var texts []string
		for _, w := range authors {
			text, used := w.fill(does, n+1)
			texts = append(texts, join(text, w.others(n+1, used)))
		}
		parts = append(parts, datasets.Part{Role: datasets.RoleDeed, Step: int32(n + 1), Text: texts[0], Question: texts[1], Brief: texts[2]})
	}
	return parts
}

// phrase is an ask in full: something to tell the person.
func (k *asker) phrase(w *author, a *ask) string {
	if a.which {
		return k.whichClause(w, a.pick)
	}
	return inUnit(w.value(a.step, a.path, a.pick), a)
}

// inUnit adds the unit that the figure is wanted in, unless the text names it.
func inUnit(text string, a *ask) string {
	if a.said == "" || a.set || strings.Contains(" "+text+" ", " "+head(a.said)+" ") {
		return text
	}
	return text + " in " + a.said
}

// whichClause asks for a picked element: "which national park in Utah is the
// largest by area".
func (k *asker) whichClause(w *author, p *picked) string {
	s := k.draft.at(p.step)
	noun := w.noun(s, p.list)
	w.mentioned[p] = true
	scope := w.scope(p.step)
	switch p.rule {
	case datasets.PickLargest, datasets.PickSmallest:
		before, after := w.superlative(p)
		if strings.Contains(before, " ") && !strings.HasPrefix(before, "most ") && !strings.HasPrefix(before, "least ") {
			return join("which is the", before, noun, after, scope)
		}
		if before != "" && strings.HasPrefix(scope, "to ") {
			return join("which", noun, "is the", before, scope, after)
		}
		if before != "" {
			return join("which", noun, scope, "is the", before, after)
		}
		return join("which", noun, scope, "has", strings.TrimPrefix(after, "with "))
	}
	if elements(s.doc, p.list) > 1 {
		return join("which", noun, scope, "is listed first")
	}
	if scope == "" {
		return join("which", noun, "there is")
	}
	if k.book.tool(s.tool.ID()).Noun == "" {
		return join("which", noun, "is listed", scope)
	}
	return join("which", noun, "is", scope)
}

func (k *asker) question(w *author, a *ask) string {
	if a.which {
		return k.whichClause(w, a.pick)
	}
	phrase := k.book.tool(k.draft.at(a.step).tool.ID()).Values[a.path]
	if phrase.Question != "" && (a.pick == nil || phrase.Item == "") {
		text, used := w.fill(phrase.Question, a.step)
		return inUnit(join(text, w.remaining(a.step, used)), a)
	}
	np := inUnit(w.value(a.step, a.path, a.pick), a)
	if strings.HasPrefix(np, "what comes out") {
		return np
	}
	if a.set {
		return "what are " + np
	}
	return "what is " + np
}

func (k *asker) brief(w *author, a *ask) string {
	if a.which {
		return strings.TrimPrefix(w.element(a.pick), "the ")
	}
	return strings.TrimPrefix(inUnit(w.value(a.step, a.path, a.pick), a), "the ")
}

// instruction joins the parts into the concrete description of the task.
func instruction(rng *rand.Rand, outline []datasets.Part) string {
	var asks, deeds []string
	var b strings.Builder
	for _, p := range outline {
		switch p.Role {
		case datasets.RoleReason:
			b.WriteString(capitalize(p.Text) + ".")
		case datasets.RoleDeed:
			deeds = append(deeds, p.Text)
		case datasets.RoleAsk:
			asks = append(asks, p.Text)
		}
	}
	if len(deeds) > 0 {
		b.WriteString(" Please " + enumerate(deeds) + ".")
	}
	asks = share(asks)
	first := asks
	var second []string
	if len(asks) > 3 {
		first, second = asks[:len(asks)/2], asks[len(asks)/2:]
	}
	b.WriteString(" " + openers[rng.IntN(len(openers))] + " " + enumerate(first) + ".")
	if len(second) > 0 {
		b.WriteString(" " + furthers[rng.IntN(len(furthers))] + " " + enumerate(second) + ".")
	}
	return b.String()
}

var openers = []string{"Please find out", "Tell me", "I would like to know", "Please work out", "Find out", "Please tell me"}

var furthers = []string{"I also need", "Beyond that, I would like to know", "Please add", "Also tell me"}

// answer is what the oracle says: the claims, one sentence each.
func answer(claims []datasets.Claim) string {
	sentences := make([]string, len(claims))
	for i, c := range claims {
		sentences[i] = c.Text + "."
	}
	return strings.Join(sentences, " ")
}

func briefReason(reason string) string {
	for _, prefix := range []string{"I am ", "I'm ", "We are ", "We're "} {
		if rest, ok := strings.CutPrefix(reason, prefix); ok {
			return capitalize(rest)
		}
	}
	return reason
}

// genericReasons serve where no phrasebook gives one.
var genericReasons = []string{
	"I am checking a few facts before I write them down",
	"I am putting together a short note for a colleague",
	"I have to answer a question from my team today",
	"I am preparing an example for a talk",
	"I want to double-check something that I half remember",
	"I am filling in a worksheet and some entries are missing",
	"I am tidying up a small project and need a few details",
	"Someone asked me about this and I promised to look it up",
	"I am comparing what I have noted with what is really there",
	"I need this for a report that goes out tomorrow",
}

// reason picks why the person asks, from the phrases of the servers that the
// chain starts at: what follows is what is to be done with it.
func (k *asker) reason() string {
	var bank []string
	if k.book != nil {
		for _, s := range k.draft.steps {
			if len(sources(s)) == 0 {
				bank = append(bank, k.book.Reasons[s.tool.Server]...)
			}
		}
	}
	if len(bank) == 0 {
		bank = genericReasons
	}
	return bank[k.rng.IntN(len(bank))]
}
