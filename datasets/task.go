package datasets

// Task is one task with everything that is known of it: how it was made, what
// proves it, why it was kept or dropped.
//
// The agent sees the text of a [Variant]; a judge sees Instruction. Never the
// other way round.
type Task struct {
	ID                 string      `parquet:"id" json:"id"`                              // digest of chain, values and seed
	Servers            []string    `parquet:"servers,list" json:"servers"`               // servers of the required tools, sorted
	RequiredTools      []string    `parquet:"required_tools,list" json:"required_tools"` // "server/tool", in chain order, once each
	DistractorServers  []string    `parquet:"distractor_servers,list" json:"distractor_servers"`
	ExposedTools       []string    `parquet:"exposed_tools,list" json:"exposed_tools"` // "server/tool", what an agent may call
	Pattern            string      `parquet:"pattern" json:"pattern"`                  // single, linear, parallel or hybrid
	Depth              int32       `parquet:"depth" json:"depth"`                      // steps on the longest dependency path
	Width              int32       `parquet:"width" json:"width"`                      // most steps that can run at once
	CrossServer        bool        `parquet:"cross_server" json:"cross_server"`        // a value flows between servers
	Chain              []Step      `parquet:"chain,list" json:"chain"`
	DependencyAnalysis string      `parquet:"dependency_analysis" json:"dependency_analysis"` // prose for a judge
	Instruction        string      `parquet:"instruction" json:"instruction"`                 // concrete description; for a judge, not for the agent
	Outline            []Part      `parquet:"outline,list" json:"outline"`                    // the parts that the instruction was built from
	Variants           []Variant   `parquet:"variants,list" json:"variants"`
	Claims             []Claim     `parquet:"claims,list" json:"claims"`
	Reference          []Executed  `parquet:"reference,list" json:"reference"` // the executed chain, one entry for each step
	ReferenceAnswer    string      `parquet:"reference_answer" json:"reference_answer"`
	Checks             []Check     `parquet:"checks,list" json:"checks"`
	Scores             []Judgement `parquet:"scores,list" json:"scores"`   // one row for each judge and pass
	Status             string      `parquet:"status" json:"status"`        // candidate, accepted or rejected
	Reasons            []string    `parquet:"reasons,list" json:"reasons"` // why it was rejected; "check: detail"
	Proof              string      `parquet:"proof" json:"proof"`          // executed, or none for tasks from catalogs alone
	Reviews            []Review    `parquet:"reviews,list" json:"reviews"`
	Split              string      `parquet:"split" json:"split"`
	Provenance         Provenance  `parquet:"provenance" json:"provenance"`
}

// Task patterns, status and proof values.
const (
	PatternSingle   = "single"   // one call
	PatternLinear   = "linear"   // each step feeds the next
	PatternParallel = "parallel" // independent branches
	PatternHybrid   = "hybrid"   // branches that share or join values

	StatusCandidate = "candidate"
	StatusAccepted  = "accepted"
	StatusRejected  = "rejected"

	ProofExecuted = "executed"
	ProofNone     = "none"

	SplitCandidates = "candidates" // the split of a task until `datasets split` assigns another
)

// Step is one tool call of a chain.
type Step struct {
	Server    string     `parquet:"server" json:"server"`
	Tool      string     `parquet:"tool" json:"tool"`
	Arguments []Argument `parquet:"arguments,list" json:"arguments"`
}

// ID is the step's tool as "server/tool".
func (s *Step) ID() string { return s.Server + "/" + s.Tool }

// Argument says what is sent for one parameter of a step and where it comes from.
type Argument struct {
	Path   string `parquet:"path" json:"path"`     // JSON Pointer into the call's arguments, "/park_id"
	Source string `parquet:"source" json:"source"` // constant, step, default or inferred
	Value  string `parquet:"value" json:"value"`   // JSON value sent in the reference run
	Said   string `parquet:"said" json:"said"`     // for a constant: how the instruction states it ("Utah" for "UT"), "" if as it is
	Step   int32  `parquet:"step" json:"step"`     // for source step: the earlier step's number, else 0
	From   string `parquet:"from" json:"from"`     // path into that step's output document
	Pick   string `parquet:"pick" json:"pick"`     // only, first, largest, smallest, equal or all
	By     string `parquet:"by" json:"by"`         // path of the field that decides, for largest, smallest and equal
	Equal  string `parquet:"equal" json:"equal"`   // JSON value that By must have, for equal
}

// Sources of an argument, and rules that pick one of many values.
const (
	SourceConstant = "constant" // stated by the text
	SourceStep     = "step"     // delivered by an earlier step
	SourceDefault  = "default"  // the schema's default, or any value does
	SourceInferred = "inferred" // follows from a value of an earlier step: the unit of the number that is passed on

	PickOnly     = "only"     // From has no "*"
	PickFirst    = "first"    // the first element
	PickLargest  = "largest"  // the element whose By is largest
	PickSmallest = "smallest" // the element whose By is smallest
	PickEqual    = "equal"    // the element whose By equals Equal
	PickAll      = "all"      // every element, as an array
)

// Part is a piece of the instruction in forms that a rewriter can recombine
// without a model. Together the asks and givens state every constant.
type Part struct {
	Role     string   `parquet:"role" json:"role"`          // reason, given, deed or ask
	Step     int32    `parquet:"step" json:"step"`          // the step that answers an ask or does a deed, 0 otherwise
	Text     string   `parquet:"text" json:"text"`          // full form; for an ask a noun phrase, "the distance from X to Y in kilometres"; for a deed an infinitive clause
	Question string   `parquet:"question" json:"question"`  // an ask as a question without its mark, "" if none
	Brief    string   `parquet:"brief" json:"brief"`        // shortest form that keeps every value
	Claims   []string `parquet:"claims,list" json:"claims"` // ids of the claims that answer an ask
}

// Roles of a part.
const (
	RoleReason = "reason" // why the person wants it
	RoleGiven  = "given"  // a circumstance that holds for all asks
	RoleDeed   = "deed"   // something to be done, an infinitive clause: "add a stay of two nights to it"
	RoleAsk    = "ask"    // something that the answer must contain
)

// Variant is the instruction as an agent gets it.
type Variant struct {
	Level   string   `parquet:"level" json:"level"` // light, medium or heavy
	Text    string   `parquet:"text" json:"text"`
	Author  string   `parquet:"author" json:"author"` // phrasebank, or the model
	Prompt  string   `parquet:"prompt" json:"prompt"` // digest of the prompt, "" without a model
	Status  string   `parquet:"status" json:"status"` // accepted or rejected
	Reasons []string `parquet:"reasons,list" json:"reasons"`
	Checks  []Check  `parquet:"checks,list" json:"checks"`
}

// Fuzzy levels, from the concrete to the terse. LevelConcrete is not a
// variant: it names the instruction itself where a level is asked for.
const (
	LevelLight    = "light"
	LevelMedium   = "medium"
	LevelHeavy    = "heavy"
	LevelConcrete = "concrete"
)

// Executed is one call of the reference trajectory.
type Executed struct {
	Step      int32  `parquet:"step" json:"step"`
	Server    string `parquet:"server" json:"server"`
	Tool      string `parquet:"tool" json:"tool"`
	Arguments string `parquet:"arguments" json:"arguments"` // JSON object as sent
	Output    string `parquet:"output" json:"output"`       // output document (see [Document]) as JSON
	TapeKey   string `parquet:"tape_key" json:"tape_key"`   // Call.Key of the recorded answer
}

// Check is the outcome of one test of a task or a variant.
type Check struct {
	Name   string `parquet:"name" json:"name"` // schema, reference, oracle, null, single-call, literals, leaks …
	Passed bool   `parquet:"passed" json:"passed"`
	Detail string `parquet:"detail" json:"detail"`
}

// Judgement is one score of one judge in one pass, from 1 to 10.
type Judgement struct {
	Axis      string  `parquet:"axis" json:"axis"` // solvability or utility
	Value     float64 `parquet:"value" json:"value"`
	Judge     string  `parquet:"judge" json:"judge"`
	Pass      int32   `parquet:"pass" json:"pass"`
	Prompt    string  `parquet:"prompt" json:"prompt"` // prompt digest
	Rationale string  `parquet:"rationale" json:"rationale"`
}

// Review is one person's decision on a task.
type Review struct {
	Reviewer string `parquet:"reviewer" json:"reviewer"`
	Decision string `parquet:"decision" json:"decision"` // accept, reject or edit
	Edits    string `parquet:"edits" json:"edits"`       // JSON object of field to new value
	Note     string `parquet:"note" json:"note"`
	Time     int64  `parquet:"time,timestamp(microsecond)" json:"time"` // microseconds since 1970, UTC
}

// Provenance says how a task was made.
type Provenance struct {
	Author  string   `parquet:"author" json:"author"`        // grounded, free or import:<format>
	Model   string   `parquet:"model" json:"model"`          // "" without a model
	Prompts []string `parquet:"prompts,list" json:"prompts"` // digests of the prompts used
	Seed    int64    `parquet:"seed" json:"seed"`
	Version string   `parquet:"version" json:"version"` // taskwright version
	Catalog string   `parquet:"catalog" json:"catalog"` // digest of the catalog
	Source  string   `parquet:"source" json:"source"`   // original id of an imported task
	Cost    float64  `parquet:"cost" json:"cost"`       // US dollars
}
