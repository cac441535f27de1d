# The two commands to know are `make verify` and `make test`: both work on a fresh machine that
# has Go, and say what to install where they may not install it themselves.

export CGO_ENABLED := 0

GO      ?= go
SOMA    := bin/soma
EXAMPLE := testdata/examples/refund_desk.cell

.PHONY: verify test build setup race bench mutate fuzz fmt

verify: setup build
	$(SOMA) verify $(EXAMPLE)

test: setup
	$(GO) vet ./...
	$(GO) test -timeout 30m ./...

build:
	$(GO) build -o $(SOMA) ./cmd/soma

# Sees to it that libz3 can be loaded.
setup:
	@GO='$(GO)' scripts/setup

# The race detector needs a C compiler.
race: setup
	CGO_ENABLED=1 $(GO) test -race ./...

# Times and memory: of the example, of large programs, of extreme shapes, of the interpreter.
bench: setup build
	@$(GO) run ./scripts/bench $(SOMA) $(EXAMPLE)

# Small changes of all programs: whatever is proven of them is held against runs. Takes an hour.
mutate: setup
	@$(GO) run ./scripts/mutate testdata/examples testdata/corpus testdata/prove

# Fuzz targets, those whose package and name fit FUZZ, for FUZZTIME each.
FUZZTIME ?= 30s
FUZZ     ?= .
fuzz:
	@GO='$(GO)' $(GO) run ./scripts/fuzz -time $(FUZZTIME) -targets '$(FUZZ)'

fmt:
	gofmt -l -w .
