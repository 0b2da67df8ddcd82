// Package tape records tool calls and plays them back. Every answer that a
// dataset rests on is on its tape, so that a task can be tried again without
// the servers that made it.
//
// A [Tape] holds calls by key ([datasets.CallKey]). A [Session] asks it: what
// is on the tape, or in the journal of an earlier run, is answered from there;
// the rest goes to the live server, if there is one, and is recorded. Without
// live servers a call that was never recorded is a [*MissError].
//
// A server without state answers by the arguments alone: its history is "",
// one connection serves all sessions, and sessions that ask for the same key
// at once share one live call. A server with state gets a connection for each
// session, and the history of a call covers the session's earlier calls on
// that server, except those of tools that only read. When a session was
// answered from the tape so far and then misses, its earlier calls on that
// server are made again, in order, before the missing one, so that the server
// is in the state that the session has seen.
//
// What never reached a result (a cancelled context, a dead process, a time
// limit) is a Go error and is not recorded.
package tape
