package datasets

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

func (v *validator) server(s *Server) {
	if s.Name == "" || strings.Contains(s.Name, "/") {
		v.fail("name", "%q is no server name: it is empty or has a /", s.Name)
	}
	v.unique(v.servers, "name", s.Name)
}

func (v *validator) tool(t *Tool) {
	if t.Name == "" {
		v.fail("name", "is empty")
	}
	if !v.servers.has(t.Server) {
		v.fail("server", "%s is not in the catalog", t.Server)
	}
	v.unique(v.tools, "name", t.ID())
	for i, s := range t.Samples {
		if v.hasTape && s.TapeKey == "" {
			v.fail(fmt.Sprintf("samples[%d].tape_key", i), "is empty")
		}
	}
}

func (v *validator) edge(e *Edge) {
	if id := e.FromServer + "/" + e.FromTool; !v.tools.has(id) {
		v.fail("from_tool", "%s is not in the catalog", id)
	}
	if id := e.ToServer + "/" + e.ToTool; !v.tools.has(id) {
		v.fail("to_tool", "%s is not in the catalog", id)
	}
	if e.FromPath != "" && e.FromPath[0] != '/' {
		v.fail("from_path", "%q is no path", e.FromPath)
	}
	if !strings.HasPrefix(e.ToParam, "/") {
		v.fail("to_param", "%q is no JSON Pointer", e.ToParam)
	}
	v.rate("score", e.Score)
}

func (v *validator) call(c *Call) {
	v.unique(v.tape, "key", c.Key)
	canonical, err := CanonicalJSON(c.Arguments)
	if err != nil {
		return // reported as invalid JSON
	}
	if canonical != c.Arguments {
		v.fail("arguments", "is not canonical: %s", shorten(c.Arguments, 80))
	} else if c.Key != CallKey(c.Server, c.Tool, c.Arguments, c.History) {
		v.fail("key", "is not the digest of server, tool, arguments and history")
	}
	if c.Result.ErrorKind != "" && !c.Result.IsError {
		v.fail("result.error_kind", "is %s, but the result is no error", c.Result.ErrorKind)
	}
}

func (v *validator) task(t *Task) {
	v.unique(v.tasks, "id", t.ID)
	for _, e := range CheckTask(t) {
		v.note(Problem{v.file, v.row, e.Field, e.Message})
	}
	if t.Split != v.part {
		v.fail("split", "is %q, but the file belongs to split %q", t.Split, v.part)
	}
	if v.hasTools {
		for i, id := range t.RequiredTools {
			if !v.tools.has(id) {
				v.fail(fmt.Sprintf("required_tools[%d]", i), "%s is not in the catalog", id)
			}
		}
		for i, id := range t.ExposedTools {
			if !v.tools.has(id) {
				v.fail(fmt.Sprintf("exposed_tools[%d]", i), "%s is not in the catalog", id)
			}
		}
	}
	for i, r := range t.Reference {
		if t.Proof == ProofExecuted && !v.tape.has(r.TapeKey) {
			v.fail(fmt.Sprintf("reference[%d].tape_key", i), "the call is not on the tape")
		}
	}
}

func (v *validator) trajectory(t *Trajectory) {
	if t.Run != v.part {
		v.fail("run", "is %q, but the folder is %q", t.Run, v.part)
	}
	if !v.tasks.has(t.Task) {
		v.fail("task", "%s does not exist", shorten(t.Task, 80))
	}
	if t.Attempt < 1 {
		v.fail("attempt", "is %d; attempts count from 1", t.Attempt)
	}
	v.unique(v.attempts, "task", t.Run, t.Agent, t.Model, t.Variant, strconv.Itoa(int(t.Attempt)), t.Task)
}

func (v *validator) score(s *Score) {
	if s.Run != v.part {
		v.fail("run", "is %q, but the folder is %q", s.Run, v.part)
	}
	if !v.tasks.has(s.Task) {
		v.fail("task", "%s does not exist", shorten(s.Task, 80))
	}
	if s.Value != nil && (math.IsNaN(*s.Value) || math.IsInf(*s.Value, 0)) {
		v.fail("value", "%v is no number; unscored is null", *s.Value)
	}
	if s.Denominator < 0 || s.Numerator < 0 || s.Numerator > s.Denominator && s.Denominator > 0 {
		v.fail("numerator", "%d of %d is no rate", s.Numerator, s.Denominator)
	}
}
