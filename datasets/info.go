package datasets

import (
	"encoding/json"
	"fmt"
	"io/fs"
)

// Info is what `datasets info` shows.
type Info struct {
	Format string           `json:"format"` // format version
	Tables []TableInfo      `json:"tables"` // in the order of the stages
	Splits map[string]int64 `json:"splits"` // tasks by split
	Status map[string]int64 `json:"status"` // tasks by status
	Runs   []string         `json:"runs"`   // ids of the evaluation runs
	Other  []string         `json:"other"`  // files of a newer version or another tool, from the manifest
}

// TableInfo sums up one table.
type TableInfo struct {
	Table string `json:"table"`
	Files int    `json:"files"`
	Rows  int64  `json:"rows"`
	Bytes int64  `json:"bytes"`
}

// Info sums the dataset up. It reads the footers of the files, no rows,
// whatever their number; an error names the file that is damaged or that does
// not have the rows of the manifest.
func (d *Dir) Info() (*Info, error) {
	info := &Info{Format: d.manifest.Format, Tables: []TableInfo{}, Splits: map[string]int64{}, Status: map[string]int64{}, Runs: []string{}, Other: []string{}}
	for _, l := range tables {
		sum := TableInfo{Table: l.table}
		for _, f := range d.manifest.Table(l.table) {
			sum.Files++
			sum.Bytes += f.Bytes
			if l.row == nil {
				continue
			}
			rows, err := d.fileInfo(info, l.table, f)
			if err != nil {
				return nil, err
			}
			sum.Rows += rows
		}
		if sum.Files > 0 {
			info.Tables = append(info.Tables, sum)
		}
	}
	for _, f := range d.manifest.Files {
		if _, _, ok := tableOfPath(f.Path); !ok {
			info.Other = append(info.Other, f.Path)
		}
	}
	info.Runs = append(info.Runs, d.manifest.Parts(TableRun)...)
	return info, nil
}

// fileInfo adds one file to the counts and returns its rows.
func (d *Dir) fileInfo(info *Info, table string, f File) (int64, error) {
	file, err := openParquet(source{f.Path, d.pins[f.Path]})
	if err != nil {
		return 0, err
	}
	if file.NumRows() != f.Rows {
		return 0, fmt.Errorf("reading %s: it has %d rows, the manifest says %d", f.Path, file.NumRows(), f.Rows)
	}
	if table != TableTasks {
		return f.Rows, nil
	}
	_, split, _ := tableOfPath(f.Path)
	info.Splits[split] += f.Rows
	counts := map[string]int64{}
	if raw, ok := file.Lookup(MetaStatus); ok && json.Unmarshal([]byte(raw), &counts) == nil {
		for status, n := range counts {
			info.Status[status] += n
		}
		return f.Rows, nil
	}
	type statusOnly struct {
		Status string `parquet:"status"`
	}
	for row, err := range Rows[statusOnly](d, TableTasks, split) {
		if err != nil {
			return 0, err
		}
		info.Status[row.Status]++
	}
	return f.Rows, nil
}

// Head returns the first n rows of a table as JSON objects.
func (d *Dir) Head(table string, n int) ([]json.RawMessage, error) {
	rows := []json.RawMessage{}
	if n <= 0 {
		return rows, nil
	}
	err := d.each(table, func(row any) (bool, error) {
		raw, err := json.Marshal(row)
		rows = append(rows, raw)
		return len(rows) < n, err
	})
	return rows, err
}

// Show returns the task with the id, or the tool with the id "server/tool", as
// a JSON object. An id that nothing has is an error that wraps [fs.ErrNotExist];
// the beginning of a task's id, 6 characters or more, will do if it is unique.
func (d *Dir) Show(id string) (json.RawMessage, error) {
	var found any
	matches := 0
	for task, err := range d.Tasks() {
		if err != nil {
			return nil, err
		}
		if task.ID == id {
			return json.Marshal(task)
		}
		if len(id) >= 6 && len(id) < len(task.ID) && task.ID[:len(id)] == id {
			found = task
			matches++
		}
	}
	switch {
	case matches > 1:
		return nil, fmt.Errorf("%d tasks have an id that begins with %s", matches, id)
	case matches == 1:
		return json.Marshal(found)
	}
	for tool, err := range d.Tools() {
		if err != nil {
			return nil, err
		}
		if tool.ID() == id {
			return json.Marshal(tool)
		}
	}
	return nil, fmt.Errorf("no task or tool has the id %s: %w", id, fs.ErrNotExist)
}

// each calls f for every row of a table until it says stop.
func (d *Dir) each(table string, f func(row any) (more bool, err error)) error {
	switch table {
	case TableServers:
		return eachRow[Server](d, table, f)
	case TableTools:
		return eachRow[Tool](d, table, f)
	case TableEdges:
		return eachRow[Edge](d, table, f)
	case TableTasks:
		return eachRow[Task](d, table, f)
	case TableTape:
		return eachRow[Call](d, table, f)
	case TableTrajectories:
		return eachRow[Trajectory](d, table, f)
	case TableScores:
		return eachRow[Score](d, table, f)
	}
	return fmt.Errorf("no table is called %q: there are servers, tools, edges, tasks, tape, trajectories and scores", table)
}

func eachRow[T any](d *Dir, table string, f func(row any) (bool, error)) error {
	for row, err := range Rows[T](d, table) {
		if err != nil {
			return err
		}
		if more, err := f(row); !more || err != nil {
			return err
		}
	}
	return nil
}
