// Package mcpclient starts and calls MCP servers, and lives with what real
// servers do: lines on stdout that are no messages, exits, silence, huge
// answers, odd schemas and four ways of saying "error".
//
// A [Config] says how one server is reached: a process that speaks over its
// standard streams, a URL (streamable HTTP or SSE), or a server in this
// process. [ReadConfig] and [ParseConfig] read them from an mcp.json file.
// [Open] starts a [Fleet] of them; [Fleet.Catalog] lists their tools,
// [Fleet.Shared] and [Fleet.Fresh] give connections to call.
//
// What a call returns is either the server's answer, a [datasets.ToolResult],
// where "the tool said no" is an answer too, or a Go error, an [*Error], when
// there was no answer: the process died, the time limit passed, the network
// failed.
//
// A process gets its own home, working and temporary directory, an environment
// of nothing but PATH, the locale and what its Config lists, and its own
// process group, which is gone when Close returns. Answers and arguments hold
// the virtual paths [VirtualWork], [VirtualHome] and [VirtualTemp] in place of
// the private directories, so that a recorded call means the same on every
// machine.
//
// This is the only package on the client's side that imports the MCP SDK. It
// takes the raw answers from the SDK's connection before the SDK decodes them,
// because one odd tool or content block would otherwise lose the whole answer.
package mcpclient
