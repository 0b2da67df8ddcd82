package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/taskwright/taskwright/internal/llm"
)

// doctorOptions are the flags of doctor.
type doctorOptions struct {
	dir     string
	servers string
	noModel bool
}

// Outcomes of an examination.
const (
	healthy  = "ok"
	doubtful = "warning" // works, but not for long or not for everything
	broken   = "failed"
	notSet   = "off" // not configured, which is no fault
)

// finding is what an examination showed.
type finding struct {
	Name   string `json:"name"`
	Status string `json:"status"` // ok, warning, failed or off
	Detail string `json:"detail"`
}

// diagnosis is the answer of doctor.
type diagnosis struct {
	OK       bool      `json:"ok"` // nothing failed
	Findings []finding `json:"findings"`
}

func newDoctorCommand(e *env) *cobra.Command {
	o := doctorOptions{dir: "."}
	cmd := &cobra.Command{
		Use:   "doctor [DIR]",
		Short: "Say what works, what does not, and why",
		Long: `Doctor looks at the disk that DIR (default: the current directory) is on, at
the settings and the local state in DIR, at the servers, and at the model
endpoint that OPENAI_API_KEY and OPENAI_BASE_URL name. It starts the servers
and lists their tools, but calls none; it asks the endpoint for its list of
models, which costs nothing. It changes no data in DIR.

Exit status: 0 nothing failed; 1 something failed.`,
		Example: "  taskwright doctor demo",
		Args:    between(0, "a directory"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				o.dir = args[0]
			}
			return runDoctor(cmd.Context(), e, o)
		},
	}
	cmd.Flags().StringVar(&o.servers, "servers", "", "mcp.json `FILE` of the servers (default: the one in taskwright.yaml, else the embedded servers)")
	cmd.Flags().BoolVar(&o.noModel, "no-model", false, "do not ask the model endpoint")
	return cmd
}

func runDoctor(ctx context.Context, e *env, o doctorOptions) error {
	d := diagnosis{OK: true}
	d.add(examineDisk(o.dir)...)
	d.add(examineSettings(o.dir))
	d.add(examineState(o.dir))
	servers, err := examineServers(ctx, e, o)
	if err != nil {
		return err
	}
	d.add(servers...)
	if !o.noModel {
		model, err := examineModel(ctx, e)
		if err != nil {
			return err
		}
		d.add(model)
	}
	if err := e.answer(d, d.print); err != nil {
		return err
	}
	if failed := d.failed(); len(failed) > 0 {
		return fmt.Errorf("something does not work: %s", strings.Join(failed, ", "))
	}
	return nil
}

func (d *diagnosis) add(findings ...finding) {
	for _, f := range findings {
		d.OK = d.OK && f.Status != broken
		d.Findings = append(d.Findings, f)
	}
}

func (d *diagnosis) failed() (names []string) {
	for _, f := range d.Findings {
		if f.Status == broken {
			names = append(names, f.Name)
		}
	}
	return names
}

func (d *diagnosis) print(w io.Writer) error {
	var rows [][]string
	for _, f := range d.Findings {
		rows = append(rows, []string{f.Status, f.Name, f.Detail})
	}
	return table(w, nil, rows)
}

// examineModel asks the model endpoint. The error is that of the context.
func examineModel(ctx context.Context, e *env) (finding, error) {
	const name = "model endpoint"
	endpoint, err := llm.FromEnvironment(e.getenv)
	if errors.Is(err, llm.ErrNotConfigured) {
		return finding{name, notSet, err.Error() + "; everything works without, in plainer language"}, nil
	}
	if err != nil {
		return finding{name, broken, err.Error()}, nil
	}
	names, err := llm.Models(ctx, endpoint)
	switch {
	case ctx.Err() != nil:
		return finding{}, ctx.Err()
	case err != nil:
		return finding{name, broken, err.Error()}, nil
	case len(names) == 0:
		return finding{name, doubtful, endpoint.Name() + " answers and lists no model"}, nil
	}
	return finding{name, healthy, fmt.Sprintf("%s has %s", endpoint.Name(), someOf(names))}, nil
}

// someOf counts names and lists the first ones.
func someOf(names []string) string {
	const shown = 5
	list := strings.Join(names[:min(shown, len(names))], ", ")
	if len(names) > shown {
		list += ", …"
	}
	return fmt.Sprintf("%d models: %s", len(names), list)
}
