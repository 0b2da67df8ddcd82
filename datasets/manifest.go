package datasets

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// ManifestName is the file that makes a directory a dataset.
const ManifestName = "taskwright.json"

// nextName holds the manifest of a commit whose files are not all in place.
const nextName = ManifestName + ".next"

// maxManifest bounds what is read as a manifest, in bytes.
const maxManifest = 64 << 20

// Manifest lists what belongs to a dataset. Files depends only on the rows;
// clock times stand in Log alone.
type Manifest struct {
	Format string     `json:"format"` // format version, "1.0"
	Canary string     `json:"canary"` // see [Canary]
	Files  []File     `json:"files"`  // sorted by path
	Log    []StageLog `json:"log"`    // one entry for each stage that was run, oldest first

	extra map[string]json.RawMessage // keys of a newer minor version, kept
}

// File is one file of a dataset.
type File struct {
	Path   string `json:"path"`   // relative to the dataset, with slashes
	Table  string `json:"table"`  // table that it belongs to
	Rows   int64  `json:"rows"`   // 0 for a file that is not Parquet
	Bytes  int64  `json:"bytes"`  // size of the file
	SHA256 string `json:"sha256"` // of its bytes, in hexadecimal
}

// StageLog records one run of a stage.
type StageLog struct {
	Stage    string `json:"stage"`    // discover, generate, filter, fuzz, evaluate or a datasets command
	Version  string `json:"version"`  // taskwright release; filled in when empty
	Options  string `json:"options"`  // digest of everything that the user set
	Seed     int64  `json:"seed"`     // seed of all sampling
	Started  string `json:"started"`  // RFC 3339
	Finished string `json:"finished"` // RFC 3339
	Done     int    `json:"done"`     // units that succeeded
	Failed   int    `json:"failed"`   // units that did not
}

// ErrNotDataset is in the chain of the error for a directory without a manifest.
var ErrNotDataset = errors.New("not a taskwright dataset: it has no " + ManifestName)

func (m *Manifest) encode() ([]byte, error) {
	object := map[string]any{}
	for k, v := range m.extra {
		object[k] = v
	}
	files, log := m.Files, m.Log
	if files == nil {
		files = []File{}
	}
	if log == nil {
		log = []StageLog{}
	}
	object["format"], object["canary"], object["files"], object["log"] = m.Format, m.Canary, files, log
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	err := e.Encode(object)
	return b.Bytes(), err
}

func decodeManifest(raw []byte) (*Manifest, error) {
	object := map[string]json.RawMessage{}
	if err := json.Unmarshal(raw, &object); err != nil {
		return nil, err
	}
	m := &Manifest{extra: object}
	// The version decides whether the rest can be understood at all.
	for _, part := range []struct {
		key string
		to  any
	}{{"format", &m.Format}, {"canary", &m.Canary}, {"files", &m.Files}, {"log", &m.Log}} {
		if v, ok := object[part.key]; ok {
			if err := json.Unmarshal(v, part.to); err != nil {
				return nil, fmt.Errorf("%s: %w", part.key, err)
			}
		}
		delete(object, part.key)
		if part.key == "format" {
			if err := checkFormat(m.Format); err != nil {
				return nil, err
			}
		}
	}
	return m, m.checkPaths()
}

var sha256Hex = regexp.MustCompile(`^[0-9a-f]{64}$`)

// checkPaths refuses a manifest that points outside its directory, or that
// lists a file twice or without its digest.
func (m *Manifest) checkPaths() error {
	seen := map[string]bool{}
	for _, f := range m.Files {
		if !filepath.IsLocal(filepath.FromSlash(f.Path)) || strings.Contains(f.Path, `\`) {
			return fmt.Errorf("files: path %q is not inside the dataset", f.Path)
		}
		if !sha256Hex.MatchString(f.SHA256) || f.Bytes < 0 || f.Rows < 0 {
			return fmt.Errorf("files: %s has no proper sha256, bytes or rows", f.Path)
		}
		if seen[f.Path] {
			return fmt.Errorf("files: path %q is listed twice", f.Path)
		}
		seen[f.Path] = true
	}
	slices.SortFunc(m.Files, func(a, b File) int { return strings.Compare(a.Path, b.Path) })
	return nil
}

// readManifest reads the manifest that holds: that of a commit under way if
// there is one, else the settled one. next says which it was.
func readManifest(dir string) (m *Manifest, raw []byte, next bool, err error) {
	if info, err := os.Stat(dir); err != nil {
		return nil, nil, false, fmt.Errorf("opening dataset: %w", err)
	} else if !info.IsDir() {
		return nil, nil, false, fmt.Errorf("opening dataset %s: it is a file, not a directory", dir)
	}
	for _, name := range []string{nextName, ManifestName} {
		path := filepath.Join(dir, name)
		raw, err = readBounded(path, maxManifest)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, nil, false, fmt.Errorf("reading %s: %w", path, err)
		}
		if m, err = decodeManifest(raw); err != nil {
			return nil, nil, false, fmt.Errorf("reading %s: %w", path, err)
		}
		return m, raw, name == nextName, nil
	}
	return nil, nil, false, fmt.Errorf("opening dataset %s: %w", dir, ErrNotDataset)
}

func readBounded(path string, limit int64) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if info.Size() > limit {
		return nil, fmt.Errorf("%d bytes are more than the %d that are read", info.Size(), limit)
	}
	return os.ReadFile(path)
}

// Table lists the files of one table, those of the named splits or runs only
// if any are named.
func (m *Manifest) Table(table string, parts ...string) []File {
	var files []File
	for _, f := range m.Files {
		t, part, ok := tableOfPath(f.Path)
		if ok && t == table && (len(parts) == 0 || slices.Contains(parts, part)) {
			files = append(files, f)
		}
	}
	return files
}

// Parts lists the splits of tasks, or the runs of trajectories, in order.
func (m *Manifest) Parts(table string) []string {
	var parts []string
	for _, f := range m.Files {
		if t, part, ok := tableOfPath(f.Path); ok && t == table && part != "" && !slices.Contains(parts, part) {
			parts = append(parts, part)
		}
	}
	slices.Sort(parts)
	return parts
}
