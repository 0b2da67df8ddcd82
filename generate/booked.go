package generate

import (
	"encoding/json"
	"strings"

	"github.com/taskwright/taskwright/datasets"
)

// usable says that chains may call the tool: discovery proved that it works,
// or the phrasebook knows a call. A call that fails, or whose answer changes,
// is still left out when it is made.
func usable(t *datasets.Tool, book *Phrasebook) bool {
	if book.excludes(t.ID()) || changes(t) && book.tool(t.ID()).Does == "" {
		return false
	}
	return booked(t, book) || t.Health.Status == datasets.HealthOK && !t.Health.Volatile
}

// booked says that the phrasebook says how to call the tool.
func booked(t *datasets.Tool, book *Phrasebook) bool { return len(book.tool(t.ID()).Calls) > 0 }

// sampleCalls are the arguments of the calls that chains may start from: those
// of the phrasebook, else those that discovery proved.
func sampleCalls(t *datasets.Tool, book *Phrasebook) []string {
	var out []string
	for _, call := range book.tool(t.ID()).Calls {
		raw, err := json.Marshal(call)
		if err == nil {
			out = append(out, string(raw))
		}
	}
	if len(out) > 0 {
		return out
	}
	for _, s := range t.Samples {
		out = append(out, s.Arguments)
	}
	return out
}

// flows are the edges that the phrasebook draws into a tool's parameters.
func flows(t *datasets.Tool, book *Phrasebook) []datasets.Edge {
	var out []datasets.Edge
	phrases := book.tool(t.ID())
	for _, param := range sortedFlows(phrases.Flows) {
		for _, from := range phrases.Flows[param] {
			id, path, _ := strings.Cut(from, " ")
			server, tool, _ := strings.Cut(id, "/")
			out = append(out, datasets.Edge{
				FromServer: server, FromTool: tool, FromPath: path,
				ToServer: t.Server, ToTool: t.Name, ToParam: "/" + datasets.EscapeSegment(param),
				Kind: datasets.EdgeVerified, Score: 1,
			})
		}
	}
	return out
}

// wanted says that chains may use an edge: the phrasebook can speak of what it
// carries, and does not say that the parameter is filled in another way. Into a
// tool whose calls are in the phrasebook only its flows lead.
func wanted(e *datasets.Edge, book *Phrasebook) bool {
	to := book.tool(e.ToServer + "/" + e.ToTool)
	param := strings.TrimPrefix(e.ToParam, "/")
	for _, s := range to.Stated {
		if s == param {
			return false
		}
	}
	return len(to.Calls) == 0 && to.Flows[param] == nil && book.tool(e.FromServer+"/"+e.FromTool).says(e.FromPath)
}

// passesOn says that the phrasebook calls an output of the tool a key: there
// is nothing to ask for, but something for other tools.
func (t *ToolPhrases) passesOn() bool {
	for _, v := range t.Values {
		if v.Kind == kindKey {
			return true
		}
	}
	return false
}
