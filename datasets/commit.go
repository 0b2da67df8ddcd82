package datasets

import (
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// Commit makes the transaction's tables the dataset's and adds the entry to
// the log; an entry without stage is left out. On an error before the commit
// point the old dataset is whole and the transaction is rolled back.
//
// The order, so that a reader finds the old dataset or the new one:
//
//  1. every new file is complete and synced under its pending name;
//  2. the new manifest is synced and renamed to taskwright.json.next. This is
//     the commit point: from here on readers follow the new manifest and find
//     each file under its pending name or, once renamed, under its own;
//  3. the files are renamed, those that only the old manifest lists are removed,
//     and the card is written;
//  4. taskwright.json.next is renamed to taskwright.json.
//
// What a crash leaves undone of 3 and 4 is done by the next Begin.
func (tx *Tx) Commit(log StageLog) error {
	if tx.done {
		return errors.New("committing dataset: the transaction is over")
	}
	d := tx.dir
	m, raw, err := tx.prepare(log)
	decided := false
	if err == nil {
		decided, err = d.decide(raw)
	}
	if !decided {
		tx.Rollback()
		return fmt.Errorf("committing dataset %s: %w", d.path, err)
	}
	tx.done = true
	if err != nil {
		return d.unsettled(err)
	}
	old := d.manifest
	d.manifest, d.raw = m, raw
	if err := d.repin(old); err != nil {
		return err
	}
	if err := d.settle(); err != nil {
		return d.unsettled(err)
	}
	return nil
}

// unsettled is the error for a commit that stands, but is not finished.
func (d *Dir) unsettled(err error) error {
	return fmt.Errorf("committing dataset %s: the new tables are written and will be put in place by the next command: %w", d.path, err)
}

// decide writes the new manifest: the commit point. On an error it is taken
// back; where even that fails, the commit stands.
func (d *Dir) decide(raw []byte) (decided bool, err error) {
	path := filepath.Join(d.path, nextName)
	if err = writeDurably(d.fsys, path, writeAll(raw)); err == nil {
		return true, nil
	}
	if _, e := os.Lstat(path); errors.Is(e, os.ErrNotExist) {
		return false, err
	}
	if e := d.fsys.remove(path); e != nil && !errors.Is(e, os.ErrNotExist) {
		return true, errors.Join(err, e)
	}
	return false, err
}

// prepare brings every new file under its pending name and makes the manifest.
func (tx *Tx) prepare(log StageLog) (*Manifest, []byte, error) {
	d := tx.dir
	_, raw, next, err := readManifest(d.path)
	if err != nil {
		return nil, nil, err
	}
	if next || string(raw) != string(d.raw) {
		return nil, nil, ErrChanged
	}
	m := &Manifest{Format: tx.format, Canary: d.manifest.Canary, extra: d.manifest.extra, Log: slices.Clone(d.manifest.Log)}
	for _, f := range d.manifest.Files {
		if _, replaced := tx.files[f.Path]; !tx.drops[f.Path] && !replaced {
			m.Files = append(m.Files, f)
		}
	}
	dirs := map[string]bool{}
	for _, path := range sortedStrings(tx.files) {
		p := tx.files[path]
		waiting := pendingPath(d.file(path), p.file.SHA256)
		if err := d.fsys.rename(p.temp, waiting); err != nil {
			return nil, nil, err
		}
		tx.temps = append(tx.temps, waiting)
		dirs[filepath.Dir(waiting)] = true
		m.Files = append(m.Files, p.file)
	}
	for _, dir := range sortedStrings(dirs) {
		if err := d.fsys.syncDir(dir); err != nil {
			return nil, nil, err
		}
		if err := d.fsys.syncDir(filepath.Dir(dir)); err != nil {
			return nil, nil, err
		}
	}
	if log.Stage != "" {
		if log.Version == "" {
			log.Version = Release
		}
		m.Log = append(m.Log, log)
	}
	slices.SortFunc(m.Files, func(a, b File) int { return strings.Compare(a.Path, b.Path) })
	raw, err = m.encode()
	return m, raw, err
}

// repin opens the files of the new manifest; unchanged ones stay open, replaced
// ones are kept for iterators that still read them.
func (d *Dir) repin(old *Manifest) error {
	before := map[string]File{}
	for _, f := range old.Files {
		before[f.Path] = f
	}
	pins := d.pins
	if err := d.pin(true); err != nil {
		return err
	}
	for path, f := range pins {
		if now, ok := d.pins[path]; ok && slices.Contains(d.manifest.Files, before[path]) {
			now.Close()
			d.pins[path] = f
		} else {
			d.retired = append(d.retired, f)
		}
	}
	return nil
}

// settle finishes an interrupted commit: it puts the files in place, writes
// the card and makes the manifest the settled one. Then it removes temporary
// files that no commit waits for.
func (d *Dir) settle() error {
	m, raw, next, err := readManifest(d.path)
	if err != nil {
		return err
	}
	if string(raw) != string(d.raw) {
		return ErrChanged
	}
	dirs := map[string]bool{d.path: true}
	for _, f := range m.Files {
		path := d.file(f.Path)
		dirs[filepath.Dir(path)] = true
		if !next {
			continue
		}
		if err := d.fsys.rename(pendingPath(path, f.SHA256), path); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	if next {
		if err := d.finishCommit(dirs); err != nil {
			return err
		}
	}
	return d.sweep()
}

func (d *Dir) finishCommit(dirs map[string]bool) error {
	for _, dir := range sortedStrings(dirs) {
		if err := d.fsys.syncDir(dir); err != nil {
			return err
		}
	}
	if err := d.removeDropped(); err != nil {
		return err
	}
	if err := d.WriteCard(); err != nil {
		return err
	}
	if err := d.fsys.rename(filepath.Join(d.path, nextName), filepath.Join(d.path, ManifestName)); err != nil {
		return err
	}
	return d.fsys.syncDir(d.path)
}

// leftover is the name of a file that only a transaction writes.
var leftover = regexp.MustCompile(`^\.(taskwright\.json(\.next)?|README\.md|run\.json|.+\.parquet)\.[0-9a-f]+\.(tmp|new)$`)

// sweep removes what aborted transactions left in the folders of the dataset.
func (d *Dir) sweep() error {
	folders := []string{d.path}
	for _, l := range tables {
		found, err := filepath.Glob(filepath.Join(globEscape(d.path), path.Dir(strings.ReplaceAll(l.files, "{part}", "*"))))
		if err != nil {
			return err
		}
		folders = append(folders, found...)
	}
	slices.Sort(folders)
	for _, dir := range slices.Compact(folders) {
		entries, err := os.ReadDir(dir)
		if err != nil {
			return err
		}
		for _, e := range entries {
			if !leftover.MatchString(e.Name()) || e.IsDir() {
				continue
			}
			if err := d.fsys.remove(filepath.Join(dir, e.Name())); err != nil && !errors.Is(err, os.ErrNotExist) {
				return err
			}
		}
	}
	return nil
}

// globEscape makes a path match only itself in filepath.Glob.
func globEscape(p string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(p)
}

// removeDropped removes the files of the settled manifest that the new one
// does not list. Files that no manifest listed are left alone.
func (d *Dir) removeDropped() error {
	raw, err := readBounded(filepath.Join(d.path, ManifestName), maxManifest)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	old, err := decodeManifest(raw)
	if err != nil {
		return err
	}
	kept := map[string]bool{}
	for _, f := range d.manifest.Files {
		kept[f.Path] = true
	}
	for _, f := range old.Files {
		if kept[f.Path] {
			continue
		}
		name := d.file(f.Path)
		if err := d.fsys.remove(name); err != nil && !errors.Is(err, os.ErrNotExist) {
			return fmt.Errorf("removing %s: %w", f.Path, err)
		}
		if rest, err := os.ReadDir(filepath.Dir(name)); err == nil && len(rest) == 0 {
			d.fsys.remove(filepath.Dir(name))
		}
	}
	return nil
}
