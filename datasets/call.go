package datasets

// ToolResult is the answer of one tool call, as the server gave it. Text,
// structured content and the error flag are kept apart.
type ToolResult struct {
	Text         string   `parquet:"text" json:"text"`                        // text blocks, joined by a newline
	Structured   string   `parquet:"structured" json:"structured"`            // structuredContent as JSON, "null" if none
	ContentTypes []string `parquet:"content_types,list" json:"content_types"` // type of each content block; images and resources are named, not kept
	IsError      bool     `parquet:"is_error" json:"is_error"`
	ErrorKind    string   `parquet:"error_kind" json:"error_kind"` // "", tool, protocol, unknown_tool
	Truncated    bool     `parquet:"truncated" json:"truncated"`   // the text was cut at the size limit
}

// Error kinds of a result. What never reached the server (a dead process, a
// time limit, a tape without the call) is a Go error, not a result.
const (
	ErrorTool        = "tool"         // isError result
	ErrorProtocol    = "protocol"     // JSON-RPC error
	ErrorUnknownTool = "unknown_tool" // no such tool in the catalog or on the server
)

// Call is one recorded tool call, a row of the tape. Key is [CallKey] of the
// other fields that can change the answer.
type Call struct {
	Key       string     `parquet:"key" json:"key"`
	Server    string     `parquet:"server" json:"server"`
	Tool      string     `parquet:"tool" json:"tool"`
	Arguments string     `parquet:"arguments" json:"arguments"` // canonical JSON object
	History   string     `parquet:"history" json:"history"`     // digest of the session's earlier calls to a server with state, else ""
	Result    ToolResult `parquet:"result" json:"result"`
	Volatile  bool       `parquet:"volatile" json:"volatile"` // a repetition gave another answer
}
