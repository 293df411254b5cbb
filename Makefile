# make build    build duel, stripped, with the offline site
# make offline  compile the program of the offline site, which duel embeds
# make test     run all tests; install the programs they need, if allowed
# make lint     check formatting, modules, static checks, dead code, words, spelling, Windows
# make nightly  the rest: tests at full size, races everywhere, benchmarks, breaks, other systems
# make bench    measure the figures of docs/bench.md
# make breaks   break each clause of docs/rulings.md in turn, which its tests must find
# make torture  kill servers and fuzz for an hour: docs/reliability.md
# make wheel    write the Python package for this system to dist/
# make dist     write archives and Python packages for all systems to dist/
.PHONY: test tests raced lint nightly bench breaks torture update offline build wheel dist

# With -trimpath, the build cache serves every clone, and tests share packages with make build. With
# -ldflags=-s, linking takes half the time.
export GOFLAGS := $(strip $(GOFLAGS) -trimpath -ldflags=-s)

# Checks and tests take about a tenth less time if garbage is collected less often.
export GOGC ?= 400

TOOL = go tool -modfile=tools/go.mod
# make lint runs vet. Many tests wait, so four run at a time. The cache does not know that variables
# of tests depend on DUEL_NIGHTLY.
TEST = go test -json -vet=off -timeout 30m -parallel 4 $(if $(DUEL_NIGHTLY),-count=1)

# LONG are the packages whose tests take longest, most of it waiting: they start first
LONG = ./cmd/duel ./ui/web/browsertest ./python $(if $(RACE),,./store ./arena/engine)
# With RACE=-race, all tests of RACED run with the race detector, and so do the tests SHARED of ALSO,
# in which goroutines share memory. Elsewhere it costs minutes and make nightly does it.
RACED = ./match/... ./ui/gate ./ui/web/load
ALSO = ./arena ./arena/engine ./lab ./solve ./store ./ui/mcp ./ui/web
SHARED = AtOnce BeingThere Cache Cancel Close Commit Connections Gone Group Hear HTTPHolds InDoubt \
	LastInfos Leftover Live Metrics NoneOvertakes OneServer OneWriter OwnClock OwnWork Presence Queue \
	RaceForSeat Retries ReviewOnce Several Solver Stream Sweep TestFaults Watche WhileWriting Work
space = $() $()
SHARED_TESTS = '$(subst $(space),|,$(strip $(SHARED)))'

test: offline # ends with a list of skipped tests
	@"$$(go -C tools tool -n skips)" tools/needs.sh "$(MAKE) --no-print-directory tests" \
		"$(MAKE) --no-print-directory raced"

tests:
	go run -exec true ./cmd/duel # links it once for all tests that run it
	$(TEST) -p 3 $(LONG) $$(go list ./... | grep -vxF "$$(go list $(LONG) $(if $(RACE),$(RACED) $(ALSO)))")

raced:
	go -C tools test -json -vet=off ./...
	$(if $(RACE),$(TEST) -p 2 -skip $(SHARED_TESTS) $(ALSO))
	$(if $(RACE),$(TEST) -race -p 2 $(RACED))
	$(if $(RACE),$(TEST) -race -p 2 -run $(SHARED_TESTS) $(ALSO))
	$(if $(BREAKS),$(TEST) ./docs -run TestBreaks -breaks $(BREAKS))

nightly: # DUEL_NIGHTLY makes tests run at full size
	DUEL_NIGHTLY=1 $(MAKE) lint test
	go test -race -vet=off -timeout 120m -parallel 4 ./...
	"$$(go -C tools tool -n cross)" linux darwin freebsd
	go test -timeout 60m -run '^$$' -bench . -benchtime 1x ./...
	$(MAKE) breaks dist

lint:
	@$(MAKE) --no-print-directory -j 2 -O $(LINTS)

# LINTS are the checks of make lint; those that take longest come first
LINTS = lint-code lint-dead lint-systems lint-modules lint-words lint-parameters
.PHONY: $(LINTS)

lint-modules:
	@test -z "$$(gofmt -l .)" || { echo "not formatted:"; gofmt -l .; exit 1; }
	go mod tidy -diff
	go -C tools mod tidy -diff

# tools/lint, which lists its checks and exceptions, has those of go vet. It is built without paths,
# as go tool would not: go vet then caches its results for every clone.
lint-code:
	dir="$$(mktemp -d)" && trap 'rm -rf "$$dir"' EXIT && \
		go -C tools build -buildvcs=false -o "$$dir/lint" ./lint && \
		go vet -vettool="$$dir/lint" ./...
	go fix -diff ./...

lint-dead: # code that only tests use
	dead="$$($(TOOL) deadcode ./cmd/duel)" && test -z "$$dead" || { echo "$$dead"; exit 1; }

lint-parameters:
	$(TOOL) unparam ./...

lint-words: # and lines over 100 columns
	"$$(go -C tools tool -n english)"
	git ls-files | xargs $(TOOL) misspell -error

lint-systems: # make nightly checks the others
	"$$(go -C tools tool -n cross)" windows

bench:
	go test -run '^$$' -bench . -benchmem -cpu 1 ./...

breaks:
	go test ./docs -run TestBreaks -breaks all -v -timeout 120m

torture: # resumes an interrupted run, unless FRESH=1; KILLS and FUZZ are counts
	@tools/needs.sh
	"$$(go -C tools tool -n torture)" -kills $(or $(KILLS),1000) -fuzz $(or $(FUZZ),10000000) $(if $(FRESH),-fresh)

update: # writes the golden files again; read the difference before you commit it
	go test ./docs ./digit ./rulebook ./bot ./coach ./ui/cli ./ui/tui -update
	go test ./lab -run TestBalance -update
	go test ./cmd/duel -run TestLevelsPlaced -update
	go test ./ui/web/browsertest -run TestPictures -update
	go test ./ui/mcp/clienttest -run TestSession -update

OFFLINE = ui/offline/built
offline: # compiles the program for browsers, which duel embeds
	GOOS=js GOARCH=wasm go build -trimpath -buildvcs=false -ldflags='-s -w -buildid=' \
		-o $(OFFLINE)/duel.wasm ./ui/offline/worker
	gzip -9nf $(OFFLINE)/duel.wasm
	cp "$$(go env GOROOT)/lib/wasm/wasm_exec.js" ui/web/static/icon.svg $(OFFLINE)/

build: offline
	CGO_ENABLED=0 go build -trimpath -buildvcs=auto -ldflags='-s -w' -o duel ./cmd/duel

wheel:
	"$$(go -C tools tool -n digitduel/tools/dist)" -wheel

dist: offline
	"$$(go -C tools tool -n digitduel/tools/dist)"
