package evaluate

import (
	"fmt"
	"strings"

	"github.com/taskwright/taskwright/datasets"
)

// Text is what an agent gets of a task, and the level of that text.
//
// Level "" is the default: the medium variant, else light, else heavy. A named
// level is that level or an error, which comes with the level that was asked
// for. Only accepted variants count. The instruction is returned for
// [datasets.LevelConcrete] and for nothing else.
func Text(task *datasets.Task, level string) (text, got string, err error) {
	if level == datasets.LevelConcrete {
		return task.Instruction, level, nil
	}
	levels := []string{level}
	if level == "" {
		levels = []string{datasets.LevelMedium, datasets.LevelLight, datasets.LevelHeavy}
	}
	for _, l := range levels {
		for _, v := range task.Variants {
			if v.Level == l && v.Status == datasets.StatusAccepted {
				return v.Text, l, nil
			}
		}
	}
	return "", levels[0], fmt.Errorf("task %s has no accepted variant of level %s", task.ID, strings.Join(levels, ", "))
}

// JudgeView is what a judge gets: the instruction, never a variant, and the
// raw results of the calls, never an agent's account of them.
type JudgeView struct {
	Instruction        string
	DependencyAnalysis string
	Claims             []datasets.Claim
	Calls              []datasets.Action
	Answer             string
}

// ForJudge is the judge's view of a trajectory.
func ForJudge(task *datasets.Task, t *datasets.Trajectory) JudgeView {
	return JudgeView{
		Instruction:        task.Instruction,
		DependencyAnalysis: task.DependencyAnalysis,
		Claims:             task.Claims,
		Calls:              t.Calls,
		Answer:             t.Answer,
	}
}

// splitID splits "server/tool" at the first slash.
func splitID(id string) (server, tool string) {
	server, tool, _ = strings.Cut(id, "/")
	return server, tool
}
