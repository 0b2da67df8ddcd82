package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"
	"github.com/taskwright/taskwright/internal/mcpclient"
	"github.com/taskwright/taskwright/internal/store"
)

// source says which servers a command works with.
type source struct {
	Builtin bool   `json:"builtin"` // the embedded servers
	File    string `json:"file"`    // an mcp.json
}

func (s source) none() bool { return !s.Builtin && s.File == "" }

func (s source) String() string {
	switch {
	case s.Builtin:
		return "the embedded servers"
	case s.File != "":
		return "the servers of " + s.File
	}
	return "no servers: answers come from the tape"
}

// sourceFlags are the flags that choose servers.
type sourceFlags struct {
	builtin bool
	file    string
	offline bool
}

func (f *sourceFlags) add(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&f.builtin, "builtin", false, "use the embedded servers")
	cmd.Flags().StringVar(&f.file, "servers", "", "use the servers of an mcp.json `FILE`")
	cmd.MarkFlagsMutuallyExclusive("builtin", "servers")
	cmd.MarkFlagFilename("servers", "json")
}

// addOffline adds the flag for commands that can do without any server.
func (f *sourceFlags) addOffline(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&f.offline, "offline", false, "start no server: answer every call from the tape")
	cmd.MarkFlagsMutuallyExclusive("offline", "builtin")
	cmd.MarkFlagsMutuallyExclusive("offline", "servers")
}

// check reads the file that the flags name, before anything is made because
// of it.
func (f *sourceFlags) check(e *env) error {
	if f.file == "" {
		return nil
	}
	_, err := e.serverConfigs(f.file)
	return err
}

// choose is the source that the flags name, else the settings, else what the
// dataset was made with.
func (f *sourceFlags) choose(w *workspace) (source, error) {
	switch {
	case f.builtin:
		return source{Builtin: true}, nil
	case f.file != "":
		return absolute(f.file)
	case w.settings.Servers != "":
		return absolute(w.settings.Servers)
	}
	return w.remembered().Source, nil
}

func absolute(file string) (source, error) {
	path, err := filepath.Abs(file)
	return source{File: path}, wrap("finding "+file, err)
}

// sourceFile keeps, beside the local state, what the dataset was made with.
const sourceFile = "source.json"

// memory is what is kept of the last discovery.
type memory struct {
	Source  source            `json:"source"`
	Configs map[string]string `json:"configs"` // digests of how servers were started, by name
}

// remember keeps the source for later commands on this dataset.
func (w *workspace) remember(s source) error {
	m := memory{Source: s, Configs: map[string]string{}}
	for _, c := range w.configs {
		m.Configs[c.Name] = w.configDigest(c.Name)
	}
	raw, err := json.Marshal(m)
	if err != nil {
		return err
	}
	return writeWhole(filepath.Join(w.path, store.Dir, sourceFile), raw)
}

// remembered is what the dataset was made with. A dataset whose servers are
// all embedded ones needs no memory, and a file that cannot be read as one is
// as good as none.
func (w *workspace) remembered() memory {
	if m := readMemory(w.path); !m.Source.none() {
		return m
	}
	for _, server := range w.catalog.servers {
		if server.Transport != mcpclient.TransportMemory {
			return memory{}
		}
	}
	return memory{Source: source{Builtin: len(w.catalog.servers) > 0}}
}

// readMemory is what the directory says that its dataset was made with.
func readMemory(dir string) (m memory) {
	raw, err := os.ReadFile(filepath.Join(dir, store.Dir, sourceFile))
	if err != nil || json.Unmarshal(raw, &m) != nil {
		return memory{}
	}
	return m
}

// writeWhole writes a file, all of it or nothing.
func writeWhole(name string, content []byte) error {
	temp := name + ".tmp"
	err := os.WriteFile(temp, content, 0o666)
	if err == nil {
		err = os.Rename(temp, name)
	}
	if err != nil {
		os.Remove(temp)
	}
	return err
}

// allowed lists what the configs and the settings let a probe call.
func allowed(configs []mcpclient.Config, settings []string) []string {
	out := slices.Clone(settings)
	for _, c := range configs {
		for _, tool := range c.Allow {
			out = append(out, c.Name+"/"+tool)
		}
	}
	return out
}
