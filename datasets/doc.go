// Package datasets is the one format that every stage of taskwright reads and
// writes: the rows, their Parquet files, the directory that holds them, and
// the rules that say when a row is right.
//
// A dataset is made in five steps, and each step only adds to it:
//
//  1. discover writes [Server], [Tool] and [Edge] rows (catalog/) and the tool
//     calls that it made ([Call], tape/);
//  2. generate writes [Task] rows with status candidate (tasks/);
//  3. filter turns candidates into accepted or rejected tasks, with reasons;
//  4. fuzz adds a [Variant] for each level and completes the [Claim] list;
//  5. evaluate writes [Trajectory] and [Score] rows for each run (runs/).
//
// Stages never import each other. They meet here, and this package imports
// nothing but the standard library and parquet-go.
//
// A [Dir] is a dataset that is open: [Open] or [Create] one, range over
// [Dir.Tasks] and its like, replace tables with [Dir.Begin], the Write methods
// of [Tx], and [Tx.Commit]. [Read] and [WriteFile] do without a directory.
//
// Conventions that hold for all rows: a JSON value travels as a string that is
// always valid JSON ("null" when there is none); paths into JSON documents are
// JSON Pointers (RFC 6901) in which a "*" segment stands for every element of
// an array; step numbers start at 1; times are UTC with microseconds.
package datasets
