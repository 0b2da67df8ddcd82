package report

import (
	"github.com/taskwright/taskwright/datasets"
	"github.com/taskwright/taskwright/internal/toolgraph"
)

// Catalog says what tools there are.
type Catalog struct {
	Servers      []ServerRow `json:"servers"`
	Tools        int         `json:"tools"`
	Effects      []Count     `json:"effects"` // tools by effect
	Health       []Count     `json:"health"`  // tools by health
	Edges        int         `json:"edges"`
	EdgesByKind  []Count     `json:"edges_by_kind"`
	EdgesUsed    int         `json:"edges_used"`    // edges that a chain of an accepted task uses
	EdgeCoverage *float64    `json:"edge_coverage"` // of all edges; null without edges
	ToolsUsed    int         `json:"tools_used"`    // tools that a chain of an accepted task calls
}

// ServerRow is one server of the catalog.
type ServerRow struct {
	Name      string `json:"name"`
	Title     string `json:"title"`
	Version   string `json:"version"`
	Transport string `json:"transport"`
	Status    string `json:"status"`
	Error     string `json:"error"`
	State     string `json:"state"`
	Tools     int    `json:"tools"`
	Tasks     int    `json:"tasks"` // accepted tasks that need it
}

func catalog(in Input) Catalog {
	c := Catalog{Tools: len(in.Tools), Edges: len(in.Edges)}
	need := tally{}
	for i := range in.Tasks {
		if in.Tasks[i].Status == datasets.StatusAccepted {
			for _, s := range in.Tasks[i].Servers {
				need[s]++
			}
		}
	}
	for _, s := range in.Servers {
		c.Servers = append(c.Servers, ServerRow{
			Name: s.Name, Title: s.Title, Version: s.Version, Transport: s.Transport, Status: s.Status,
			Error: s.Error, State: s.State, Tools: int(s.Tools), Tasks: need[s.Name],
		})
	}
	effects, health, kinds := tally{}, tally{}, tally{}
	for i := range in.Tools {
		effects[in.Tools[i].Effect]++
		health[in.Tools[i].Health.Status]++
	}
	for i := range in.Edges {
		kinds[in.Edges[i].Kind]++
	}
	c.Effects, c.Health, c.EdgesByKind = effects.ranked(), health.ranked(), kinds.ranked()
	c.cover(in)
	return c
}

// cover counts the edges and tools that accepted tasks use.
func (c *Catalog) cover(in Input) {
	cov := toolgraph.NewCoverage(toolgraph.New(in.Tools, in.Edges))
	for i := range in.Tasks {
		if in.Tasks[i].Status == datasets.StatusAccepted {
			cov.Add(in.Tasks[i].Chain)
		}
	}
	c.ToolsUsed, _ = cov.Tools()
	c.EdgesUsed, _ = cov.Edges()
	if c.Edges > 0 {
		v := float64(c.EdgesUsed) / float64(c.Edges)
		c.EdgeCoverage = &v
	}
}
