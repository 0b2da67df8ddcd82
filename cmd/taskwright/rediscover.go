package main

import (
	"cmp"
	"slices"
	"strings"

	"github.com/taskwright/taskwright/datasets"
	"github.com/taskwright/taskwright/discover"
)

// A dataset can be discovered again. Tasks that it has must not break by that:
// the calls of their references stay on the tape, servers that are down or
// gone stay in the catalog as long as a task uses them, and edges that an
// executed chain used stay verified.

// openTape makes the tape that probing works with: what the dataset has
// recorded of servers that are still the same. It returns the calls of the
// others.
func (w *workspace) openTape(before catalog) (old []datasets.Call, err error) {
	started := w.remembered().Configs
	stale := map[string]bool{}
	for _, s := range before.servers {
		now := w.catalog.server(s.Name)
		switch {
		case now == nil || down(now.Status):
			stale[s.Name] = true
		case now.Digest != s.Digest || started[s.Name] != "" && started[s.Name] != w.configDigest(s.Name):
			stale[s.Name] = true
			w.env.notef("server %s has changed since the dataset was made: its tools are called anew", s.Name)
		}
	}
	w.tape = w.newTape()
	return old, w.loadTape(w.tape, func(c datasets.Call) bool {
		if stale[c.Server] {
			old = append(old, c)
		}
		return !stale[c.Server]
	})
}

// keepUsed keeps what the dataset's tasks need of servers that are not what
// they were: the recorded calls of their references, and the rows of servers
// that are down or gone.
func (w *workspace) keepUsed(before catalog, found *discover.Result, old []datasets.Call) error {
	tasks, err := w.tasks()
	if err != nil || len(tasks) == 0 {
		return err
	}
	servers, keys := map[string]bool{}, map[string]bool{}
	for i := range tasks {
		for _, s := range slices.Concat(tasks[i].Servers, tasks[i].DistractorServers) {
			servers[s] = true
		}
		for _, e := range tasks[i].Reference {
			keys[e.TapeKey] = true
		}
	}
	w.keepCalls(slices.DeleteFunc(old, func(c datasets.Call) bool { return !keys[c.Key] }))
	w.keepServers(before, found, servers)
	return nil
}

// keepCalls puts recorded calls on the tape. Where a server answers otherwise
// today, the recorded answer stays, as a volatile one.
func (w *workspace) keepCalls(old []datasets.Call) {
	if len(old) == 0 {
		return
	}
	today := w.tape.Calls()
	w.tape = w.newTape()
	for _, c := range slices.Concat(old, today) {
		w.tape.Add(c)
	}
}

// keepServers puts back the rows of used servers that did not list their tools
// this time.
func (w *workspace) keepServers(before catalog, found *discover.Result, used map[string]bool) {
	at := map[string]int{}
	for i, s := range found.Servers {
		at[s.Name] = i
	}
	lost := map[string]bool{}
	for _, s := range before.servers {
		i, listed := at[s.Name]
		switch {
		case !used[s.Name] || s.Tools == 0 || listed && (!down(found.Servers[i].Status) || found.Servers[i].Tools > 0):
			continue
		case listed:
			s.Status, s.Error = found.Servers[i].Status, found.Servers[i].Error
			found.Servers[i] = s
		default:
			s.Status, s.Error = datasets.ServerCatalog, ""
			found.Servers = append(found.Servers, s)
			w.env.notef("server %s is not among the servers any more; its rows stay, because tasks use it", s.Name)
		}
		lost[s.Name] = true
	}
	found.Tools = append(found.Tools, before.toolsOf(lost)...)
}

// keepVerified marks edges as verified that were so before.
func keepVerified(before, now []datasets.Edge) {
	verified := map[string]bool{}
	for _, e := range before {
		if e.Kind == datasets.EdgeVerified {
			verified[edgeName(&e)] = true
		}
	}
	for i := range now {
		if verified[edgeName(&now[i])] {
			now[i].Kind = datasets.EdgeVerified
		}
	}
}

// unverified are the edges of the catalog with the kinds that discovery gave
// them, so that a chain is grown alike before and after others have grown.
func (w *workspace) unverified() []datasets.Edge {
	verified := func(e datasets.Edge) bool { return e.Kind == datasets.EdgeVerified }
	if !slices.ContainsFunc(w.catalog.edges, verified) {
		return w.catalog.edges
	}
	kinds := map[string]string{}
	for _, e := range w.findEdges(w.catalog.servers, w.catalog.tools) {
		kinds[edgeName(&e)] = e.Kind
	}
	edges := slices.Clone(w.catalog.edges)
	for i := range edges {
		if verified(edges[i]) {
			edges[i].Kind = cmp.Or(kinds[edgeName(&edges[i])], datasets.EdgeObserved)
		}
	}
	return edges
}

// findEdges finds what flows between tools, from their schemas and from the
// calls on the tape.
func (w *workspace) findEdges(servers []datasets.Server, tools []datasets.Tool) []datasets.Edge {
	calls := map[string]datasets.Call{}
	for _, c := range w.tape.Calls() {
		calls[c.Key] = c
	}
	return discover.Edges(servers, tools, func(key string) (datasets.Call, bool) {
		c, ok := calls[key]
		return c, ok
	})
}

func edgeName(e *datasets.Edge) string {
	return strings.Join([]string{e.FromServer, e.FromTool, e.FromPath, e.ToServer, e.ToTool, e.ToParam}, "\x00")
}
