package datasets

// Trajectory is one attempt of one agent at one task.
type Trajectory struct {
	Run          string    `parquet:"run" json:"run"`
	Task         string    `parquet:"task" json:"task"`
	Agent        string    `parquet:"agent" json:"agent"`     // oracle, null, single, tools, planner or external
	Model        string    `parquet:"model" json:"model"`     // "" without a model
	Variant      string    `parquet:"variant" json:"variant"` // level of the text that the agent got
	Attempt      int32     `parquet:"attempt" json:"attempt"` // from 1
	Rounds       int32     `parquet:"rounds" json:"rounds"`
	Calls        []Action  `parquet:"calls,list" json:"calls"`
	Messages     []Message `parquet:"messages,list" json:"messages"`
	Answer       string    `parquet:"answer" json:"answer"`
	StopReason   string    `parquet:"stop_reason" json:"stop_reason"` // answered, budget_*, stalled, infra_failed or cancelled
	Error        string    `parquet:"error" json:"error"`             // for infra_failed: what failed
	InputTokens  int64     `parquet:"input_tokens" json:"input_tokens"`
	OutputTokens int64     `parquet:"output_tokens" json:"output_tokens"`
	Cost         float64   `parquet:"cost" json:"cost"` // US dollars
	Started      int64     `parquet:"started,timestamp(microsecond)" json:"started"`
	Duration     int64     `parquet:"duration" json:"duration"` // microseconds
}

// Stop reasons of a trajectory.
const (
	StopAnswered     = "answered"
	StopBudgetCalls  = "budget_calls"
	StopBudgetRounds = "budget_rounds"
	StopBudgetTime   = "budget_time"
	StopStalled      = "stalled"
	StopInfraFailed  = "infra_failed" // never scored
	StopCancelled    = "cancelled"    // never scored
)

// Action is one tool call of a trajectory.
type Action struct {
	Round          int32      `parquet:"round" json:"round"` // from 1; calls of one round run in parallel
	Server         string     `parquet:"server" json:"server"`
	Tool           string     `parquet:"tool" json:"tool"`
	Arguments      string     `parquet:"arguments" json:"arguments"` // JSON as sent, valid or not by the schema
	Result         ToolResult `parquet:"result" json:"result"`
	NameValid      bool       `parquet:"name_valid" json:"name_valid"`           // the tool was exposed
	ArgumentsValid bool       `parquet:"arguments_valid" json:"arguments_valid"` // the arguments fit its input schema
	Tape           bool       `parquet:"tape" json:"tape"`                       // answered from the tape
	Started        int64      `parquet:"started,timestamp(microsecond)" json:"started"`
	Duration       int64      `parquet:"duration" json:"duration"` // microseconds
}

// Message is one message of an agent's conversation.
type Message struct {
	Role    string `parquet:"role" json:"role"`       // system, user, assistant or tool
	Content string `parquet:"content" json:"content"` // text
	Calls   string `parquet:"calls" json:"calls"`     // tool calls as JSON, "null" if none
}

// Score is what one scorer said of one trajectory, one row for each figure.
type Score struct {
	Run         string   `parquet:"run" json:"run"`
	Task        string   `parquet:"task" json:"task"`
	Agent       string   `parquet:"agent" json:"agent"`
	Model       string   `parquet:"model" json:"model"`
	Variant     string   `parquet:"variant" json:"variant"`
	Attempt     int32    `parquet:"attempt" json:"attempt"`
	Scorer      string   `parquet:"scorer" json:"scorer"`           // rule, claim, rubric or diagnosis
	Name        string   `parquet:"name" json:"name"`               // metric name, or the claim's id
	Value       *float64 `parquet:"value,optional" json:"value"`    // null when unscored or when the denominator is empty
	Outcome     string   `parquet:"outcome" json:"outcome"`         // for claims: fulfilled …; for metrics "" or unscored
	Numerator   int64    `parquet:"numerator" json:"numerator"`     // for rates, else 0
	Denominator int64    `parquet:"denominator" json:"denominator"` // for rates; 0 means that there was nothing to rate
	Detail      string   `parquet:"detail" json:"detail"`           // why
}

// Run describes one evaluation run; it is stored as runs/<run>/run.json.
type Run struct {
	ID       string            `json:"run"`
	Agent    string            `json:"agent"`
	Model    string            `json:"model"`
	Variant  string            `json:"variant"`
	Attempts int               `json:"attempts"`
	Offline  bool              `json:"offline"`
	Judge    string            `json:"judge"`
	Seed     int64             `json:"seed"`
	Options  map[string]string `json:"options,omitempty"`
	Version  string            `json:"version"`
	Started  string            `json:"started"`  // RFC 3339
	Finished string            `json:"finished"` // RFC 3339
	Summary  Summary           `json:"summary"`
}

// Summary is what a run comes to. Unscored trajectories are in no rate.
type Summary struct {
	Tasks    int                 `json:"tasks"`
	Scored   int                 `json:"scored"`
	Unscored int                 `json:"unscored"`
	Passed   int                 `json:"passed"`
	PassRate *float64            `json:"pass_rate"` // null when nothing was scored
	Coverage *float64            `json:"coverage"`  // mean claim coverage over scored trajectories
	Metrics  map[string]*float64 `json:"metrics"`
}
