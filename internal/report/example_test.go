package report_test

import (
	"fmt"
	"os"

	"github.com/taskwright/taskwright/datasets"
	"github.com/taskwright/taskwright/internal/report"
)

func ExampleBuild() {
	r := report.Build(report.Input{
		Title: "demo",
		Tasks: []datasets.Task{
			{ID: "a", Status: datasets.StatusAccepted, Pattern: datasets.PatternLinear},
			{ID: "b", Status: datasets.StatusRejected, Reasons: []string{"null: passes without tools"}},
		},
	})
	fmt.Println(r.Funnel.Accepted, "of", r.Funnel.Candidates, r.Funnel.Reasons)
	if err := r.CSV(os.Stdout); err != nil {
		fmt.Println(err)
	}
	// Output:
	// 1 of 2 [{null 1}]
	// task,status,proof,pattern,servers,steps,depth,claims,run,agent,model,variant,attempt,stop_reason,outcome,claim_coverage
	// a,accepted,,linear,,0,0,0,,,,,,,,
	// b,rejected,,,,0,0,0,,,,,,,,
}
