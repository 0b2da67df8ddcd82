package mcpclient

import (
	"bufio"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestSeed(t *testing.T) {
	outside := t.TempDir()
	write := func(dir, name, text string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o400); err != nil {
			t.Fatal(err)
		}
	}
	write(outside, "secret", "x")
	tests := []struct {
		name, link, want string
	}{
		{"inside", "sub/file", ""},
		{"up and in again", "sub/../sub/file", ""},
		{"outside", filepath.Join(outside, "secret"), "points outside"},
		{"relative outside", "../../" + filepath.Base(outside), "points outside"},
		{"dangling", "nowhere", "no such file"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			seed, parent := t.TempDir(), t.TempDir()
			write(seed, "sub/file", "text")
			link := test.link
			if test.name == "relative outside" {
				var err error
				if link, err = filepath.Rel(seed, outside); err != nil {
					t.Fatal(err)
				}
			}
			if err := os.Symlink(link, filepath.Join(seed, "link")); err != nil {
				t.Fatal(err)
			}
			d, err := newPrivateDirs(Config{Seed: seed}, parent)
			if test.want != "" {
				if err == nil || !strings.Contains(err.Error(), test.want) {
					t.Errorf("got %v", err)
				}
			} else if raw, err := os.ReadFile(filepath.Join(d.work, "link")); err != nil || string(raw) != "text" {
				t.Errorf("got %q, %v", raw, err)
			}
			if d != nil {
				if err := d.remove(); err != nil {
					t.Error(err)
				}
			}
			if left, err := os.ReadDir(parent); err != nil || len(left) > 0 {
				t.Errorf("left behind: %v, %v", left, err)
			}
		})
	}
	if _, err := newPrivateDirs(Config{Seed: filepath.Join(outside, "none")}, t.TempDir()); err == nil {
		t.Error("a seed that is not there")
	}
}

func TestOwnAndGivenDirectories(t *testing.T) {
	given, parent := t.TempDir(), t.TempDir()
	d, err := newPrivateDirs(Config{Dir: given, Env: map[string]string{"HOME": given}}, parent)
	if err != nil {
		t.Fatal(err)
	}
	if out, _ := virtualPaths(d); out.text(given) != given {
		t.Errorf("the author's own folder became %s", out.text(given))
	}
	if err := d.remove(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(given); err != nil {
		t.Errorf("the author's own folder: %v", err)
	}
	d, err = newPrivateDirs(Config{Dir: "${WORKDIR}/deep/er"}, parent)
	if err != nil {
		t.Fatal(err)
	}
	defer d.remove()
	if info, err := os.Stat(d.work); err != nil || !info.IsDir() || !strings.HasSuffix(d.work, "/deep/er") {
		t.Errorf("got %s: %v", d.work, err)
	}
}

func TestVirtualPaths(t *testing.T) {
	d := &privateDirs{work: "/t/r/work", home: "/t/r/home", temp: "/t/r/temp", ownWork: true, ownHome: true}
	out, in := virtualPaths(d)
	tests := []struct{ real, virtual string }{
		{"/t/r/work", "/workspace"},
		{"/t/r/work/a b.txt, /t/r/home.", "/workspace/a b.txt, /home/user."},
		{"file:///t/r/work/x", "file:///workspace/x"},
		{"(/t/r/temp)", "(/tmp/user)"},
		{"/t/r/workshop", "/t/r/workshop"},
		{"在/t/r/work。", "在/workspace。"},
		{"https://example.org/workspace", "https://example.org/workspace"},
		{"a/workspace ~/workspace /workspace2 /workspace-old", "a/workspace ~/workspace /workspace2 /workspace-old"},
	}
	for _, test := range tests {
		if got := out.text(test.real); got != test.virtual {
			t.Errorf("out: %s gave %s", test.real, got)
		}
		if got := in.text(test.virtual); got != test.real {
			t.Errorf("in: %s gave %s", test.virtual, got)
		}
	}
	got, err := in.arguments([]byte(`{"paths": ["/workspace/a", {"/home/user": "/tmp/user/x"}], "n": 5.0}`))
	if err != nil || string(got) != `{"n":5,"paths":["/t/r/work/a",{"/t/r/home":"/t/r/temp/x"}]}` {
		t.Errorf("got %s, %v", got, err)
	}
}

// TestVirtualPathsComeBack: what a server says about its directories can be
// sent back to it, whatever stands around the paths.
func TestVirtualPathsComeBack(t *testing.T) {
	d := &privateDirs{work: "/t/r1/work", home: "/t/r1/home", temp: "/t/r1/temp", ownWork: true, ownHome: true}
	out, in := virtualPaths(d)
	part := rapid.SampledFrom([]string{"/t/r1/work", "/t/r1/home", "/t/r1/temp", "/", " ", ".", "-", "x", "file://", "é", "\"", "\\n"})
	rapid.Check(t, func(t *rapid.T) {
		s := strings.Join(rapid.SliceOf(part).Draw(t, "parts"), "")
		if back := in.text(out.text(s)); back != s {
			t.Errorf("%q came back as %q by %q", s, back, out.text(s))
		}
	})
}

// holdDirs is the fake program that makes private directories and waits to be
// killed.
func holdDirs() {
	d, err := newPrivateDirs(Config{}, os.Getenv(fakeParent))
	if err != nil {
		os.Stdout.WriteString(err.Error() + "\n")
		return
	}
	os.Stdout.WriteString(d.root + "\n")
	bufio.NewReader(os.Stdin).ReadByte()
}

// fakeParent names the folder for the directories of holdDirs.
const fakeParent = "TASKWRIGHT_TEST_PARENT"
