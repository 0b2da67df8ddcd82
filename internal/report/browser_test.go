package report

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// chromium finds the browser or skips; with chromium in TASKWRIGHT_REQUIRE a
// missing one fails.
func chromium(t *testing.T) string {
	t.Helper()
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	for _, word := range strings.Split(os.Getenv("TASKWRIGHT_REQUIRE"), ",") {
		if strings.TrimSpace(word) == "chromium" {
			t.Fatal("chromium is required and not installed")
		}
	}
	t.Skip("chromium is not installed")
	return ""
}

// TestBrowser loads the page as a person would and reads the document that the
// browser made of it: the content is there, the page's own script ran under its
// security policy, no other script did, and the console is silent.
func TestBrowser(t *testing.T) {
	browser := chromium(t)
	dir := t.TempDir()
	file := filepath.Join(dir, "report.html")
	r := Build(sample(10))
	if err := os.WriteFile(file, []byte(written(t, r.HTML)), 0o644); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	var out, log bytes.Buffer
	cmd := exec.CommandContext(ctx, browser, "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
		"--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage",
		"--enable-logging=stderr", "--user-data-dir="+filepath.Join(dir, "profile"), "--dump-dom", "file://"+file+"#task-3")
	cmd.Stdout, cmd.Stderr, cmd.WaitDelay = &out, &log, 5*time.Second
	if err := cmd.Run(); err != nil {
		t.Fatalf("running the browser: %v\n%s", err, log.String())
	}
	page := out.String()
	for _, want := range []string{"Glen Mesa", "Oracle pass rate", `id="task-3"`, `<div class="filter">`} {
		if !strings.Contains(page, want) {
			t.Errorf("the document lacks %s", want)
		}
	}
	if n := strings.Count(page, `<details class="task find" open`); n != 2 {
		t.Errorf("%d tasks are open, want the first and the linked one", n)
	}
	if strings.Contains(page, "<img") {
		t.Error("text of a server became an element")
	}
	for _, line := range strings.Split(log.String(), "\n") {
		if strings.Contains(line, "CONSOLE") {
			t.Errorf("console: %s", line)
		}
	}
}
