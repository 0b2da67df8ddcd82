package datasets

import (
	"encoding/json"
	"strings"
	"testing"
)

func FuzzValidJSON(f *testing.F) {
	for _, s := range []string{
		``, ` `, `null`, ` null `, `nul`, `true`, `false`, `falsey`, `{}`, `{ }`, `[]`, `[ ]`, `[,]`, `[1,]`, `[1 2]`, `[1 , 2]`, `{"a":1}`, `{"a" : 1 , "b":[]}`,
		`{"a":1,}`, `{,}`, `{"a"}`, `{"a":}`, `{a:1}`, `{1:1}`, `"`, `""`, `"\"`, `"\""`, `"\u00e9"`, `"\u00e"`, `"\u00eg"`, `"\uD800"`, `"\x"`, "\"\n\"", "\"\x7f\"", "\"\xff\"",
		`0`, `-0`, `00`, `01`, `-`, `+1`, `.5`, `1.`, `1.5`, `1e5`, `1E+5`, `1e-`, `1e`, `1.5e+10`, `0x1`, `1a`, `]`, `}`, `[}`, `{]`, `[[[]]]`, `{} {}`, "\ufeff{}", "[\u00a0]",
		strings.Repeat("[", 10_000) + strings.Repeat("]", 10_000), strings.Repeat("[", 10_001) + strings.Repeat("]", 10_001), `{"a":{"b":[{"c":"d\/e"}]}}`,
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if got, want := validJSON(s), json.Valid([]byte(s)); got != want {
			t.Errorf("validJSON(%.80q) = %v, json.Valid says %v", s, got, want)
		}
	})
}

func BenchmarkValidJSON(b *testing.B) {
	task := benchTask(1)
	s := task.Reference[len(task.Reference)-1].Output
	for name, valid := range map[string]func(string) bool{"ours": validJSON, "encoding-json": func(s string) bool { return json.Valid([]byte(s)) }} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(s)))
			for b.Loop() {
				if !valid(s) {
					b.Fatal("not valid")
				}
			}
		})
	}
}
