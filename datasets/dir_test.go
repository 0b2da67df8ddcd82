package datasets

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestDatasetRoundTrip(t *testing.T) {
	d := sampleDir(t, 5)
	again, err := Open(d.Path())
	must(t, err)
	defer again.Close()
	trajectories, scores := sampleRun(5)
	for _, dir := range []*Dir{d, again} {
		compareRows(t, sampleServers(), dir.Servers())
		compareRows(t, sampleTools(), dir.Tools())
		compareRows(t, sampleEdges(), dir.Edges())
		compareRows(t, sampleCalls(), dir.Tape())
		compareRows(t, sampleTasks(5), dir.Tasks())
		compareRows(t, trajectories, dir.Trajectories("r1"))
		compareRows(t, scores, dir.Scores())
		if v := dir.Validate(0); v.Total != 0 {
			t.Errorf("validate: %v", v.Errors)
		}
	}
}

func compareRows[T any](t *testing.T, want []T, rows func(func(T, error) bool)) {
	t.Helper()
	got, err := Collect(rows)
	must(t, err)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("rows differ (-want +got):\n%s", diff)
	}
}
