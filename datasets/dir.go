package datasets

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
)

// A Dir is a dataset as it was when it was opened. Its files are held open, so
// that a commit by another process does not change what is read: a reader sees
// the old dataset or the new one, never a mixture.
//
// Reading is safe from several goroutines; [Dir.Begin] and what follows it is
// for one.
type Dir struct {
	path     string
	fsys     filesystem
	manifest *Manifest
	raw      []byte              // the manifest as read
	pins     map[string]*os.File // by path in the manifest
	retired  []*os.File          // replaced by a commit, perhaps still being read

	mu       sync.Mutex        // guards what follows
	verified map[*os.File]bool // files whose bytes are those of the manifest
}

// Open opens a dataset. The error says what the directory is instead if it is
// none, and names the version if it is too new.
func Open(dir string) (*Dir, error) { return openWith(dir, disk{}) }

// openAttempts bounds how often a commit may get in the way of an Open.
const openAttempts = 100

func openWith(dir string, fsys filesystem) (*Dir, error) {
	for range openAttempts {
		m, raw, next, err := readManifest(dir)
		if err != nil {
			return nil, err
		}
		d := &Dir{path: dir, fsys: fsys, manifest: m, raw: raw, verified: map[*os.File]bool{}}
		pinErr := d.pin(next)
		// The files are those of the manifest if no commit began meanwhile.
		_, again, _, err := readManifest(dir)
		if err == nil && string(again) == string(raw) {
			if pinErr != nil {
				d.Close()
				return nil, pinErr
			}
			return d, nil
		}
		d.Close()
	}
	return nil, fmt.Errorf("opening dataset %s: it is being changed all the time", dir)
}

// pin opens every file of the manifest. While a commit is under way a file is
// found under its pending name or, once renamed, under its own.
func (d *Dir) pin(next bool) error {
	d.pins = make(map[string]*os.File, len(d.manifest.Files))
	for _, f := range d.manifest.Files {
		path := d.file(f.Path)
		var file *os.File
		err := fs.ErrNotExist
		if next {
			file, err = os.Open(pendingPath(path, f.SHA256))
		}
		if errors.Is(err, fs.ErrNotExist) {
			file, err = os.Open(path)
		}
		if err != nil {
			return fmt.Errorf("opening dataset %s: %s is in the manifest but cannot be read: %w", d.path, f.Path, err)
		}
		d.pins[f.Path] = file
	}
	return nil
}

// Create opens the dataset in dir, or makes an empty one there if dir is empty
// or missing. It refuses a directory with other people's files in it; settings
// (taskwright.yaml, mcp.json), README.md, LICENSE and hidden files may be there.
func Create(dir string) (*Dir, error) { return createWith(dir, disk{}) }

func createWith(dir string, fsys filesystem) (*Dir, error) {
	d, err := openWith(dir, fsys)
	if err == nil || !errors.Is(err, ErrNotDataset) && !errors.Is(err, fs.ErrNotExist) {
		return d, err
	}
	if err := fsys.mkdir(dir); err != nil {
		return nil, fmt.Errorf("creating dataset: %w", err)
	}
	if err := checkEmpty(dir); err != nil {
		return nil, err
	}
	raw, err := (&Manifest{Format: FormatVersion, Canary: Canary}).encode()
	if err != nil {
		return nil, err
	}
	path := filepath.Join(dir, ManifestName)
	if err := writeDurably(fsys, path, writeAll(raw)); err != nil {
		return nil, fmt.Errorf("creating dataset: %w", err)
	}
	return openWith(dir, fsys)
}

// CanCreate says whether [Create] would find room for a dataset in dir, where
// there is none yet. It changes nothing; whether dir can be written to shows
// only in Create.
func CanCreate(dir string) error {
	err := checkEmpty(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// checkEmpty refuses a directory that holds something else already.
func checkEmpty(dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return fmt.Errorf("creating dataset: %w", err)
	}
	for _, e := range entries {
		name := e.Name()
		if strings.HasPrefix(name, ".") || slices.Contains([]string{"README.md", "LICENSE", "taskwright.yaml", "mcp.json"}, name) {
			continue
		}
		return fmt.Errorf("creating dataset in %s: the directory is not empty (it holds %s) and is %w", dir, name, ErrNotDataset)
	}
	return nil
}

// Close releases the files. Iterators of the Dir must be done.
func (d *Dir) Close() error {
	for _, f := range d.pins {
		f.Close()
	}
	for _, f := range d.retired {
		f.Close()
	}
	d.pins, d.retired = nil, nil
	return nil
}

// Path is the directory as it was given to Open or Create.
func (d *Dir) Path() string { return d.path }

// Manifest is the manifest; it must not be changed.
func (d *Dir) Manifest() *Manifest { return d.manifest }

func (d *Dir) file(path string) string { return filepath.Join(d.path, filepath.FromSlash(path)) }

// Rows yields the rows of a table, those of the named splits or runs only if
// any are named. T is the row type of the table or a smaller struct with the
// columns that are wanted. Errors are as for [Read].
//
// Before whole rows are read from a file, its bytes are held once against the
// manifest's SHA-256, for page checksums do not cover headers. A projection
// does without, so that it need not read the columns it skips.
func Rows[T any](d *Dir, table string, parts ...string) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		l, _ := layoutOf(table)
		whole := l.row == reflect.TypeFor[T]()
		for _, f := range d.manifest.Table(table, parts...) {
			if whole {
				if err := d.verify(f); err != nil {
					var zero T
					yield(zero, err)
					return
				}
			}
			if !readSource(source{f.Path, d.pins[f.Path]}, yield) {
				return
			}
		}
	}
}

// verify holds a file against the manifest, the first time that it is asked.
func (d *Dir) verify(f File) error {
	pin := d.pins[f.Path]
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.verified[pin] {
		return nil
	}
	bytes, sha, err := fileSum(pin)
	if err != nil {
		return fmt.Errorf("reading %s: %w", f.Path, err)
	}
	if bytes != f.Bytes || sha != f.SHA256 {
		return fmt.Errorf("reading %s: its %d bytes are not the %d of the manifest, or their SHA-256 differs: the file is damaged or was changed", f.Path, bytes, f.Bytes)
	}
	d.verified[pin] = true
	return nil
}

// Servers yields the servers of the catalog.
func (d *Dir) Servers() iter.Seq2[Server, error] { return Rows[Server](d, TableServers) }

// Tools yields the tools of the catalog.
func (d *Dir) Tools() iter.Seq2[Tool, error] { return Rows[Tool](d, TableTools) }

// Edges yields the edges of the tool graph.
func (d *Dir) Edges() iter.Seq2[Edge, error] { return Rows[Edge](d, TableEdges) }

// Tasks yields the tasks of the named splits, of all when none is named.
func (d *Dir) Tasks(splits ...string) iter.Seq2[Task, error] {
	return Rows[Task](d, TableTasks, splits...)
}

// Tape yields the recorded tool calls.
func (d *Dir) Tape() iter.Seq2[Call, error] { return Rows[Call](d, TableTape) }

// Trajectories yields the trajectories of the named runs, of all when none is named.
func (d *Dir) Trajectories(runs ...string) iter.Seq2[Trajectory, error] {
	return Rows[Trajectory](d, TableTrajectories, runs...)
}

// Scores yields the scores of the named runs, of all when none is named.
func (d *Dir) Scores(runs ...string) iter.Seq2[Score, error] {
	return Rows[Score](d, TableScores, runs...)
}

// Runs reads the descriptions of all evaluation runs, in order of their ids.
func (d *Dir) Runs() ([]Run, error) {
	var runs []Run
	for _, f := range d.manifest.Table(TableRun) {
		raw := make([]byte, min(f.Bytes, maxManifest))
		if _, err := d.pins[f.Path].ReadAt(raw, 0); err != nil {
			return nil, fmt.Errorf("reading %s: %w", f.Path, err)
		}
		var run Run
		if err := json.Unmarshal(raw, &run); err != nil {
			return nil, fmt.Errorf("reading %s: %w", f.Path, err)
		}
		runs = append(runs, run)
	}
	return runs, nil
}

// Collect reads all rows of an iterator into memory, for tables that are known
// to be small.
func Collect[T any](rows iter.Seq2[T, error]) ([]T, error) {
	var all []T
	for row, err := range rows {
		if err != nil {
			return nil, err
		}
		all = append(all, row)
	}
	return all, nil
}

// All yields the rows of a slice, for what takes an iterator.
func All[T any](rows []T) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for _, r := range rows {
			if !yield(r, nil) {
				return
			}
		}
	}
}
