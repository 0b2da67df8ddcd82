package mcpclient

import (
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"
	"unicode"
)

// ReadConfig reads the mcp.json file at path. Relative seed and cwd folders
// are taken from the file's own folder. Errors name the file.
func ReadConfig(path string, getenv func(string) string) ([]Config, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("reading servers: %w", err)
	}
	defer f.Close()
	configs, err := ParseConfig(f, getenv)
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", path, err)
	}
	folder, err := filepath.Abs(filepath.Dir(path))
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", path, err)
	}
	for i := range configs {
		c := &configs[i]
		if c.Seed != "" && !filepath.IsAbs(c.Seed) {
			c.Seed = filepath.Join(folder, c.Seed)
		}
		if c.Dir != "" && !filepath.IsAbs(c.Dir) && !strings.HasPrefix(c.Dir, workDir) {
			c.Dir = filepath.Join(folder, c.Dir)
		}
	}
	return configs, nil
}

var (
	topKeys    = []string{"mcpServers", "$schema"}
	serverKeys = []string{"command", "args", "env", "cwd", "url", "type", "transport", "headers", "disabled", "seed", "allow", "state", "timeouts", "concurrency"}
	limitKeys  = []string{"start", "list", "call", "stop"}
	typeNames  = map[string]string{
		"stdio": TransportStdio, "http": TransportHTTP, "streamable-http": TransportHTTP, "streamableHttp": TransportHTTP,
		"streamable_http": TransportHTTP, "sse": TransportSSE, "auto": TransportAuto,
	}
)

// ParseConfig reads the mcpServers object of an mcp.json file: for each server
// either command, args, env and cwd, or url, type (http or sse) and headers;
// beside them disabled, seed, allow, state, concurrency and timeouts (start,
// list, call, stop: "30s" or seconds). ${VAR} and ${VAR:-default} in values are
// taken from getenv; a variable that is empty or unset and has no default is
// an error. Servers keep the order of the file; disabled ones are left out.
// Errors name line, server and key, never a value.
func ParseConfig(r io.Reader, getenv func(string) string) ([]Config, error) {
	if getenv == nil {
		getenv = os.Getenv
	}
	top, err := parseValue(r)
	if err != nil {
		return nil, err
	}
	if top.kind != '{' {
		return nil, fmt.Errorf("line %d: want an object with the key \"mcpServers\", got %s", top.line, top.what())
	}
	var servers *value
	for _, m := range top.members {
		if err := knownKey(m, topKeys); err != nil {
			return nil, err
		}
		if m.key == "mcpServers" {
			servers = &m.value
		}
	}
	if servers == nil {
		return nil, fmt.Errorf("line %d: the key \"mcpServers\" is missing", top.line)
	}
	return parseServers(*servers, getenv)
}

func parseServers(servers value, getenv func(string) string) ([]Config, error) {
	if servers.kind != '{' {
		return nil, fmt.Errorf("line %d: mcpServers: want an object, got %s", servers.line, servers.what())
	}
	if len(servers.members) > maxServers {
		return nil, fmt.Errorf("mcpServers: %d servers, more than %d", len(servers.members), maxServers)
	}
	var out []Config
	for _, m := range servers.members {
		if err := checkServerName(m.key); err != nil {
			return nil, fmt.Errorf("line %d: %w", m.line, err)
		}
		p := &serverParser{getenv: getenv, config: Config{Name: m.key}}
		on, err := p.server(m.value)
		if err != nil {
			return nil, err
		}
		if on {
			out = append(out, p.config)
		}
	}
	return out, nil
}

// checkServerName holds that "server/tool" can be taken apart again.
func checkServerName(name string) error {
	bad := func(r rune) bool { return r == '/' || !unicode.IsPrint(r) || r == unicode.ReplacementChar }
	if name == "" || len(name) > 100 || strings.TrimSpace(name) != name || strings.ContainsFunc(name, bad) {
		return fmt.Errorf("server name %q: want 1 to 100 printable characters without \"/\"", clip(name))
	}
	return nil
}

func knownKey(m member, known []string) error {
	for _, k := range known {
		if m.key == k {
			return nil
		}
	}
	if k := closest(m.key, known); k != "" {
		return fmt.Errorf("line %d: unknown key %q, did you mean %q?", m.line, clip(m.key), k)
	}
	return fmt.Errorf("line %d: unknown key %q (known: %s)", m.line, clip(m.key), strings.Join(known, ", "))
}

type serverParser struct {
	getenv   func(string) string
	config   Config
	given    map[string]int // line of each key
	disabled bool
}

func (p *serverParser) errorf(line int, key, format string, args ...any) error {
	return fmt.Errorf("line %d: server %q: %s: %s", line, p.config.Name, key, fmt.Sprintf(format, args...))
}

// server reads one server and says whether it is to be started.
func (p *serverParser) server(v value) (bool, error) {
	if v.kind != '{' {
		return false, fmt.Errorf("line %d: server %q: want an object, got %s", v.line, p.config.Name, v.what())
	}
	p.given = map[string]int{}
	for _, m := range v.members {
		if err := knownKey(m, serverKeys); err != nil {
			line, rest, _ := strings.Cut(err.Error(), ": ")
			return false, fmt.Errorf("%s: server %q: %s", line, p.config.Name, rest)
		}
		p.given[m.key] = m.line
		if m.key == "disabled" {
			on, ok := m.value.scalar.(bool)
			if !ok {
				return false, p.errorf(m.line, m.key, "want true or false, got %s", m.value.what())
			}
			p.disabled = on
		}
	}
	if p.disabled {
		return false, nil
	}
	for _, m := range v.members {
		if err := p.key(m); err != nil {
			return false, err
		}
	}
	return true, p.complete(v.line)
}

func (p *serverParser) key(m member) (err error) {
	c := &p.config
	switch m.key {
	case "command":
		c.Command, err = p.text(m.key, m.value)
	case "args":
		c.Args, err = p.texts(m.key, m.value)
	case "env":
		c.Env, err = p.table(m.key, m.value)
	case "cwd":
		c.Dir, err = p.text(m.key, m.value)
	case "url":
		c.URL, err = p.text(m.key, m.value)
	case "headers":
		c.Headers, err = p.table(m.key, m.value)
	case "seed":
		c.Seed, err = p.text(m.key, m.value)
	case "allow":
		c.Allow, err = p.texts(m.key, m.value)
	case "type", "transport":
		err = p.transport(m)
	case "state":
		c.State, err = p.text(m.key, m.value)
		if err == nil && c.State != "none" && c.State != "session" {
			err = p.errorf(m.line, m.key, "want \"none\" or \"session\"")
		}
	case "concurrency":
		n, numErr := numberOf(m.value).Int64()
		if c.Limits.Calls = int(n); numErr != nil || n < 1 || n > 1000 {
			err = p.errorf(m.line, m.key, "want a whole number from 1 to 1000")
		}
	case "timeouts":
		err = p.timeouts(m)
	}
	return err
}

func (p *serverParser) transport(m member) error {
	name, err := p.text(m.key, m.value)
	if err != nil {
		return err
	}
	t, ok := typeNames[name]
	if !ok {
		return p.errorf(m.line, m.key, "unknown transport %q (known: stdio, http, sse, auto)", clip(name))
	}
	if p.config.Transport != "" && p.config.Transport != t {
		return p.errorf(m.line, m.key, "type and transport disagree")
	}
	p.config.Transport = t
	return nil
}

func (p *serverParser) timeouts(m member) error {
	if m.value.kind != '{' {
		return p.errorf(m.line, m.key, "want an object, got %s", m.value.what())
	}
	l := &p.config.Limits
	fields := map[string]*time.Duration{"start": &l.Start, "list": &l.List, "call": &l.Call, "stop": &l.Stop}
	for _, e := range m.value.members {
		field, ok := fields[e.key]
		if !ok {
			err := knownKey(e, limitKeys)
			_, rest, _ := strings.Cut(err.Error(), ": ")
			return p.errorf(e.line, m.key, "%s", rest)
		}
		d, ok := durationOf(e.value)
		if !ok {
			return p.errorf(e.line, m.key+"."+e.key, "want a duration such as \"30s\" or a number of seconds, up to 24h")
		}
		*field = d
	}
	return nil
}

func numberOf(v value) json.Number {
	n, _ := v.scalar.(json.Number)
	return n
}

func durationOf(v value) (time.Duration, bool) {
	var d time.Duration
	switch s := v.scalar.(type) {
	case string:
		var err error
		if d, err = time.ParseDuration(s); err != nil {
			return 0, false
		}
	case json.Number:
		f, err := s.Float64()
		if err != nil || f > 1e6 {
			return 0, false
		}
		d = time.Duration(f * float64(time.Second))
	}
	return d, d > 0 && d <= 24*time.Hour
}

// complete checks what needs all keys of a server.
func (p *serverParser) complete(line int) error {
	c := &p.config
	_, hasCommand := p.given["command"]
	_, hasURL := p.given["url"]
	switch {
	case hasCommand && hasURL:
		return p.errorf(line, "command", "a server has a command or a url, not both")
	case !hasCommand && !hasURL:
		return fmt.Errorf("line %d: server %q: command or url is missing", line, c.Name)
	case hasCommand:
		return p.completeCommand(line)
	}
	for _, key := range []string{"args", "env", "cwd", "seed"} {
		if l, ok := p.given[key]; ok {
			return p.errorf(l, key, "belongs to a server with a command, not to one with a url")
		}
	}
	if c.Transport == TransportStdio {
		return p.errorf(line, "type", "stdio needs a command, not a url")
	}
	if c.Transport == "" {
		c.Transport = TransportAuto
	}
	u, err := url.Parse(c.URL)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return p.errorf(p.given["url"], "url", "want an http or https URL")
	}
	return nil
}

func (p *serverParser) completeCommand(line int) error {
	c := &p.config
	if l, ok := p.given["headers"]; ok {
		return p.errorf(l, "headers", "belongs to a server with a url, not to one with a command")
	}
	if c.Transport != "" && c.Transport != TransportStdio {
		return p.errorf(line, "type", "%s needs a url, not a command", c.Transport)
	}
	c.Transport = TransportStdio
	if strings.TrimSpace(c.Command) == "" {
		return p.errorf(p.given["command"], "command", "is empty")
	}
	if c.Seed != "" && c.Dir != "" && !strings.HasPrefix(c.Dir, workDir) {
		return p.errorf(p.given["seed"], "seed", "is copied into a private working directory; cwd names another")
	}
	for name := range c.Env {
		if name == "" || strings.ContainsAny(name, "=\x00") {
			return p.errorf(p.given["env"], "env", "%q is not a variable name", clip(name))
		}
	}
	return nil
}
