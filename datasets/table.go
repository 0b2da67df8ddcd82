package datasets

import (
	"fmt"
	"reflect"
	"regexp"
	"strings"
)

// Tables of a dataset. [TableRun] is the JSON file of an evaluation run; all
// others are Parquet.
const (
	TableServers      = "servers"
	TableTools        = "tools"
	TableEdges        = "edges"
	TableTasks        = "tasks"
	TableTape         = "tape"
	TableTrajectories = "trajectories"
	TableScores       = "scores"
	TableRun          = "run"
)

// layout says where the rows of a table live and what identifies a row.
type layout struct {
	table string
	row   reflect.Type
	key   []string // columns that identify a row
	files string   // pattern of its paths; {part} is a split or a run
}

// tables is the layout of a dataset, in the order in which tables are listed.
var tables = []layout{
	{TableServers, reflect.TypeFor[Server](), []string{"name"}, "catalog/servers.parquet"},
	{TableTools, reflect.TypeFor[Tool](), []string{"server", "name"}, "catalog/tools.parquet"},
	{TableEdges, reflect.TypeFor[Edge](), []string{"from_server", "from_tool", "from_path", "to_server", "to_tool", "to_param", "kind"}, "catalog/edges.parquet"},
	{TableTasks, reflect.TypeFor[Task](), []string{"id"}, "tasks/{part}-{shard}.parquet"},
	{TableTape, reflect.TypeFor[Call](), []string{"key"}, "tape/calls-{shard}.parquet"},
	{TableTrajectories, reflect.TypeFor[Trajectory](), []string{"run", "task", "agent", "model", "variant", "attempt"}, "runs/{part}/trajectories-{shard}.parquet"},
	{TableScores, reflect.TypeFor[Score](), []string{"run", "task", "agent", "model", "variant", "attempt", "scorer", "name"}, "runs/{part}/scores-{shard}.parquet"},
	{TableRun, nil, nil, "runs/{part}/run.json"},
}

func layoutOf(table string) (layout, bool) {
	for _, l := range tables {
		if l.table == table {
			return l, true
		}
	}
	return layout{}, false
}

// layoutFor is the table whose rows have type T.
func layoutFor[T any]() (layout, error) {
	t := reflect.TypeFor[T]()
	for _, l := range tables {
		if l.row == t {
			return l, nil
		}
	}
	return layout{}, fmt.Errorf("no table has rows of type %s", t)
}

func (l layout) sharded() bool { return strings.Contains(l.files, "{shard}") }

// path is the name of one file of the table, relative to the dataset.
func (l layout) path(part string, shard, shards int) string {
	return strings.NewReplacer("{part}", part, "{shard}", fmt.Sprintf("%05d-of-%05d", shard, shards)).Replace(l.files)
}

// Split and run names become file names and names of Hugging Face splits.
var (
	splitName = regexp.MustCompile(`^[A-Za-z0-9_]+(\.[A-Za-z0-9_]+)*$`)
	runName   = regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9._-]{0,100}$`)
)

// checkPart refuses a split or run name that cannot be part of a path.
func (l layout) checkPart(part string) error {
	switch {
	case !strings.Contains(l.files, "{part}"):
		return nil
	case l.table == TableTasks && part == "all":
		return fmt.Errorf("%q is no name for a split: Hugging Face datasets means the union of all splits by it", part)
	case l.table == TableTasks && !splitName.MatchString(part):
		return fmt.Errorf("%q is no name for a split: use letters, digits, _ and single dots", part)
	case l.table != TableTasks && !runName.MatchString(part):
		return fmt.Errorf("%q is no name for a run: use letters, digits, ., _ and -", part)
	}
	return nil
}

var layoutPatterns = compileLayouts()

func compileLayouts() map[string]*regexp.Regexp {
	patterns := map[string]*regexp.Regexp{}
	for _, l := range tables {
		p := regexp.QuoteMeta(l.files)
		p = strings.ReplaceAll(p, `\{part\}`, `([A-Za-z0-9._-]+?)`)
		p = strings.ReplaceAll(p, `\{shard\}`, `\d{5,}-of-\d{5,}`)
		patterns[l.table] = regexp.MustCompile(`^` + p + `$`)
	}
	return patterns
}

// tableOfPath says which table, and which split or run, a file belongs to.
func tableOfPath(path string) (table, part string, ok bool) {
	for _, l := range tables {
		if m := layoutPatterns[l.table].FindStringSubmatch(path); m != nil {
			if len(m) > 1 {
				part = m[1]
			}
			return l.table, part, true
		}
	}
	return "", "", false
}
