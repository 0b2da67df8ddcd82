package main

import (
	"errors"

	"github.com/spf13/cobra"
	"github.com/taskwright/taskwright/datasets"
)

// newSampleCommand writes a small dataset with one task; --wrong gives the
// task a claim that its evidence does not bear out.
func newSampleCommand() *cobra.Command {
	wrong := false
	cmd := &cobra.Command{
		Use: "sample DIR", Args: exactly("a directory"),
		RunE: func(_ *cobra.Command, args []string) error {
			d, err := datasets.Create(args[0])
			if err != nil {
				return err
			}
			defer d.Close()
			task := sampleTask()
			if wrong {
				task.Claims[0].Expected = "79"
			}
			return writeSample(d, task)
		},
	}
	cmd.Flags().BoolVar(&wrong, "wrong", false, "")
	return cmd
}

func writeSample(d *datasets.Dir, task datasets.Task) error {
	tx, err := d.Begin()
	if err != nil {
		return err
	}
	call := sampleCall()
	return errors.Join(
		tx.WriteServers(datasets.All([]datasets.Server{{Name: "parks", Transport: "memory", Status: datasets.ServerOK, State: datasets.StateNone, Tools: 1, Warnings: []string{}}})),
		tx.WriteTools(datasets.All([]datasets.Tool{{
			Server: "parks", Name: "camps", Title: "Camps\x1b[31m", InputSchema: `{"type":"object"}`, OutputSchema: "null", OutputSchemaSource: datasets.SchemaNone,
			Annotations: "null", Effect: datasets.EffectRead, Warnings: []string{}, Health: datasets.Health{Status: datasets.HealthOK}, Samples: []datasets.Sample{},
		}})),
		tx.WriteEdges(datasets.All([]datasets.Edge{
			{FromServer: "parks", FromTool: "camps", FromPath: "/next", ToServer: "parks", ToTool: "camps", ToParam: "/park", Kind: datasets.EdgeSchema, Score: 0.5},
			{FromServer: "parks", FromTool: "camps", FromPath: "/sites", ToServer: "parks", ToTool: "camps", ToParam: "/least", Kind: datasets.EdgeSchema, Score: 0.25},
		})),
		tx.WriteTape(datasets.All([]datasets.Call{call})),
		tx.WriteTasks(datasets.All([]datasets.Task{task})),
		tx.Commit(datasets.StageLog{Stage: "generate"}),
	)
}

func sampleCall() datasets.Call {
	return datasets.Call{
		Key: datasets.CallKey("parks", "camps", `{"park":"glca"}`, ""), Server: "parks", Tool: "camps", Arguments: `{"park":"glca"}`,
		Result: datasets.ToolResult{Text: `{"sites":78}`, Structured: "null", ContentTypes: []string{"text"}},
	}
}

func sampleTask() datasets.Task {
	return datasets.Task{
		ID: datasets.Digest("task"), Servers: []string{"parks"}, RequiredTools: []string{"parks/camps"}, DistractorServers: []string{}, ExposedTools: []string{"parks/camps"},
		Pattern: datasets.PatternSingle, Depth: 1, Width: 1,
		Chain:       []datasets.Step{{Server: "parks", Tool: "camps", Arguments: []datasets.Argument{{Path: "/park", Source: datasets.SourceConstant, Value: `"glca"`, Said: "Glen Mesa", Equal: "null"}}}},
		Instruction: "How many sites are there at Glen Mesa?", Outline: []datasets.Part{},
		Variants:  []datasets.Variant{{Level: datasets.LevelLight, Text: "Sites at Glen Mesa?", Author: "phrasebank", Status: datasets.StatusAccepted, Reasons: []string{}, Checks: []datasets.Check{}}},
		Claims:    []datasets.Claim{{ID: "c1", Text: "There are 78 sites", Kind: datasets.ClaimValue, Step: 1, Pointer: "/sites", Expected: "78", ToleranceKind: datasets.ToleranceExact, Essential: true}},
		Reference: []datasets.Executed{{Step: 1, Server: "parks", Tool: "camps", Arguments: `{"park":"glca"}`, Output: `{"sites":78}`, TapeKey: sampleCall().Key}},
		Checks:    []datasets.Check{{Name: "oracle", Passed: true}}, Scores: []datasets.Judgement{}, Status: datasets.StatusAccepted, Reasons: []string{},
		Proof: datasets.ProofExecuted, Reviews: []datasets.Review{}, Split: datasets.SplitCandidates,
		Provenance: datasets.Provenance{Author: "grounded", Prompts: []string{}, Version: version},
	}
}
