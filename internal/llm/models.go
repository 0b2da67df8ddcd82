package llm

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"slices"

	"github.com/sashabaranov/go-openai"
)

// maxAnswer bounds the bytes read of a list of models.
const maxAnswer = 8 << 20

// Models lists the names of the endpoint's models, sorted. The error says in
// words why there is no list: the endpoint was not reached, did not answer in
// time, refused the key, or is no such endpoint. It never holds the key.
func Models(ctx context.Context, e Endpoint) ([]string, error) {
	limited, cancel := context.WithTimeout(ctx, e.timeout())
	defer cancel()
	config := openai.DefaultConfig(string(e.Key))
	config.BaseURL = e.Base
	transport := http.DefaultTransport.(*http.Transport).Clone()
	defer transport.CloseIdleConnections()
	config.HTTPClient = &bounded{http.Client{Transport: transport}}
	list, err := openai.NewClientWithConfig(config).ListModels(limited)
	if err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, errors.New(e.Key.scrub(e.reason(err)))
	}
	names := make([]string, 0, len(list.Models))
	for _, m := range list.Models {
		names = append(names, e.Key.scrub(m.ID))
	}
	slices.Sort(names)
	return names, nil
}

// reason says what went wrong in the words of the person who set the endpoint.
func (e Endpoint) reason(err error) string {
	status, said := httpStatus(err)
	var dns *net.DNSError
	var op *net.OpError
	var transport *url.Error
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return fmt.Sprintf("%s did not answer within %v", e.Name(), e.timeout())
	case status == http.StatusUnauthorized || status == http.StatusForbidden:
		if e.Key == "" {
			return fmt.Sprintf("%s wants a key and OPENAI_API_KEY is not set (HTTP %d)", e.Name(), status)
		}
		return fmt.Sprintf("%s refused the key in OPENAI_API_KEY (HTTP %d)", e.Name(), status)
	case status == http.StatusNotFound:
		return fmt.Sprintf("%s has no list of models (HTTP 404): is OPENAI_BASE_URL right? It usually ends in /v1", e.Name())
	case status == http.StatusTooManyRequests:
		return fmt.Sprintf("%s answers, but the limit or quota is used up (HTTP 429)%s", e.Name(), said)
	case status >= 400:
		return fmt.Sprintf("%s answered with HTTP %d%s", e.Name(), status, said)
	case errors.As(err, &dns):
		return fmt.Sprintf("%s cannot be reached: the host %s is not known", e.Name(), dns.Name)
	case errors.As(err, &op):
		return fmt.Sprintf("%s cannot be reached: %v", e.Name(), op.Err)
	case errors.As(err, &transport):
		return fmt.Sprintf("%s cannot be reached: %v", e.Name(), transport.Err)
	}
	return fmt.Sprintf("%s did not answer with a list of models: %v", e.Name(), err)
}

// httpStatus is the status of an answer that reports an error, and what it
// says, cut short.
func httpStatus(err error) (status int, said string) {
	var api *openai.APIError
	if errors.As(err, &api) {
		message := []rune(api.Message)
		if len(message) > 200 {
			message = append(message[:200], '…')
		}
		if len(message) > 0 {
			said = fmt.Sprintf(": %q", string(message))
		}
		return api.HTTPStatusCode, said
	}
	var request *openai.RequestError
	if errors.As(err, &request) {
		return request.HTTPStatusCode, ""
	}
	return 0, ""
}

// bounded is an HTTP client that reads no more than maxAnswer of an answer.
type bounded struct{ http.Client }

// Do implements openai.HTTPDoer.
func (b *bounded) Do(r *http.Request) (*http.Response, error) {
	answer, err := b.Client.Do(r)
	if err != nil {
		return nil, err
	}
	answer.Body = struct {
		io.Reader
		io.Closer
	}{io.LimitReader(answer.Body, maxAnswer), answer.Body}
	return answer, nil
}
