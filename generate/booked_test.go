package generate

import (
	"slices"
	"testing"

	"github.com/taskwright/taskwright/datasets"
)

const bookedYAML = `
tools:
  s/color:
    calls: [{color: tomato, depth: 8}]
    flows: {color: [s/palette /colors/200]}
    implied: [depth]
  s/plain: {stated: [size]}
not_askable:
  noise/*: nothing to ask for
`

func bookedBook(t *testing.T) *Phrasebook {
	t.Helper()
	book, err := ParsePhrasebook([]byte(bookedYAML))
	if err != nil {
		t.Fatal(err)
	}
	return book
}

func TestUsable(t *testing.T) {
	book := bookedBook(t)
	failing := datasets.Health{Status: "failing"}
	tests := []struct {
		tool datasets.Tool
		want bool
	}{
		{datasets.Tool{Server: "s", Name: "color", Health: failing}, true}, // the phrasebook knows a call
		{datasets.Tool{Server: "s", Name: "plain", Health: failing}, false},
		{datasets.Tool{Server: "s", Name: "plain", Health: datasets.Health{Status: datasets.HealthOK}}, true},
		{datasets.Tool{Server: "s", Name: "plain", Health: datasets.Health{Status: datasets.HealthOK, Volatile: true}}, false},
		{datasets.Tool{Server: "noise", Name: "any", Health: datasets.Health{Status: datasets.HealthOK}}, false},
	}
	for _, tt := range tests {
		if got := usable(&tt.tool, book); got != tt.want {
			t.Errorf("usable(%s, %+v) = %v, want %v", tt.tool.ID(), tt.tool.Health, got, tt.want)
		}
	}
}

func TestSampleCalls(t *testing.T) {
	book := bookedBook(t)
	tool := datasets.Tool{Server: "s", Name: "color", Samples: []datasets.Sample{{Arguments: `{"color":"test"}`}}}
	if got := sampleCalls(&tool, book); !slices.Equal(got, []string{`{"color":"tomato","depth":8}`}) {
		t.Errorf("with calls: %q", got)
	}
	if got := sampleCalls(&tool, nil); !slices.Equal(got, []string{`{"color":"test"}`}) {
		t.Errorf("without: %q", got)
	}
}

func TestFlows(t *testing.T) {
	book := bookedBook(t)
	got := flows(&datasets.Tool{Server: "s", Name: "color"}, book)
	if len(got) != 1 || got[0].FromTool != "palette" || got[0].FromPath != "/colors/200" || got[0].ToParam != "/color" {
		t.Errorf("flows = %+v", got)
	}
	into := func(tool, param string) *datasets.Edge {
		return &datasets.Edge{FromServer: "s", FromTool: "x", FromPath: "/y", ToServer: "s", ToTool: tool, ToParam: param}
	}
	for _, tt := range []struct {
		edge *datasets.Edge
		want bool
	}{{into("color", "/color"), false}, {into("color", "/other"), false}, {into("plain", "/size"), false}, {into("plain", "/other"), true}} {
		if got := wanted(tt.edge, book); got != tt.want {
			t.Errorf("wanted(%s%s) = %v, want %v", tt.edge.ToTool, tt.edge.ToParam, got, tt.want)
		}
	}
}

// TestUsedEdgesAreToldApart holds that an edge which the phrasebook drew is
// reported as itself, unless discovery gave the same one.
func TestUsedEdgesAreToldApart(t *testing.T) {
	given := datasets.Edge{FromServer: "s", FromTool: "a", FromPath: "/x", ToServer: "s", ToTool: "b", ToParam: "/p", Kind: datasets.EdgeObserved, Score: 0.9}
	same, drawn := given, given
	same.Kind, same.Score = datasets.EdgeVerified, 1
	drawn.FromPath, drawn.Kind = "/y", datasets.EdgeVerified
	g := &generator{catalog: &catalog{edges: []datasets.Edge{given, same, drawn}, given: 1}}
	g.report([]int{0, 1, 2})
	if len(g.result.Used) != 1 || g.result.Used[0] != 0 {
		t.Errorf("used %v, want the given edge once", g.result.Used)
	}
	if len(g.result.Flows) != 1 || g.result.Flows[0] != drawn {
		t.Errorf("flows %+v, want the drawn edge", g.result.Flows)
	}
}
