package datasets

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// The rows of BenchmarkWriteTasks/10000 in other hands, to compare with.
const baselineRows = 10_000

// BenchmarkBaselineJSONLines writes and reads the rows as gzipped JSON lines.
func BenchmarkBaselineJSONLines(b *testing.B) {
	path := filepath.Join(b.TempDir(), "tasks.jsonl.gz")
	b.Run("write", func(b *testing.B) {
		b.SetBytes(baselineRows * benchTaskBytes())
		for b.Loop() {
			writeLines(b, path)
		}
		info, err := os.Stat(path)
		must(b, err)
		b.ReportMetric(float64(info.Size())/1e6, "file-MB")
	})
	b.Run("read", func(b *testing.B) {
		b.SetBytes(baselineRows * benchTaskBytes())
		for b.Loop() {
			readLines(b, path)
		}
	})
}

func writeLines(b *testing.B, path string) {
	f, err := os.Create(path)
	must(b, err)
	zip, err := gzip.NewWriterLevel(f, gzip.BestSpeed)
	must(b, err)
	out := json.NewEncoder(zip)
	for row, err := range benchTasks(baselineRows) {
		must(b, err)
		must(b, out.Encode(row))
	}
	must(b, zip.Close())
	must(b, f.Close())
}

func readLines(b *testing.B, path string) {
	f, err := os.Open(path)
	must(b, err)
	defer f.Close()
	zip, err := gzip.NewReader(bufio.NewReader(f))
	must(b, err)
	in := json.NewDecoder(zip)
	for {
		var t Task
		if err := in.Decode(&t); err == io.EOF {
			return
		} else {
			must(b, err)
		}
	}
}

// arrowSeconds prints the best of three times that pyarrow takes to write the
// rows, which it has in memory, and to read them, and the size of its file.
const arrowSeconds = `
import os, sys, time, pyarrow.parquet as pq
table = pq.read_table(sys.argv[1])
def best(f):
    times = []
    for _ in range(3):
        start = time.perf_counter(); f(); times.append(time.perf_counter() - start)
    return min(times)
out = sys.argv[1] + ".arrow"
print(best(lambda: pq.write_table(table, out, compression="zstd", compression_level=1, row_group_size=1000, write_page_checksum=True)))
print(best(lambda: pq.read_table(out, use_threads=False)))
print(os.path.getsize(out))
`

// BenchmarkBaselineArrow has pyarrow write and read the rows.
func BenchmarkBaselineArrow(b *testing.B) {
	python := findPython()
	if python == "" {
		missing(b, "python", "ci/interop/.venv with pyarrow")
	}
	path := filepath.Join(b.TempDir(), "tasks.parquet")
	_, err := WriteFile(path, benchTasks(baselineRows), nil)
	must(b, err)
	for b.Loop() {
		out, err := exec.Command(python, "-c", arrowSeconds, path).Output()
		must(b, err)
		var figures []float64
		for _, line := range strings.Fields(string(out)) {
			v, err := strconv.ParseFloat(line, 64)
			must(b, err)
			figures = append(figures, v)
		}
		mb := float64(baselineRows*benchTaskBytes()) / 1e6
		b.ReportMetric(mb/figures[0], "write-MB/s")
		b.ReportMetric(mb/figures[1], "read-MB/s")
		b.ReportMetric(figures[2]/1e6, "file-MB")
	}
}
