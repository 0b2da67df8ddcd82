package datasets

import (
	"fmt"
	"strconv"
	"strings"
)

// FormatVersion is the version of the dataset format that this package writes,
// as major.minor. A minor step only adds columns or files, which older readers
// ignore and older writers keep; a major step may change what is there, and is
// refused by older readers.
const FormatVersion = "1.0"

// Release is the version of taskwright itself.
const Release = "0.1.0"

// Producer names the program in the metadata of every file that it writes.
const Producer = "taskwright " + Release

// Canary marks every dataset, so that training corpora that took in a task
// split by mistake can be found.
const Canary = "taskwright task data must not be in training corpora; canary 5f0c7d1e-93a4-4f6b-8d57-2c6e1b0a94f3"

// Keys of the key/value metadata of every Parquet file of a dataset.
const (
	MetaFormat   = "taskwright.format"   // format version, "1.0"
	MetaProducer = "taskwright.producer" // program and release that wrote the file
	MetaTable    = "taskwright.table"    // table that the file belongs to
	MetaStatus   = "taskwright.status"   // tasks only: JSON object of status to number of rows
)

// parseFormat splits a format version into its two numbers.
func parseFormat(v string) (major, minor int, err error) {
	a, b, ok := strings.Cut(v, ".")
	if ok {
		if major, err = strconv.Atoi(a); err == nil {
			minor, err = strconv.Atoi(b)
		}
	}
	if !ok || err != nil || major < 0 || minor < 0 {
		return 0, 0, fmt.Errorf("format version %q is not major.minor", v)
	}
	return major, minor, nil
}

// checkFormat says whether this package can read a format version.
func checkFormat(v string) error {
	major, _, err := parseFormat(v)
	if err != nil {
		return err
	}
	if ours, _, _ := parseFormat(FormatVersion); major != ours {
		return fmt.Errorf("dataset format %s, but taskwright %s reads format %d.x: use a release that knows format %d", v, Release, ours, major)
	}
	return nil
}

// newerFormat is the newer of two versions of one major format.
func newerFormat(a, b string) string {
	_, x, errA := parseFormat(a)
	_, y, errB := parseFormat(b)
	if errA == nil && (errB != nil || x > y) {
		return a
	}
	return b
}
