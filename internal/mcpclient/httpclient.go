package mcpclient

import (
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
)

// httpClient sends the configured headers, and the negotiated protocol
// revision, to the configured host and to no other.
type httpClient struct {
	client   *http.Client
	base     *http.Transport
	origin   *url.URL
	headers  map[string]string
	protocol protocolHeader
	last     atomic.Pointer[trouble]
}

func newHTTPClient(c Config) (*httpClient, error) {
	origin, err := url.Parse(c.URL)
	if err != nil {
		return nil, fmt.Errorf("url: %w", err)
	}
	base, ok := http.DefaultTransport.(*http.Transport)
	if !ok {
		base = &http.Transport{Proxy: http.ProxyFromEnvironment}
	}
	h := &httpClient{base: base.Clone(), origin: origin, headers: c.Headers}
	h.client = &http.Client{Transport: h}
	return h, nil
}

// RoundTrip implements [http.RoundTripper].
func (h *httpClient) RoundTrip(req *http.Request) (*http.Response, error) {
	if req.URL.Scheme != h.origin.Scheme || req.URL.Host != h.origin.Host {
		return nil, fmt.Errorf("the server sends us to another host (%s)", req.URL.Host)
	}
	req = req.Clone(req.Context())
	for name, v := range h.headers {
		req.Header.Set(name, v)
	}
	if v := h.protocol.get(); v != "" {
		req.Header.Set("Mcp-Protocol-Version", v)
	}
	resp, err := h.base.RoundTrip(req)
	h.note(resp, err)
	if err == nil && req.Method == http.MethodPost {
		resp.Body = &boundedBody{ReadCloser: resp.Body, left: maxLine}
	}
	return resp, err
}

// trouble is what went wrong with a request, in plain words. The SDK's message
// of it has the mark in it, among words on what it was about to do.
type trouble struct{ mark, says string }

// note keeps what went wrong with a request.
func (h *httpClient) note(resp *http.Response, err error) {
	switch {
	case err != nil:
		h.last.Store(&trouble{err.Error(), err.Error()})
	case resp.StatusCode < 400 || http.StatusText(resp.StatusCode) == "":
		return
	default:
		mark := http.StatusText(resp.StatusCode)
		h.last.Store(&trouble{mark, fmt.Sprintf("HTTP status %d, %s%s", resp.StatusCode, mark, h.hint(resp.StatusCode))})
	}
}

// hint says what to look at after a status.
func (h *httpClient) hint(status int) string {
	switch {
	case status == http.StatusUnauthorized && len(h.headers) == 0:
		return ": it asks for credentials, and the config has no headers"
	case status == http.StatusUnauthorized || status == http.StatusForbidden:
		return ": it does not accept the headers of the config"
	case status == http.StatusNotFound:
		return ": is the path of the url right?"
	}
	return ""
}

// plain is the text of an error in plain words, where they are known.
func (h *httpClient) plain(text string) string {
	if t := h.last.Load(); t != nil && strings.Contains(text, t.mark) {
		return t.says
	}
	return text
}

// boundedBody ends a response body with an error after its bound.
type boundedBody struct {
	io.ReadCloser
	left int
}

func (b *boundedBody) Read(p []byte) (int, error) {
	if b.left <= 0 {
		return 0, fmt.Errorf("the response is longer than %d bytes", maxLine)
	}
	n, err := b.ReadCloser.Read(p[:min(len(p), b.left)])
	b.left -= n
	return n, err
}
