package tape

import "fmt"

// MissError says that a call is not on the tape and there is no server to ask.
type MissError struct {
	Server, Tool string
	Arguments    string // canonical JSON
	History      string // of the session on that server, "" at its start or without state
}

func (e *MissError) Error() string {
	arguments := e.Arguments
	if len(arguments) > 200 {
		arguments = arguments[:200] + "…"
	}
	after := ""
	if e.History != "" {
		after = " after the session's earlier calls"
	}
	return fmt.Sprintf("no recorded answer for %s/%s %s%s", e.Server, e.Tool, arguments, after)
}
