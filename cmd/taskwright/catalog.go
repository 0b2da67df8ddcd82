package main

import (
	"github.com/taskwright/taskwright/datasets"
)

// catalog is what the dataset knows of servers. It is made whole and not
// changed after, but for the kind of an edge.
type catalog struct {
	servers []datasets.Server
	tools   []datasets.Tool
	edges   []datasets.Edge

	serverAt map[string]int // index into servers by name
	toolAt   map[string]int // index into tools by id
}

func newCatalog(servers []datasets.Server, tools []datasets.Tool, edges []datasets.Edge) catalog {
	c := catalog{servers: servers, tools: tools, edges: edges, serverAt: make(map[string]int, len(servers)), toolAt: make(map[string]int, len(tools))}
	for i := range servers {
		c.serverAt[servers[i].Name] = i
	}
	for i := range tools {
		c.toolAt[tools[i].ID()] = i
	}
	return c
}

func readCatalog(d *datasets.Dir) (catalog, error) {
	servers, err := datasets.Collect(d.Servers())
	if err != nil {
		return catalog{}, err
	}
	tools, err := datasets.Collect(d.Tools())
	if err != nil {
		return catalog{}, err
	}
	edges, err := datasets.Collect(d.Edges())
	return newCatalog(servers, tools, edges), err
}

// server is nil if there is none of the name.
func (c *catalog) server(name string) *datasets.Server {
	if i, ok := c.serverAt[name]; ok {
		return &c.servers[i]
	}
	return nil
}

func (c *catalog) tool(id string) (*datasets.Tool, bool) {
	i, ok := c.toolAt[id]
	if !ok {
		return nil, false
	}
	return &c.tools[i], true
}

// toolsOf are the tools of the named servers, in order.
func (c *catalog) toolsOf(servers map[string]bool) []datasets.Tool {
	var tools []datasets.Tool
	for _, t := range c.tools {
		if servers[t.Server] {
			tools = append(tools, t)
		}
	}
	return tools
}

func (c *catalog) stateful(server string) bool {
	s := c.server(server)
	return s != nil && s.State == datasets.StateSession
}

func (c *catalog) effect(server, tool string) string {
	if t, ok := c.tool(server + "/" + tool); ok {
		return t.Effect
	}
	return datasets.EffectUnknown
}

// down says of a server's status that it could not be used.
func down(status string) bool {
	return status == datasets.ServerFailed || status == datasets.ServerDied
}

// partial says which servers could not be used, nil if all could.
func (c *catalog) partial() *partialError {
	p := &partialError{Stage: "discover", Total: len(c.servers), Of: "servers"}
	for _, s := range c.servers {
		if down(s.Status) {
			p.Failed++
			p.Reasons = append(p.Reasons, s.Name+": "+s.Error)
		}
	}
	if p.Failed == 0 {
		return nil
	}
	p.Reasons = firstReasons(p.Reasons)
	return p
}
