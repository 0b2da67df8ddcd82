// Package world holds the embedded MCP servers: small, honest servers written
// in Go with real facts, made to be composed with each other. They run in
// process over the SDK's in-memory transport, or alone over stdio through
// [Serve], so that any MCP client can use them.
//
// Facts live in CSV files under data; each server has one Go file that says
// which tools it offers. A tool is a declaration (name, parameters, function):
// the schema that clients see and the check of the arguments that a call
// brings come from the same declaration. Nothing reads a clock or a random
// source: the same calls in the same order give the same answers.
//
// The servers are like real ones where that matters. Most declare no output
// schema; some answer in text; most report errors as results, one as JSON-RPC
// errors; one pages its results, another its list of tools; names collide
// across servers; one carries no annotations; one has state.
package world
