package datasets

// Server is one MCP server of the catalog.
type Server struct {
	Name         string   `parquet:"name" json:"name"`                 // key in mcp.json, or the embedded server's name
	Title        string   `parquet:"title" json:"title"`               // serverInfo.title, else serverInfo.name
	Version      string   `parquet:"version" json:"version"`           // serverInfo.version
	Protocol     string   `parquet:"protocol" json:"protocol"`         // negotiated protocol revision
	Transport    string   `parquet:"transport" json:"transport"`       // stdio, http, sse, memory or catalog
	Instructions string   `parquet:"instructions" json:"instructions"` // what the server says about its own use
	Status       string   `parquet:"status" json:"status"`             // ok, failed, died or catalog
	Error        string   `parquet:"error" json:"error"`               // why it is not ok
	State        string   `parquet:"state" json:"state"`               // none or session: whether calls change what later calls return
	Tools        int32    `parquet:"tools" json:"tools"`               // number of tools listed
	Warnings     []string `parquet:"warnings,list" json:"warnings"`    // oddities that did not stop it
	Digest       string   `parquet:"digest" json:"digest"`             // over name, version and the digests of its tools
}

// Server status and state values.
const (
	ServerOK      = "ok"      // started and listed its tools
	ServerFailed  = "failed"  // did not start or did not list
	ServerDied    = "died"    // listed its tools, then went away while probed
	ServerCatalog = "catalog" // known from a saved list only

	StateNone    = "none"    // an answer depends on the arguments alone
	StateSession = "session" // an answer may depend on earlier calls of the session
)

// Tool is one tool of one server.
type Tool struct {
	Server             string   `parquet:"server" json:"server"`
	Name               string   `parquet:"name" json:"name"`
	Title              string   `parquet:"title" json:"title"`
	Description        string   `parquet:"description" json:"description"`
	InputSchema        string   `parquet:"input_schema" json:"input_schema"`                 // JSON Schema; always an object
	OutputSchema       string   `parquet:"output_schema" json:"output_schema"`               // JSON Schema of the output document, "null" if unknown
	OutputSchemaSource string   `parquet:"output_schema_source" json:"output_schema_source"` // declared, observed, described or none
	Annotations        string   `parquet:"annotations" json:"annotations"`                   // MCP tool annotations as JSON, "null" if none
	Effect             string   `parquet:"effect" json:"effect"`                             // read, write or unknown
	Digest             string   `parquet:"digest" json:"digest"`                             // over all of the above; detects drift
	Warnings           []string `parquet:"warnings,list" json:"warnings"`                    // what is odd about the tool's declaration
	Health             Health   `parquet:"health" json:"health"`
	Samples            []Sample `parquet:"samples,list" json:"samples"` // bounded number of calls that succeeded
}

// ID is the tool's name within a dataset: "server/tool".
func (t *Tool) ID() string { return t.Server + "/" + t.Name }

// Where an output schema came from, and what a tool does to the world.
const (
	SchemaDeclared  = "declared"  // the server stated it
	SchemaObserved  = "observed"  // inferred from answers
	SchemaDescribed = "described" // read out of the description
	SchemaNone      = "none"

	EffectRead    = "read"    // marked read-only
	EffectWrite   = "write"   // marked as changing or destroying something
	EffectUnknown = "unknown" // not marked
)

// Health says what probing a tool showed.
type Health struct {
	Status   string `parquet:"status" json:"status"`     // untested, ok, failing or skipped
	Detail   string `parquet:"detail" json:"detail"`     // first error, or why it was skipped
	Calls    int32  `parquet:"calls" json:"calls"`       // probe calls made
	Errors   int32  `parquet:"errors" json:"errors"`     // of which answered with an error
	Volatile bool   `parquet:"volatile" json:"volatile"` // the same call gave different answers
	NoInput  bool   `parquet:"no_input" json:"no_input"` // the tool takes no parameters
}

// Health status values.
const (
	HealthUntested = "untested" // not called: probing was off or the server was not live
	HealthOK       = "ok"       // at least one call succeeded
	HealthFailing  = "failing"  // was called and never succeeded
	HealthSkipped  = "skipped"  // not called because it is not marked read-only and not allowed
)

// Sample is a probe call that succeeded; its answer is on the tape.
type Sample struct {
	Arguments string `parquet:"arguments" json:"arguments"` // JSON object
	TapeKey   string `parquet:"tape_key" json:"tape_key"`   // Call.Key of the recorded answer
}

// Edge says that a value in one tool's output can be an argument of another.
type Edge struct {
	FromServer string  `parquet:"from_server" json:"from_server"`
	FromTool   string  `parquet:"from_tool" json:"from_tool"`
	FromPath   string  `parquet:"from_path" json:"from_path"` // path into the output document, "*" for array elements
	ToServer   string  `parquet:"to_server" json:"to_server"`
	ToTool     string  `parquet:"to_tool" json:"to_tool"`
	ToParam    string  `parquet:"to_param" json:"to_param"` // JSON Pointer into the arguments, "/park_id"
	Kind       string  `parquet:"kind" json:"kind"`         // schema, declared, observed, verified or proposed
	Score      float64 `parquet:"score" json:"score"`       // 0..1
	Evidence   string  `parquet:"evidence" json:"evidence"` // in words, or the value seen flowing
}

// Edge kinds, from weakest to strongest support within a catalog.
const (
	EdgeProposed = "proposed" // a model said so
	EdgeSchema   = "schema"   // names and types agree; the output schema is not declared
	EdgeDeclared = "declared" // names and types agree with a declared output schema
	EdgeObserved = "observed" // the value was returned by one tool and accepted by the other
	EdgeVerified = "verified" // an executed chain used it
)
