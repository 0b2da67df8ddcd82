package datasets_test

import (
	"fmt"
	"log"
	"os"

	"github.com/taskwright/taskwright/datasets"
)

// A table is replaced in a transaction: readers see all of it or nothing.
func Example() {
	dir, err := os.MkdirTemp("", "dataset")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)

	d, err := datasets.Create(dir)
	if err != nil {
		log.Fatal(err)
	}
	defer d.Close()
	tx, err := d.Begin()
	if err != nil {
		log.Fatal(err)
	}
	defer tx.Rollback() // does nothing after Commit
	tasks := []datasets.Task{{ID: "t1", Status: datasets.StatusAccepted}, {ID: "t2", Status: datasets.StatusRejected}}
	if err := tx.WriteTasks(datasets.All(tasks)); err != nil {
		log.Fatal(err)
	}
	if err := tx.Commit(datasets.StageLog{Stage: "generate", Seed: 1, Done: 2}); err != nil {
		log.Fatal(err)
	}

	// Only the columns that the struct names are read.
	type row struct {
		ID     string `parquet:"id"`
		Status string `parquet:"status"`
	}
	for r, err := range datasets.Rows[row](d, datasets.TableTasks) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(r.ID, r.Status)
	}
	// Output:
	// t1 accepted
	// t2 rejected
}
