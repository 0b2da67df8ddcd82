// Package llm is the one place that talks to a model. Any endpoint that speaks
// OpenAI's protocol will do; none is needed.
package llm

import (
	"errors"
	"net/url"
	"strings"
	"time"
)

// defaultBase is the endpoint when only a key is given.
const defaultBase = "https://api.openai.com/v1"

// Endpoint is where models are asked.
type Endpoint struct {
	Base    string        // URL up to and with the version, "http://127.0.0.1:8080/v1"
	Key     Key           // may be empty for a local endpoint
	Timeout time.Duration // for one request; 0 means 10 seconds
}

// ErrNotConfigured says that no endpoint is set, which is no fault: everything
// works without one.
var ErrNotConfigured = errors.New("no model endpoint: OPENAI_API_KEY and OPENAI_BASE_URL are not set")

// FromEnvironment reads OPENAI_API_KEY and OPENAI_BASE_URL. The error is
// [ErrNotConfigured] when neither is set.
func FromEnvironment(getenv func(string) string) (Endpoint, error) {
	e := Endpoint{Base: strings.TrimRight(strings.TrimSpace(getenv("OPENAI_BASE_URL")), "/"), Key: Key(strings.TrimSpace(getenv("OPENAI_API_KEY")))}
	if e.Base == "" && e.Key == "" {
		return Endpoint{}, ErrNotConfigured
	}
	if e.Base == "" {
		e.Base = defaultBase
	}
	u, err := url.Parse(e.Base)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return Endpoint{}, errors.New("OPENAI_BASE_URL is not an http or https URL")
	}
	return e, nil
}

// Name is the endpoint's URL without user or password.
func (e Endpoint) Name() string {
	u, err := url.Parse(e.Base)
	if err != nil {
		return "the model endpoint"
	}
	u.User, u.RawQuery, u.Fragment = nil, "", ""
	return e.Key.scrub(u.String())
}

func (e Endpoint) timeout() time.Duration {
	if e.Timeout == 0 {
		return 10 * time.Second
	}
	return e.Timeout
}
