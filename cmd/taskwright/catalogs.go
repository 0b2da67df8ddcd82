package main

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/taskwright/taskwright/datasets"
	"github.com/taskwright/taskwright/discover"
)

// loadCatalogs fills the catalog from saved tool lists: files, the JSON files
// of folders, or patterns. What cannot be read is told and counted; the rest
// goes on. It is an error if nothing can be read at all.
func (w *workspace) loadCatalogs(names []string) error {
	files, err := catalogFiles(names)
	if err != nil {
		return err
	}
	var l savedLists
	p := &partialError{Stage: "reading catalogs", Total: len(files), Of: "files"}
	for _, name := range files {
		if problems := l.read(name); len(problems) > 0 {
			p.Failed++
			p.Reasons = append(p.Reasons, problems...)
		}
	}
	reasons := p.Reasons
	p.Reasons = firstReasons(reasons)
	if len(l.servers) == 0 {
		return fmt.Errorf("reading catalogs: no server in %s:\n  %s", plural(len(files), "file"), strings.Join(p.Reasons, "\n  "))
	}
	for _, r := range reasons[min(len(reasons), maxReasons):] {
		w.env.detailf("%s", r)
	}
	if p.Failed > 0 {
		w.failed(p)
	}
	servers, tools := discover.Prepare(l.servers, l.tools)
	w.catalog = newCatalog(servers, tools, nil)
	return nil
}

// savedLists collects what several files list.
type savedLists struct {
	servers []datasets.Server
	tools   []datasets.Tool
	from    map[string]string // file by server
}

// read adds one file and says what was wrong with it. A server that an
// earlier file has listed stays as it was there.
func (l *savedLists) read(name string) (problems []string) {
	f, err := os.Open(name)
	if err != nil {
		return []string{err.Error()}
	}
	defer f.Close()
	servers, tools, bad, err := discover.LoadCatalog(filepath.Base(name), f)
	if err != nil {
		return []string{fmt.Sprintf("%s: %v", name, err)}
	}
	for _, p := range bad {
		p.File = filepath.Join(filepath.Dir(name), p.File)
		problems = append(problems, p.String())
	}
	if l.from == nil {
		l.from = map[string]string{}
	}
	taken := map[string]bool{}
	for _, s := range servers {
		if first, ok := l.from[s.Name]; ok {
			taken[s.Name] = true
			problems = append(problems, fmt.Sprintf("%s: server %s is left out: %s lists it, too", name, s.Name, first))
			continue
		}
		l.from[s.Name] = name
		l.servers = append(l.servers, s)
	}
	for _, t := range tools {
		if !taken[t.Server] {
			l.tools = append(l.tools, t)
		}
	}
	return problems
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
