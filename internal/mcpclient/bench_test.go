package mcpclient

import (
	"encoding/json"
	"os"
	"testing"
)

func benchmarkCalls(b *testing.B, c Config, tool, arguments string) {
	f := Open(b.Context(), []Config{c}, &Options{TempDir: b.TempDir()})
	defer f.Close()
	conn, err := f.Shared(b.Context(), "fake")
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := conn.Call(b.Context(), tool, json.RawMessage(arguments)); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkCallMemory(b *testing.B) {
	benchmarkCalls(b, InMemory("fake", sumServer), "sum", `{"a":1,"b":2}`)
}

func BenchmarkCallStdio(b *testing.B) {
	self, err := os.Executable()
	if err != nil {
		b.Fatal(err)
	}
	benchmarkCalls(b, Config{Name: "fake", Transport: TransportStdio, Command: self, Env: map[string]string{fakeMode: "plain"}}, "echo", `{"a":1}`)
}

func BenchmarkFreshMemory(b *testing.B) {
	f := Open(b.Context(), []Config{InMemory("fake", sumServer)}, nil)
	defer f.Close()
	for b.Loop() {
		conn, err := f.Fresh(b.Context(), "fake")
		if err != nil {
			b.Fatal(err)
		}
		if err := conn.Close(); err != nil {
			b.Fatal(err)
		}
	}
}
