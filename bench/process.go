package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"time"
)

// runs measures the command as its users run it: all stages at three sizes,
// the same once more with everything in the journal, and one agent offline.
func runs(ctx context.Context, m measurements, program, dir string) error {
	for _, n := range []string{"50", "100", "200"} {
		data := filepath.Join(dir, "run-"+n)
		if err := os.RemoveAll(data); err != nil {
			return err
		}
		if err := m.process(ctx, "run -n "+n, program, "run", data, "-n", n); err != nil {
			return err
		}
	}
	data := filepath.Join(dir, "run-50")
	if err := m.process(ctx, "run -n 50, again", program, "run", data, "-n", "50"); err != nil {
		return err
	}
	info, err := os.Stat(filepath.Join(data, "report.html"))
	if err != nil {
		return err
	}
	m.add("run -n 50", "report-KB", float64(info.Size())/1e3)
	return m.process(ctx, "evaluate --offline, 50 tasks", program, "evaluate", data, "--offline", "--run", "bench-"+strconv.FormatInt(time.Now().UnixNano(), 36))
}

// process runs a program and adds its wall time and its peak memory. Status 3
// means that it did its work, except for some units.
func (m measurements) process(ctx context.Context, name, program string, args ...string) error {
	cmd := exec.CommandContext(ctx, program, append(args, "--quiet")...)
	start := time.Now()
	out, err := cmd.CombinedOutput()
	took := time.Since(start)
	if err != nil && cmd.ProcessState.ExitCode() != 3 {
		return fmt.Errorf("%s: %w\n%s", name, err, out)
	}
	m.add(name, "s", took.Seconds())
	if peak := peakMemory(cmd.ProcessState); peak > 0 {
		m.add(name, "peak-MB", peak/1e6)
	}
	return nil
}
