package outside

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"syscall"
	"time"

	"soma.cell/interp"
)

// HTTP answers http_* with the network of the machine. A request goes to http and https alone
// and follows up to 10 redirects; it is not repeated.
type HTTP struct {
	Client *http.Client // nil: one of its own
}

// Limits that hold where a request states none.
const (
	DefaultTimeout  = 30 * time.Second
	DefaultMaxBytes = 8 << 20
)

// Fetch makes one request.
func (h HTTP) Fetch(ctx context.Context, f interp.Fetch) interp.Value {
	if f.Timeout == 0 {
		f.Timeout = DefaultTimeout
	}
	if f.MaxBytes == 0 {
		f.MaxBytes = DefaultMaxBytes
	}
	ctx, cancel := context.WithTimeout(ctx, f.Timeout)
	defer cancel()
	request, err := request(ctx, f)
	if err != nil {
		return interp.NetworkFailure("network", err.Error())
	}
	client := h.Client
	if client == nil {
		client = &http.Client{}
	}
	response, err := client.Do(request)
	if err != nil {
		return failed(f, err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(io.LimitReader(response.Body, int64(f.MaxBytes)+1))
	if err != nil {
		return failed(f, err)
	}
	if len(body) > f.MaxBytes {
		return interp.NetworkFailure("network", fmt.Sprintf("the reply is larger than %d bytes (option max_bytes)", f.MaxBytes))
	}
	return interp.HTTPResult(response.StatusCode, response.Status, strings.ToValidUTF8(string(body), "\uFFFD"))
}

// request builds the request: a text goes as it is, another value as JSON.
func request(ctx context.Context, f interp.Fetch) (*http.Request, error) {
	where, err := url.Parse(f.URL)
	if err != nil || where.Host == "" || where.Scheme != "http" && where.Scheme != "https" {
		return nil, fmt.Errorf("%q is no URL of http or https", f.URL)
	}
	var body io.Reader
	kind := ""
	switch v := f.Body.(type) {
	case interp.Unit:
	case interp.String:
		body, kind = strings.NewReader(string(v)), "text/plain; charset=utf-8"
	default:
		body, kind = strings.NewReader(interp.ToJSON(v)), "application/json"
	}
	r, err := http.NewRequestWithContext(ctx, f.Method, f.URL, body)
	if err != nil {
		return nil, err
	}
	if kind != "" {
		r.Header.Set("Content-Type", kind)
	}
	for _, h := range f.Headers {
		if strings.EqualFold(h.Name, "Host") {
			r.Host = h.Value
		}
		r.Header.Set(h.Name, h.Value)
	}
	return r, nil
}

// failed sorts what went wrong by the kinds that programs know.
func failed(f interp.Fetch, err error) interp.Value {
	var at *url.Error
	if errors.As(err, &at) {
		err = at.Err
	}
	var slow net.Error
	switch {
	case errors.Is(err, context.DeadlineExceeded) || errors.As(err, &slow) && slow.Timeout():
		return interp.NetworkFailure("timeout", fmt.Sprintf("no reply within %d ms", f.Timeout.Milliseconds()))
	case errors.Is(err, syscall.ECONNREFUSED):
		return interp.NetworkFailure("refused", err.Error())
	}
	return interp.NetworkFailure("network", err.Error())
}
