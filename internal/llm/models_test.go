package llm

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

const planted = "sk-planted-0123456789"

func TestModels(t *testing.T) {
	tests := []struct {
		name   string
		key    Key
		answer http.HandlerFunc
		want   []string
		reason string // of the error, after the endpoint's name
	}{
		{"list", planted, reply(200, `{"data":[{"id":"b"},{"id":"a"}]}`), []string{"a", "b"}, ""},
		{"none", planted, reply(200, `{"data":[]}`), []string{}, ""},
		{"wrong key", planted, reply(401, `{"error":{"message":"Incorrect API key provided: `+planted+`"}}`), nil, "refused the key in OPENAI_API_KEY (HTTP 401)"},
		{"no key", "", reply(401, `{}`), nil, "wants a key and OPENAI_API_KEY is not set (HTTP 401)"},
		{"wrong path", planted, reply(404, `<html>`), nil, "has no list of models (HTTP 404): is OPENAI_BASE_URL right? It usually ends in /v1"},
		{"quota", planted, reply(429, `{"error":{"message":"quota of `+planted+` exceeded"}}`), nil, `answers, but the limit or quota is used up (HTTP 429): "quota of [key] exceeded"`},
		{"broken", planted, reply(500, `{"error":{"message":"oops"}}`), nil, `answered with HTTP 500: "oops"`},
		{"not JSON", planted, reply(200, `<html>`), nil, "did not answer with a list of models: "},
		{"late", planted, func(w http.ResponseWriter, r *http.Request) { <-r.Context().Done() }, nil, "did not answer within 100ms"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			server := httptest.NewServer(tt.answer)
			defer server.Close()
			e := Endpoint{Base: server.URL + "/v1", Key: tt.key}
			if tt.name == "late" {
				e.Timeout = 100 * time.Millisecond
			}
			got, err := Models(context.Background(), e)
			if tt.reason == "" {
				if diff := cmp.Diff(tt.want, got); diff != "" || err != nil {
					t.Error(err, diff)
				}
				return
			}
			if err == nil || !strings.HasPrefix(err.Error(), e.Name()+" "+tt.reason) || strings.Contains(err.Error(), planted) {
				t.Errorf("error: %v", err)
			}
		})
	}
}

func reply(status int, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		fmt.Fprint(w, body)
	}
}

func TestUnreachable(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l.Close()
	_, err = Models(context.Background(), Endpoint{Base: "http://" + l.Addr().String() + "/v1", Key: planted})
	if err == nil || !strings.Contains(err.Error(), "cannot be reached: connect: connection refused") {
		t.Errorf("error: %v", err)
	}
	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err = Models(cancelled, Endpoint{Base: "http://" + l.Addr().String()}); !errors.Is(err, context.Canceled) {
		t.Errorf("error: %v", err)
	}
}

func TestFromEnvironment(t *testing.T) {
	tests := []struct{ key, base, name, err string }{
		{"", "", "", ErrNotConfigured.Error()},
		{planted, "", defaultBase, ""},
		{"", "http://127.0.0.1:1/v1/", "http://127.0.0.1:1/v1", ""},
		{planted, "https://me:secret@host/v1?k=" + planted, "https://host/v1", ""},
		{planted, "host/v1", "", "OPENAI_BASE_URL is not an http or https URL"},
	}
	for _, tt := range tests {
		e, err := FromEnvironment(func(name string) string {
			return map[string]string{"OPENAI_API_KEY": tt.key, "OPENAI_BASE_URL": tt.base}[name]
		})
		if err != nil && err.Error() != tt.err || err == nil && (tt.err != "" || e.Name() != tt.name) {
			t.Errorf("%+v: %q, %v", tt, e.Name(), err)
		}
	}
}

func TestKeyDoesNotShow(t *testing.T) {
	e := Endpoint{Key: planted}
	raw, err := json.Marshal(e)
	if err != nil {
		t.Fatal(err)
	}
	shown := fmt.Sprintf("%v %+v %#v %s %q %x %s", e, e, e, e.Key, e.Key, e.Key, raw)
	if strings.Contains(shown, planted) || strings.Contains(shown, fmt.Sprintf("%x", planted)) {
		t.Error(shown)
	}
}
