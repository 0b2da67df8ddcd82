package mcpclient

import (
	"net/textproto"
	"strings"
)

// maxText bounds one expanded value of an mcp.json file, in bytes.
const maxText = 1 << 20

// text reads a string and expands its variables. What came from a variable,
// and everything in env and headers, is kept as a secret.
func (p *serverParser) text(key string, v value) (string, error) {
	s, ok := v.scalar.(string)
	if !ok {
		return "", p.errorf(v.line, key, "want a string, got %s", v.what())
	}
	var out strings.Builder
	for {
		before, rest, found := strings.Cut(s, "${")
		out.WriteString(before)
		if !found {
			break
		}
		name, after, closed := strings.Cut(rest, "}")
		if !closed {
			return "", p.errorf(v.line, key, "\"${\" without \"}\"")
		}
		replaced, err := p.variable(key, v.line, name)
		if err != nil {
			return "", err
		}
		out.WriteString(replaced)
		s = after
		if out.Len() > maxText {
			break
		}
	}
	if out.Len() > maxText || strings.Contains(out.String(), "\x00") {
		return "", p.errorf(v.line, key, "is longer than %d bytes or holds a zero byte", maxText)
	}
	return out.String(), nil
}

func (p *serverParser) variable(key string, line int, expr string) (string, error) {
	name, fallback, hasFallback := strings.Cut(expr, ":-")
	if !isVariable(name) {
		return "", p.errorf(line, key, "%q is not a variable name", clip(name))
	}
	if name == "WORKDIR" {
		return workDir, nil
	}
	if v := p.getenv(name); v != "" {
		p.secret(v)
		return v, nil
	}
	if !hasFallback {
		return "", p.errorf(line, key, "variable %s is not set", name)
	}
	return fallback, nil
}

func isVariable(s string) bool {
	for i, r := range s {
		if r != '_' && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z') && (i == 0 || r < '0' || r > '9') {
			return false
		}
	}
	return s != ""
}

// secret keeps a value out of messages, unless it is too short to be one or a
// path, which messages need.
func (p *serverParser) secret(v string) {
	if len(v) >= 6 && !strings.HasPrefix(v, "/") && !strings.Contains(v, workDir) {
		p.config.secrets = append(p.config.secrets, v)
	}
	if scheme, token, ok := strings.Cut(v, " "); ok && !strings.Contains(scheme, "/") && !strings.Contains(token, " ") {
		p.secret(token)
	}
}

func (p *serverParser) texts(key string, v value) ([]string, error) {
	if v.kind != '[' {
		return nil, p.errorf(v.line, key, "want a list of strings, got %s", v.what())
	}
	var out []string
	for _, item := range v.items {
		s, err := p.text(key, item)
		if err != nil {
			return nil, err
		}
		out = append(out, s)
	}
	return out, nil
}

func (p *serverParser) table(key string, v value) (map[string]string, error) {
	if v.kind != '{' {
		return nil, p.errorf(v.line, key, "want an object of strings, got %s", v.what())
	}
	out := make(map[string]string, len(v.members))
	for _, m := range v.members {
		s, err := p.text(key+"."+clip(m.key), m.value)
		if err != nil {
			return nil, err
		}
		p.secret(s)
		if key == "headers" {
			if textproto.TrimString(m.key) == "" || strings.ContainsAny(m.key+s, "\r\n") {
				return nil, p.errorf(m.line, key, "%q is not a header", clip(m.key))
			}
		}
		out[m.key] = s
	}
	return out, nil
}
