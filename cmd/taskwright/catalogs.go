package main

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/taskwright/taskwright/datasets"
	"github.com/taskwright/taskwright/discover"
)

// loadCatalogs fills the catalog from saved tool lists: files, the JSON files
// of folders, or patterns. What cannot be read is told and counted; the rest
// goes on. It is an error if nothing can be read at all.
func (w *workspace) loadCatalogs(names []string) (partial, err error) {
	files, err := catalogFiles(names)
	if err != nil {
		return nil, err
	}
	w.servers, w.tools = nil, nil
	p := &partialError{Stage: "catalog", Total: len(files)}
	for _, name := range files {
		if problem := w.loadCatalog1(name); problem != "" {
			p.Failed++
			p.Reasons = append(p.Reasons, problem)
		}
	}
	w.servers, w.tools = discover.Prepare(w.servers, w.tools)
	switch {
	case len(w.servers) == 0:
		return nil, fmt.Errorf("reading catalogs: no server in %d files: %s", len(files), strings.Join(p.Reasons[:min(len(p.Reasons), maxReasons)], "; "))
	case p.Failed == 0:
		return nil, nil
	}
	p.Reasons = p.Reasons[:min(len(p.Reasons), maxReasons)]
	return p, nil
}

// loadCatalog1 adds one file to the catalog and says what was wrong with it.
func (w *workspace) loadCatalog1(name string) (problem string) {
	f, err := os.Open(name)
	if err != nil {
		return err.Error()
	}
	defer f.Close()
	servers, tools, problems, err := discover.LoadCatalog(filepath.Base(name), f)
	if err != nil {
		return err.Error()
	}
	for _, p := range problems {
		w.env.notef("%s", p)
	}
	for _, s := range servers {
		if w.server(s.Name) != nil {
			w.env.notef("%s: server %s is in an earlier file already; this one is left out", name, s.Name)
			tools = slices.DeleteFunc(tools, func(t datasets.Tool) bool { return t.Server == s.Name })
			continue
		}
		w.servers = append(w.servers, s)
	}
	w.tools = append(w.tools, tools...)
	if len(problems) > 0 {
		return fmt.Sprintf("%s: %s", name, problems[0])
	}
	return ""
}

// catalogFiles lists the files that names stand for, sorted within each name.
func catalogFiles(names []string) ([]string, error) {
	var files []string
	for _, name := range names {
		info, err := os.Stat(name)
		switch {
		case err == nil && info.IsDir():
			err = filepath.WalkDir(name, func(path string, d fs.DirEntry, err error) error {
				if ext := filepath.Ext(path); err == nil && !d.IsDir() && (ext == ".json" || ext == ".jsonl") {
					files = append(files, path)
				}
				return err
			})
			if err != nil {
				return nil, fmt.Errorf("reading catalogs: %w", err)
			}
		case err == nil:
			files = append(files, name)
		default:
			matches, globErr := filepath.Glob(name)
			if globErr != nil || len(matches) == 0 {
				return nil, fmt.Errorf("reading catalogs: %s is no file, folder or pattern that matches", name)
			}
			files = append(files, matches...)
		}
	}
	return files, nil
}
