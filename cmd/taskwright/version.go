package main

import (
	"fmt"
	"io"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
	"github.com/taskwright/taskwright/datasets"
)

// version is the release, the same that datasets carry.
const version = datasets.Release

// build is what is known of this binary.
type build struct {
	Version  string `json:"version"`
	Revision string `json:"revision"` // of the source, "" if not recorded
	Modified bool   `json:"modified"` // the source had changes beyond the revision
	Go       string `json:"go"`
	Platform string `json:"platform"`
}

func readBuild() build {
	b := build{Version: version, Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return b
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			b.Revision = s.Value
		case "vcs.modified":
			b.Modified = s.Value == "true"
		}
	}
	return b
}

func (b build) String() string {
	s := "taskwright " + b.Version
	if b.Revision != "" {
		s += fmt.Sprintf(" (%.12s", b.Revision)
		if b.Modified {
			s += ", modified"
		}
		s += ")"
	}
	return s + " " + b.Go + " " + b.Platform
}

func newVersionCommand(e *env) *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: "Print the version", Args: exactly(),
		RunE: func(*cobra.Command, []string) error {
			b := readBuild()
			return e.answer(b, func(w io.Writer) error {
				_, err := fmt.Fprintln(w, b)
				return err
			})
		},
	}
}
