//go:build unix && !solaris && !aix

package mcpclient

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// leave makes a folder with files as a killed run leaves it.
func leave(t *testing.T, root string, files ...string) {
	t.Helper()
	for _, name := range files {
		name = filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte("process 1\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

func names(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, e := range entries {
		out = append(out, e.Name())
	}
	return out
}

func TestStaleDirectories(t *testing.T) {
	parent, elsewhere := t.TempDir(), t.TempDir()
	leave(t, filepath.Join(parent, "taskwright-0123456789ab"), "owner", "work/deep/file", "home/.cache/x")
	if err := os.Chmod(filepath.Join(parent, "taskwright-0123456789ab", "work", "deep"), 0o500); err != nil {
		t.Fatal(err)
	}
	keep := []string{"notes", "taskwright-0123456789ac", "taskwright-0123456789ad", "taskwright-0123456789ae", "taskwright-demo-123", "taskwright-0123456789abc"}
	leave(t, filepath.Join(parent, keep[0]), "owner")
	leave(t, filepath.Join(parent, keep[1]), "work/file") // nobody can say whose it is
	leave(t, elsewhere, "owner", "file")
	if err := os.Symlink(elsewhere, filepath.Join(parent, keep[2])); err != nil {
		t.Fatal(err)
	}
	leave(t, filepath.Join(parent, keep[3]), "work/file")
	if err := os.Symlink(filepath.Join(elsewhere, "owner"), filepath.Join(parent, keep[3], "owner")); err != nil {
		t.Fatal(err)
	}
	leave(t, filepath.Join(parent, keep[4]), "owner")
	leave(t, filepath.Join(parent, keep[5]), "owner")
	live, err := newPrivateDirs(Config{}, parent)
	if err != nil {
		t.Fatal(err)
	}
	keep = append(keep, filepath.Base(live.root))
	slices.Sort(keep)
	removeStale(parent)
	if got := names(t, parent); !slices.Equal(got, keep) {
		t.Errorf("there are %q, want %q", got, keep)
	}
	if got := names(t, elsewhere); len(got) != 2 {
		t.Errorf("behind a link there are %q", got)
	}
	if err := live.remove(); err != nil {
		t.Error(err)
	}
	removeStale(filepath.Join(parent, "nowhere"))
}

// TestKilledRun kills a program that has private directories: they stay while
// it lives and go at the next start of servers.
func TestKilledRun(t *testing.T) {
	parent := t.TempDir()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self)
	cmd.Env = append(os.Environ(), fakeMode+"=holds-dirs", fakeParent+"="+parent)
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	defer stdin.Close()
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(stdout).ReadString('\n')
	root := strings.TrimSpace(line)
	if err != nil || filepath.Dir(root) != parent {
		t.Errorf("said %q, %v", line, err)
	}
	openAndClose := func() {
		t.Helper()
		c := fakeConfig(t, "plain")
		f := Open(t.Context(), []Config{c}, &Options{TempDir: parent})
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	}
	openAndClose()
	if got := names(t, parent); !slices.Equal(got, []string{filepath.Base(root)}) {
		t.Errorf("beside a living program there are %q", got)
	}
	cmd.Process.Kill()
	cmd.Wait()
	openAndClose()
	if got := names(t, parent); len(got) != 0 {
		t.Errorf("after its end there are %q", got)
	}
}
