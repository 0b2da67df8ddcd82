package main

import (
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"
	"github.com/taskwright/taskwright/internal/mcpclient"
)

// source says which servers a command works with.
type source struct {
	Builtin bool   `json:"builtin"` // the embedded servers
	File    string `json:"file"`    // an mcp.json
}

func (s source) none() bool { return !s.Builtin && s.File == "" }

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
	return w.remembered()
}

func absolute(file string) (source, error) {
	path, err := filepath.Abs(file)
	return source{File: path}, wrap("finding "+file, err)
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
