package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"
)

// settingsFile is the author's settings in a dataset's directory.
const settingsFile = "taskwright.yaml"

// maxSettings bounds the bytes of the settings file.
const maxSettings = 1 << 20

// settings are what taskwright.yaml may say. Flags go before it.
type settings struct {
	Servers    string           `yaml:"servers"` // mcp.json file; "" means the embedded servers
	Allow      []string         `yaml:"allow"`   // "server" or "server/tool": may be called though not marked read-only
	Seeds      map[string][]any `yaml:"seeds"`   // values to try when probing, by "server/tool/param" or "param"
	Thresholds thresholds       `yaml:"thresholds"`
	Models     models           `yaml:"models"`
	Prices     map[string]price `yaml:"prices"`  // by model
	Phrases    string           `yaml:"phrases"` // phrasebook file for the grounded author
}

// thresholds are the judges' scores, of 10, that a task needs.
type thresholds struct {
	Solvability float64 `yaml:"solvability"`
	Utility     float64 `yaml:"utility"`
}

// models are the models by role; "" means the one that --model names.
type models struct {
	Author string `yaml:"author"`
	Critic string `yaml:"critic"`
	Fuzzer string `yaml:"fuzzer"`
	Judge  string `yaml:"judge"`
	Agent  string `yaml:"agent"`
}

// price is what a model costs, in US dollars for a million tokens.
type price struct {
	Input  float64 `yaml:"input"`
	Output float64 `yaml:"output"`
}

func defaultSettings() settings {
	return settings{Thresholds: thresholds{Solvability: 9, Utility: 5}}
}

// loadSettings reads taskwright.yaml of a dataset's directory. Without the
// file everything has its default. File names in it are relative to dir.
func loadSettings(dir string) (settings, error) {
	name := filepath.Join(dir, settingsFile)
	f, err := os.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return defaultSettings(), nil
	}
	if err != nil {
		return settings{}, fmt.Errorf("reading settings: %w", err)
	}
	defer f.Close()
	raw, err := io.ReadAll(io.LimitReader(f, maxSettings+1))
	if err != nil {
		return settings{}, fmt.Errorf("reading settings: %w", err)
	}
	if len(raw) > maxSettings {
		return settings{}, fmt.Errorf("reading %s: larger than %d bytes", name, maxSettings)
	}
	s, err := parseSettings(name, raw)
	if err != nil {
		return settings{}, err
	}
	s.Servers, s.Phrases = relativeTo(dir, s.Servers), relativeTo(dir, s.Phrases)
	return s, nil
}

func relativeTo(dir, name string) string {
	if name == "" || filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(dir, name)
}

// parseSettings reads settings strictly: unknown and repeated keys, wrong
// types and values out of range are errors with file, line and column.
func parseSettings(name string, raw []byte) (settings, error) {
	s := defaultSettings()
	d := yaml.NewDecoder(bytes.NewReader(raw), yaml.Strict())
	switch err := d.Decode(&s); {
	case errors.Is(err, io.EOF): // nothing but comments; the decoder has emptied s
		return defaultSettings(), nil
	case err != nil:
		return settings{}, atLine(name, err)
	}
	if err := d.Decode(new(any)); !errors.Is(err, io.EOF) {
		return settings{}, fmt.Errorf("%s: more than one document", name)
	}
	if err := s.check(); err != nil {
		return settings{}, fmt.Errorf("%s: %w", name, err)
	}
	return s, nil
}

// atLine says where in the file a YAML error is.
func atLine(name string, err error) error {
	var e yaml.Error
	if !errors.As(err, &e) || e.GetToken() == nil || e.GetToken().Position == nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	at := e.GetToken().Position
	message := e.GetMessage()
	var unknown *yaml.UnknownFieldError
	if errors.As(err, &unknown) && at.Column == 1 {
		message += " (known: " + strings.Join(settingsKeys(), ", ") + ")"
	}
	return fmt.Errorf("%s:%d:%d: %s", name, at.Line, at.Column, message)
}

func settingsKeys() []string {
	var keys []string
	t := reflect.TypeFor[settings]()
	for i := range t.NumField() {
		keys = append(keys, t.Field(i).Tag.Get("yaml"))
	}
	slices.Sort(keys)
	return keys
}

func (s settings) check() error {
	for _, t := range []struct {
		name  string
		value float64
	}{{"solvability", s.Thresholds.Solvability}, {"utility", s.Thresholds.Utility}} {
		if !(t.value >= 0 && t.value <= 10) {
			return fmt.Errorf("thresholds.%s is %v, not between 0 and 10", t.name, t.value)
		}
	}
	for model, p := range s.Prices {
		if !(p.Input >= 0 && p.Output >= 0) {
			return fmt.Errorf("prices.%s is negative", model)
		}
	}
	return nil
}
