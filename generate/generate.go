package generate

import (
	"context"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"

	"github.com/taskwright/taskwright/datasets"
)

// Session runs tool calls. A session has its own state on servers that keep
// one. Call returns the recorded call and whether it was answered from memory.
type Session interface {
	Call(ctx context.Context, server, tool, arguments string) (datasets.Call, bool, error)
	Close() error
}

// Options say what to generate. Open is required.
type Options struct {
	N           int      // number of candidates; 50 if 0
	Patterns    []string // patterns to draw from, in turn; linear, parallel and hybrid if empty
	Seed        int64
	Distractors int // distractor servers for each task, as far as there are; 3 if 0
	Phrasebook  *Phrasebook
	Version     string // of taskwright, for provenance
	Open        func(ctx context.Context) (Session, error)
	Progress    func(done, total int) // may be nil
}

// Result is what a generation made.
type Result struct {
	Tasks    []datasets.Task
	Used     []int           // indexes of the given edges that an executed chain used, sorted
	Flows    []datasets.Edge // edges that only the phrasebook drew and an executed chain used
	Attempts int             // chains that were grown
	Failures []string        // servers that could not be called, one line each; the rest went on
}

// attemptsPerTask bounds how long generation looks for one more candidate.
const attemptsPerTask = 30

// Generate grows chains over the catalog and writes a candidate task for each.
// It returns fewer than N tasks where the catalog gives no more. The error is
// that of ctx, or of a session that could not be opened.
func Generate(ctx context.Context, servers []datasets.Server, tools []datasets.Tool, edges []datasets.Edge, opts *Options) (*Result, error) {
	o := *opts
	if o.N == 0 {
		o.N = 50
	}
	if o.Distractors == 0 {
		o.Distractors = 3
	}
	if len(o.Patterns) == 0 {
		o.Patterns = []string{datasets.PatternHybrid, datasets.PatternLinear, datasets.PatternParallel}
	}
	g := &generator{Options: &o, catalog: newCatalog(tools, edges, o.Phrasebook), servers: servers, digest: CatalogDigest(tools),
		seen: map[string]bool{}, made: map[string]int{}, broken: map[string]int{}}
	return g.all(ctx)
}

// CatalogDigest identifies the tools that tasks were made from.
func CatalogDigest(tools []datasets.Tool) string {
	digests := make([]string, len(tools))
	for i, t := range tools {
		digests[i] = t.ID() + " " + t.Digest
	}
	slices.Sort(digests)
	return datasets.Digest(digests...)
}

type generator struct {
	*Options
	catalog *catalog
	servers []datasets.Server
	digest  string
	seen    map[string]bool
	made    map[string]int // tasks by pattern
	broken  map[string]int // failed calls that never reached their server, by message
	result  Result
}

func (g *generator) all(ctx context.Context) (*Result, error) {
	used := map[int]bool{}
	for g.result.Attempts = 0; len(g.result.Tasks) < g.N && g.result.Attempts < g.N*attemptsPerTask; g.result.Attempts++ {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		rng := seeded(g.Seed, g.result.Attempts)
		task, d, err := g.one(ctx, rng, g.wanted())
		if err != nil {
			return nil, err
		}
		if task == nil {
			continue
		}
		g.catalog.count(d)
		g.made[task.Pattern]++
		for _, e := range d.edges {
			used[e] = true
		}
		g.result.Tasks = append(g.result.Tasks, *task)
		if g.Progress != nil {
			g.Progress(len(g.result.Tasks), g.N)
		}
	}
	g.report(slices.Sorted(maps.Keys(used)))
	for message := range g.broken {
		g.result.Failures = append(g.result.Failures, message)
	}
	slices.Sort(g.result.Failures)
	return &g.result, nil
}

// report tells the edges that chains used: those that were given by their
// index, those that the phrasebook drew as they are.
func (g *generator) report(used []int) {
	given := map[datasets.Edge]int{}
	for i, e := range g.catalog.edges[:g.catalog.given] {
		given[ends(e)] = i
	}
	for _, e := range used {
		edge := g.catalog.edges[e]
		if i, ok := given[ends(edge)]; ok {
			g.result.Used = append(g.result.Used, i)
			continue
		}
		g.result.Flows = append(g.result.Flows, edge)
	}
	slices.Sort(g.result.Used)
	g.result.Used = slices.Compact(g.result.Used)
}

// ends is an edge without what is known of it.
func ends(e datasets.Edge) datasets.Edge {
	e.Kind, e.Score, e.Evidence = "", 0, ""
	return e
}

// wanted is the pattern to aim at: each in turn, of those that lack tasks.
func (g *generator) wanted() string {
	for i := range g.Patterns {
		if p := g.Patterns[(g.result.Attempts+i)%len(g.Patterns)]; g.room(p) {
			return p
		}
	}
	return g.Patterns[g.result.Attempts%len(g.Patterns)]
}

// room says whether one more task of a pattern is wanted. Patterns get equal
// shares until it shows that the catalog does not give them.
func (g *generator) room(pattern string) bool {
	if !slices.Contains(g.Patterns, pattern) {
		return false
	}
	share := (g.N + len(g.Patterns) - 1) / len(g.Patterns)
	return g.made[pattern] < share || g.result.Attempts > 10*g.N
}

// seeded is the random source of one attempt.
func seeded(seed int64, attempt int) *rand.Rand {
	raw, err := hex.DecodeString(datasets.Digest("generate", fmt.Sprint(seed), fmt.Sprint(attempt)))
	if err != nil {
		panic("generate: a digest is not hexadecimal: " + err.Error())
	}
	return rand.New(rand.NewPCG(binary.BigEndian.Uint64(raw), binary.BigEndian.Uint64(raw[8:])))
}

// one grows a chain and writes a task over it. It returns nil where the chain
// is not worth a task.
func (g *generator) one(ctx context.Context, rng *rand.Rand, pattern string) (*datasets.Task, *draft, error) {
	session, err := g.Open(ctx)
	if err != nil {
		return nil, nil, fmt.Errorf("opening a session: %w", err)
	}
	defer session.Close()
	growing := &growth{catalog: g.catalog, rng: rng, session: session}
	d, err := growing.grow(ctx, pattern, sizeFor(rng, pattern))
	if ctx.Err() != nil {
		return nil, nil, ctx.Err()
	}
	if err != nil {
		g.broken[err.Error()]++
		return nil, nil, nil
	}
	if d == nil || g.seen[d.signature()] {
		return nil, nil, nil
	}
	if actual, _, _ := d.shape(); !g.room(actual) {
		return nil, nil, nil
	}
	writer := &asker{book: g.Phrasebook, draft: d, rng: rng}
	asks := writer.choose()
	if asks == nil {
		return nil, nil, nil
	}
	w := writer.write(asks, writer.reason())
	if !sound(d, w) {
		return nil, nil, nil
	}
	g.seen[d.signature()] = true
	return g.task(rng, d, w), d, nil
}

func sizeFor(rng *rand.Rand, pattern string) int {
	switch pattern {
	case datasets.PatternSingle:
		return 1
	case datasets.PatternLinear:
		return 2 + rng.IntN(4) // 2 to 5
	case datasets.PatternParallel:
		return 2 + rng.IntN(3)
	}
	return 3 + rng.IntN(4)
}
