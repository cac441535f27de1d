package main

import (
	"context"
	"errors"
	"io"
	"path/filepath"
	"strings"

	"soma.cell/frontend/project"
	"soma.cell/interp"
	"soma.cell/interp/llm"
	"soma.cell/interp/outside"
)

// runTests runs the test cells of a sound program against the machine: the files of the
// program's folder, the network, the clock and the configured model.
func (a *app) runTests(ctx context.Context, p *program, o interp.TestOptions) (*interp.Report, error) {
	var err error
	if o.World.Model, err = a.model(p.project.Manifest); err != nil {
		return nil, err
	}
	if o.World.Approve, err = a.approval(); err != nil {
		return nil, err
	}
	o.World.Clock = a.now
	o.World.Network = outside.HTTP{}
	o.World.Files = outside.Folder(filepath.Dir(p.name))
	return interp.RunTests(ctx, p.resolved, o), nil
}

// longestInput is how much of standard input programs see, in bytes.
const longestInput = 16 << 20

// standardInput is all there is to read; what cannot be read is not there.
func (a *app) standardInput() string {
	if a.in == nil {
		return ""
	}
	data, _ := io.ReadAll(io.LimitReader(a.in, longestInput))
	return strings.ToValidUTF8(string(data), "\uFFFD")
}

// model is what think asks where no test scripts a reply: the environment's mock, else the
// manifest's, else the service that the environment and the manifest describe, else none.
func (a *app) model(m *project.Manifest) (interp.Model, error) {
	if text := a.env("SOMA_LLM_MOCK", ""); text != "" {
		return mockModel("SOMA_LLM_MOCK", text)
	}
	if m.Agent.Mock != "" {
		return mockModel("[agent] mock", m.Agent.Mock)
	}
	c := llm.Config{
		URL: a.env("SOMA_LLM_URL", m.Agent.URL), Key: a.env("SOMA_LLM_KEY", m.Agent.Key), Model: a.env("SOMA_LLM_MODEL", m.Agent.Model),
	}
	if c.URL == "" {
		url, needsKey := providerURL(m.Agent.Provider)
		if needsKey && c.Key == "" {
			return nil, nil // what the manifest says waits for a key
		}
		if url == "" {
			return misconfigured(unknownProvider(m.Agent.Provider)), nil
		}
		c.URL = url
	}
	model, err := llm.New(c)
	if err != nil {
		return misconfigured(err.Error()), nil
	}
	return model, nil
}

// misconfigured is a model that cannot be asked. That is told where it is asked: programs that
// ask nothing, and tests that script every reply, do without.
type misconfigured string

func (m misconfigured) Think(context.Context, interp.Request) (interp.Reply, error) {
	return interp.Reply{}, errors.New(string(m))
}

// providerURL is where a service is reached when no URL is configured.
func providerURL(provider string) (url string, needsKey bool) {
	switch provider {
	case "", "openai":
		return "https://api.openai.com/v1", true
	case "ollama":
		return "http://localhost:11434/v1", false
	}
	return "", true
}

// env is a variable of the environment that is set to something.
func (a *app) env(name, otherwise string) string {
	if text, ok := a.lookup(name); ok && text != "" {
		return text
	}
	return otherwise
}

func mockModel(where, text string) (interp.Model, error) {
	if reply, ok := strings.CutPrefix(text, "fixed:"); ok {
		return interp.Fixed(reply), nil
	}
	if text == "echo" {
		return interp.Echo{}, nil
	}
	return nil, usageError(badMock(where, text))
}

// approval is the standing answer of approve.
func (a *app) approval() (func(action string) bool, error) {
	switch text := a.env("SOMA_APPROVE", ""); text {
	case "":
		return nil, nil
	case "always", "never":
		return func(string) bool { return text == "always" }, nil
	default:
		return nil, usageError(badApproval(text))
	}
}
