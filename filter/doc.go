// Package filter decides which candidates enter a split, and says why.
//
// A candidate passes through checks in a fixed order: its shape against the
// catalog (checks.go), the proof by execution (proof.go), and the thresholds
// on judges' scores (threshold.go). Every check is recorded in the task,
// passed or not; a task that fails one is rejected with the check's name and
// detail as its reason, and stays in the table. Thresholds apply only where
// scores exist: an unscored task is reported as unscored, not as 0 or 10.
//
// [Rethreshold] applies other thresholds to tasks that were filtered before.
// It needs neither a model nor a server.
package filter
