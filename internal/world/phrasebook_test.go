package world

import (
	"bytes"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/taskwright/taskwright/datasets"
)

type phrasebook struct {
	Reasons    map[string][]string          `yaml:"reasons"`
	Tools      map[string]phrasedTool       `yaml:"tools"`
	NotAskable map[string]string            `yaml:"not_askable"`
	Say        map[string]map[string]string `yaml:"say"`
}

type phrasedTool struct {
	Noun      string                       `yaml:"noun"`
	Plural    string                       `yaml:"plural"`
	List      string                       `yaml:"list"`
	Identity  string                       `yaml:"identity"`
	Keys      []string                     `yaml:"keys"`
	Scope     string                       `yaml:"scope"`
	Named     string                       `yaml:"named"`
	Order     map[string]map[string]string `yaml:"order"`
	Subject   string                       `yaml:"subject"`
	Fed       []string                     `yaml:"fed"`
	Stated    []string                     `yaml:"stated"`
	Takes     map[string]string            `yaml:"takes"`
	Transform string                       `yaml:"transform"`
	Does      string                       `yaml:"does"`
	Values    map[string]phrasedValue      `yaml:"values"`
}

type phrasedValue struct {
	NP       string `yaml:"np"`
	Item     string `yaml:"item"`
	All      string `yaml:"all"`
	FedAs    string `yaml:"fed_as"`
	Constant string `yaml:"constant"`
	Suffix   string `yaml:"suffix"`
	Question string `yaml:"question"`
	Final    bool   `yaml:"final"`
	Each     string `yaml:"each"`
	Kind     string `yaml:"kind"`
	Unit     string `yaml:"unit"`
	Said     string `yaml:"said"`
	UnitOf   string `yaml:"unit_of"`
}

func (v phrasedValue) texts() []string {
	return []string{v.NP, v.Item, v.All, v.FedAs, v.Constant, v.Suffix, v.Question, v.Unit, "{" + v.UnitOf + "}"}
}

func readPhrasebook(t *testing.T) phrasebook {
	t.Helper()
	var p phrasebook
	if err := yaml.NewDecoder(bytes.NewReader(Phrases()), yaml.Strict()).Decode(&p); err != nil {
		t.Fatal(err)
	}
	return p
}

// properties are the parameters of a tool as a client sees them.
func properties(tool *mcp.Tool) map[string]map[string]any {
	out := map[string]map[string]any{}
	list, _ := tool.InputSchema.(map[string]any)["properties"].(map[string]any)
	for name, p := range list {
		out[name] = p.(map[string]any)
	}
	return out
}

func liveTools(w *world) map[string]*mcp.Tool {
	out := map[string]*mcp.Tool{}
	for _, server := range Names() {
		for _, tool := range w.tools(server) {
			out[server+"/"+tool.Name] = tool
		}
	}
	return out
}

func TestPhrasebookCoversTheTools(t *testing.T) {
	book, live := readPhrasebook(t), liveTools(newWorld(t))
	for id := range live {
		_, said := book.Tools[id]
		_, excused := book.NotAskable[id]
		if said == excused {
			t.Errorf("%s: said %v, not askable %v: want one of them", id, said, excused)
		}
	}
	for id, p := range book.Tools {
		tool := live[id]
		if tool == nil {
			t.Errorf("%s: no such tool", id)
			continue
		}
		t.Run(id, func(t *testing.T) { checkPhrases(t, id, p, tool) })
	}
	for _, server := range Names() {
		if n := len(book.Reasons[server]); n < 4 {
			t.Errorf("%s: %d reasons, want at least 4", server, n)
		}
	}
}

var placeholder = regexp.MustCompile(`\{([^}]*)\}`)

func checkPhrases(t *testing.T, id string, p phrasedTool, tool *mcp.Tool) {
	params := properties(tool)
	known := func(name string) bool { return name == "" || params[name] != nil }
	for _, name := range slices.Concat([]string{p.Subject, p.Transform}, p.Fed, p.Stated, slices.Collect(maps.Keys(p.Takes))) {
		if !known(name) {
			t.Errorf("%q is no parameter", name)
		}
	}
	for name, what := range p.Takes {
		if what != "unit" && what != "money" && unitTable[what].name == "" {
			t.Errorf("%s takes %q: want a unit, \"unit\" or \"money\"", name, what)
		}
	}
	for _, name := range p.Fed {
		if slices.Contains(p.Stated, name) {
			t.Errorf("%s can neither be fed nor stated", name)
		}
	}
	texts := []string{p.Scope, p.Does, strings.ReplaceAll(p.Named, "{"+p.Identity+"}", "")}
	for _, v := range p.Values {
		texts = append(texts, v.texts()...)
	}
	for _, text := range texts {
		for _, m := range placeholder.FindAllStringSubmatch(text, -1) {
			if m[1] != "it" && !known(m[1]) {
				t.Errorf("%q: {%s} is no parameter", text, m[1])
			}
		}
	}
	checkPaths(t, p, sampleAnswer(t, id, samples(t)[id]))
}

// checkPaths holds every path of the phrasebook against a real answer.
func checkPaths(t *testing.T, p phrasedTool, doc any) {
	resolve := func(path string) {
		if _, err := datasets.Resolve(doc, path); err != nil {
			t.Error(err)
		}
	}
	for path, v := range p.Values {
		resolve(path)
		if v.NP == "" && v.All == "" && v.Item == "" {
			t.Errorf("%s: nothing to say", path)
		}
		if v.Each != "" {
			resolve(p.List + "/*/" + v.Each)
		}
		if p.Subject == "" && p.List == "" && strings.Contains(v.NP, "{it}") {
			t.Errorf("%s: {it} without a subject or a list", path)
		}
		if v.Unit != "" && !strings.Contains(v.Unit, "{") && unitTable[v.Unit].name == "" {
			t.Errorf("%s: unit %s is none that the units server knows", path, v.Unit)
		}
	}
	if p.List == "" {
		return
	}
	fields := append([]string{p.Identity}, p.Keys...)
	for field := range p.Order {
		fields = append(fields, field)
	}
	for _, field := range fields {
		resolve(p.List + "/*/" + field)
	}
}

// TestWordsForConstants holds that each value that the phrasebook can say is
// one that some tool takes, and that all values of an enumeration with codes
// can be said.
func TestWordsForConstants(t *testing.T) {
	book, live := readPhrasebook(t), liveTools(newWorld(t))
	for name, words := range book.Say {
		legal := legalValues(live, name)
		for value := range words {
			if !slices.Contains(legal, value) {
				t.Errorf("say %s: %q is no value of that parameter", name, value)
			}
		}
	}
	for _, name := range []string{"state", "country", "month", "from", "to", "currency", "mode", "group", "nutrient", "genre", "category", "symbol"} {
		for _, value := range legalValues(live, name) {
			if book.Say[name][value] == "" {
				t.Errorf("say %s: no words for %q", name, value)
			}
		}
	}
}

// legalValues are the values that a parameter of this name takes in any tool.
func legalValues(live map[string]*mcp.Tool, name string) []string {
	var out []string
	for _, tool := range live {
		enum, _ := properties(tool)[name]["enum"].([]any)
		for _, v := range enum {
			out = append(out, v.(string))
		}
	}
	switch {
	case name == "month":
		return []string{"1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12"}
	case strings.HasSuffix(name, "timezone"):
		out = choices(allCities(), func(c city) string { return c.timezone })
		return append(out, choices(allParks(), func(p park) string { return p.timezone })...)
	}
	return out
}

// TestPicksAreUnique calls each tool that lists things with every value of its
// enumeration and holds that "the largest" and "the smallest" name one thing.
func TestPicksAreUnique(t *testing.T) {
	book, w := readPhrasebook(t), newWorld(t)
	for id, p := range book.Tools {
		if len(p.Order) == 0 {
			continue
		}
		for _, args := range listCalls(id) {
			r := w.call(id, args)
			if r.IsError {
				continue
			}
			for field, words := range p.Order {
				checkPick(t, id, args, datasets.Document(r), p.List+"/*/"+field, words)
			}
		}
	}
}

// listCalls are arguments for every list that a tool with an order can give.
func listCalls(id string) (calls []map[string]any) {
	each := func(param string, values []string) {
		for _, v := range values {
			calls = append(calls, map[string]any{param: v})
		}
	}
	switch id {
	case "parks/find_parks":
		each("state", parkStates())
	case "parks/list_campgrounds":
		each("park_id", choices(allParks(), func(p park) string { return p.ID }))
	case "places/search":
		each("country", searchableCountries())
	case "places/list_countries":
		each("region", choices(allCountries(), func(c country) string { return c.region }))
	case "climate/year":
		each("station_id", choices(allStations(), func(s station) string { return s.ID }))
	case "books/search":
		each("genre", choices(allBooks(), func(b book) string { return b.genre }))
	case "books/books_by":
		each("author_id", choices(allAuthors(), func(a author) string { return a.ID }))
	case "foods/list_foods":
		each("group", choices(allFoods(), func(f food) string { return f.group }))
	case "elements/list_elements":
		each("category", choices(allElements(), func(e element) string { return e.category }))
	case "parks/nearest_parks":
		for _, c := range allCities() {
			calls = append(calls, map[string]any{"lat": c.Lat, "lon": c.Lon, "limit": 10})
		}
	}
	return calls
}

func checkPick(t *testing.T, id string, args map[string]any, doc any, path string, words map[string]string) {
	t.Helper()
	matches, err := datasets.Resolve(doc, path)
	if err != nil {
		t.Fatalf("%s %v: %v", id, args, err)
	}
	var values []float64
	for _, m := range matches {
		f, ok := datasets.Float(m.Value)
		if !ok {
			t.Fatalf("%s: %s is no number", id, m.Pointer)
		}
		values = append(values, f)
	}
	slices.Sort(values)
	n := len(values)
	if n > 1 && words["largest"] != "" && values[n-1] == values[n-2] {
		t.Errorf("%s %v: two are the %s at %v", id, args, words["largest"], values[n-1])
	}
	if n > 1 && words["smallest"] != "" && values[0] == values[1] {
		t.Errorf("%s %v: two are the %s at %v", id, args, words["smallest"], values[0])
	}
}
