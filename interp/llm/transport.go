package llm

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// A request is repeated when the service says that it is busy, at most maxAttempts times in
// all: after what Retry-After asks for, else after a pause that doubles. Nobody waits longer
// than maxWait at once, nor past the end of the question.
const (
	maxAttempts = 4
	firstWait   = 500 * time.Millisecond
	maxWait     = 30 * time.Second
	maxResponse = 16 << 20
)

// endpoint completes the URL of a service: Ollama's and OpenAI's have their endpoint below /v1.
func endpoint(text string) (string, error) {
	u, err := url.Parse(text)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return "", fmt.Errorf(noURL, text)
	}
	path := strings.TrimRight(u.Path, "/")
	switch {
	case strings.HasSuffix(path, "/chat/completions"):
	case path == "":
		path = "/v1/chat/completions"
	default:
		path += "/chat/completions"
	}
	u.Path = path
	return u.String(), nil
}

// send makes one request, again while the service is busy.
func (c *Client) send(ctx context.Context, ask *request) (*response, error) {
	body, err := json.Marshal(ask)
	if err != nil {
		return nil, err
	}
	wait := firstWait
	for attempt := 1; ; attempt++ {
		status, header, data, err := c.post(ctx, body)
		switch {
		case err != nil:
			return nil, err
		case status >= 200 && status < 300:
			var got response
			if err := json.Unmarshal(data, &got); err != nil {
				return nil, fmt.Errorf(notJSON, clip(string(data)))
			}
			return &got, nil
		case !busy(status) || attempt == maxAttempts:
			return nil, fmt.Errorf(badStatus, status, reason(data))
		}
		pause := wait
		if asked, ok := retryAfter(header, time.Now()); ok {
			pause = asked
		}
		if deadline, ok := ctx.Deadline(); pause > maxWait || ok && time.Until(deadline) < pause {
			return nil, fmt.Errorf(badStatus+waitTooLong, status, reason(data), int(pause.Seconds()))
		}
		if err := c.sleep(ctx, pause); err != nil {
			return nil, err
		}
		wait *= 2
	}
}

func (c *Client) post(ctx context.Context, body []byte) (int, http.Header, []byte, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, c.endpoint, bytes.NewReader(body))
	if err != nil {
		return 0, nil, nil, err
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json")
	if c.config.Key != "" {
		r.Header.Set("Authorization", "Bearer "+c.config.Key)
	}
	response, err := c.http.Do(r)
	if err != nil {
		return 0, nil, nil, unreached(err)
	}
	defer response.Body.Close()
	data, err := io.ReadAll(io.LimitReader(response.Body, maxResponse+1))
	if err != nil {
		return 0, nil, nil, unreached(err)
	}
	if len(data) > maxResponse {
		return 0, nil, nil, fmt.Errorf(tooLarge, maxResponse)
	}
	return response.StatusCode, response.Header, data, nil
}

// unreached leaves out the URL, which may hold a secret.
func unreached(err error) error {
	var at *url.Error
	if errors.As(err, &at) {
		err = at.Err
	}
	if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) {
		return err
	}
	return fmt.Errorf(unreachable, err)
}

func busy(status int) bool {
	return status == http.StatusTooManyRequests || status >= 500 && status != http.StatusNotImplemented
}

// retryAfter reads how long the service asks to wait: seconds, or a date.
func retryAfter(h http.Header, now time.Time) (time.Duration, bool) {
	text := h.Get("Retry-After")
	if n, err := strconv.ParseUint(text, 10, 31); err == nil {
		return time.Duration(n) * time.Second, true
	}
	if t, err := http.ParseTime(text); err == nil {
		return max(t.Sub(now), 0), true
	}
	return 0, false
}

// reason is what the service says about a failure.
func reason(data []byte) string {
	var doc struct {
		Error json.RawMessage `json:"error"`
	}
	text := string(data)
	if json.Unmarshal(data, &doc) == nil && len(doc.Error) > 0 {
		var detail struct{ Message string }
		switch {
		case json.Unmarshal(doc.Error, &detail) == nil && detail.Message != "":
			text = detail.Message
		case json.Unmarshal(doc.Error, &text) == nil:
		}
	}
	if text = clip(text); text == "" {
		return ""
	}
	return ": " + text
}

// sleep waits, unless the question ends before.
func sleep(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}
