package mcpclient

import (
	"os"
	"path/filepath"
	"regexp"
)

// ownerFile lies beside the private directories of a process. The program that
// made them holds a lock on it while it lives, so that the directories of one
// that was killed can be told from those of one that works, whatever has become
// of its process number since. Nobody reads its content but people.
const ownerFile = "owner"

// privateName is the name of what newPrivateDirs makes.
var privateName = regexp.MustCompile(`^taskwright-[0-9a-f]{12}$`)

// maxTempNames bounds how many names of the temporary folder are looked at.
const maxTempNames = 100_000

// removeStale deletes the private directories that killed runs left below
// parent. What cannot be told, read or deleted stays; that is no error. It may
// run in several programs at once.
func removeStale(parent string) {
	d, err := os.Open(parent)
	if err != nil {
		return
	}
	names, _ := d.Readdirnames(maxTempNames) // an error leaves those read so far
	d.Close()
	for _, name := range names {
		if privateName.MatchString(name) {
			removeIfStale(filepath.Join(parent, name))
		}
	}
}

func removeIfStale(root string) {
	if !ownDirectory(root) {
		return
	}
	owner := lockOwner(filepath.Join(root, ownerFile))
	if owner == nil {
		return // it works, or nobody can say
	}
	defer owner.Close()
	(&privateDirs{root: root}).remove()
}

// tempParent is where private directories are made: parent, or the system's
// temporary folder, without symbolic links.
func tempParent(parent string) (string, error) {
	if parent == "" {
		parent = os.TempDir()
	}
	return filepath.EvalSymlinks(parent)
}
