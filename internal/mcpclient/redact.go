package mcpclient

import (
	"net/url"
	"regexp"
	"sort"
	"strings"
	"sync"
	"unicode/utf8"
)

// redactor takes secrets out of text that people will read.
type redactor struct{ replace *strings.Replacer }

func newRedactor(c Config) redactor {
	secrets := append([]string(nil), c.secrets...)
	for _, m := range []map[string]string{c.Env, c.Headers} {
		for _, v := range m {
			if len(v) >= 6 && !strings.HasPrefix(v, "/") && !strings.Contains(v, workDir) {
				secrets = append(secrets, v)
			}
		}
	}
	// The longest first, so that a secret within a secret leaves no rest.
	sort.Slice(secrets, func(i, j int) bool {
		return len(secrets[i]) > len(secrets[j]) || len(secrets[i]) == len(secrets[j]) && secrets[i] < secrets[j]
	})
	var pairs []string
	if c.URL != "" {
		pairs = append(pairs, c.URL, publicURL(c.URL))
	}
	for _, s := range secrets {
		pairs = append(pairs, s, "[redacted]")
	}
	return redactor{strings.NewReplacer(pairs...)}
}

func (r redactor) text(s string) string {
	s = urlUser.ReplaceAllString(r.replace.Replace(s), "$1")
	return urlQuery.ReplaceAllString(s, "$1")
}

// What may be secret in any URL: the user before the host, and the query.
var (
	urlUser  = regexp.MustCompile(`(https?://)[^\s/"'<>@]+@`)
	urlQuery = regexp.MustCompile(`(https?://[^\s"'<>?]+)\?[^\s"'<>]*`)
)

// publicURL is a URL without user, password, query and fragment.
func publicURL(raw string) string {
	u, err := url.Parse(raw)
	if err != nil {
		return "[url]"
	}
	return (&url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path}).String()
}

// tail keeps the last bytes written to it. It is safe for concurrent use.
type tail struct {
	mu   sync.Mutex
	buf  []byte
	size int
}

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.buf = append(t.buf, p...)
	if over := len(t.buf) - t.size; over > 0 {
		t.buf = append(t.buf[:0], t.buf[over:]...)
	}
	return len(p), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	s := t.buf
	for len(s) > 0 && !utf8.RuneStart(s[0]) {
		s = s[1:]
	}
	return strings.TrimSpace(strings.ToValidUTF8(string(s), "\uFFFD"))
}

// cutAtRune cuts s to at most n bytes and to whole characters.
func cutAtRune(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}
