//go:build linux

package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
)

// mounted is a file system in memory, of so many kilobytes. It takes root.
func mounted(t *testing.T, options string) string {
	t.Helper()
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, options); err != nil {
		if slices.Contains(strings.Split(os.Getenv("TASKWRIGHT_REQUIRE"), ","), "mount") {
			t.Fatal(err)
		}
		t.Skip("needs leave to mount a small file system: run as root")
	}
	t.Cleanup(func() { syscall.Unmount(dir, syscall.MNT_DETACH) })
	return dir
}

func remount(t *testing.T, dir string, flags uintptr, options string) {
	t.Helper()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", syscall.MS_REMOUNT|flags, options); err != nil {
		t.Fatal(err)
	}
}

// A full disk fails with its name, wherever it strikes, and costs nothing:
// with room again the same command ends as if nothing had been.
func TestFullDisk(t *testing.T) {
	t.Parallel()
	whole := filepath.Join(t.TempDir(), "whole")
	expect(t, exitDone, "run", whole, "-n", "5", "--calls-per-tool", "3", "-q")
	disk := mounted(t, "size=64k")
	dir := filepath.Join(disk, "d")
	failures := 0
	for _, size := range []string{"100k", "300k", "500k", "800k", "1200k"} {
		remount(t, disk, 0, "size="+size)
		s := command("run", dir, "-n", "5", "--calls-per-tool", "3", "-q", "--json")
		if s.code == exitDone {
			break
		}
		failures++
		message, _ := s.object(t)["error"].(string)
		if s.code != exitFailed || !strings.Contains(message, "no space left on device") && !strings.Contains(message, "disk is full") && !strings.Contains(message, "disk I/O error") {
			t.Errorf("%s: exit status %d: %s", size, s.code, message)
		}
	}
	if failures < 2 {
		t.Errorf("the disk was full only %d times", failures)
	}
	remount(t, disk, 0, "size=64m")
	expect(t, exitDone, "run", dir, "-n", "5", "--calls-per-tool", "3", "-q")
	sameBytes(t, whole, dir)
	expect(t, exitDone, "datasets", "validate", dir)
}

func TestReadOnlyDisk(t *testing.T) {
	t.Parallel()
	disk := mounted(t, "size=64m")
	dir := filepath.Join(disk, "d")
	if err := os.CopyFS(dir, os.DirFS(demoDir(t))); err != nil {
		t.Fatal(err)
	}
	remount(t, disk, syscall.MS_RDONLY, "")
	for _, args := range append(stages, makers...) {
		refused(t, "read-only file system", append(args, dir)...)
	}
	refused(t, "read-only file system", "run", filepath.Join(disk, "new"))
	for _, args := range readers {
		expect(t, exitDone, append(args, dir)...)
	}
	expect(t, exitDone, "run", dir, "--dry-run")
	out := filepath.Join(t.TempDir(), "r.html")
	expect(t, exitDone, "report", dir, "-o", out)
}
