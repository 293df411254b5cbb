# make build    build duel, stripped
# make test     run all tests; install the programs they need, if allowed
# make lint     check formatting, modules, static checks, dead code, words, spelling, Windows
# make nightly  the rest: tests at full size, races everywhere, benchmarks, breaks, other systems
# make bench    measure the figures of docs/bench.md
# make breaks   break each clause of docs/rulings.md in turn, which its tests must find
# make torture  kill servers and fuzz for an hour: docs/reliability.md
# make dist     write archives for all systems to dist/
.PHONY: test tests lint nightly bench breaks torture update build dist

TOOL = go tool -modfile=tools/go.mod
TEST = go test -json -vet=off -timeout 30m -p 2 -parallel 4 # many tests wait; make lint runs vet

# RACED are the packages that RACE=-race applies to: their goroutines share memory
RACED = ./arena/engine ./bot ./match/... ./ui/mcp ./ui/web ./ui/web/load
# SHARED are the tests of other packages in which goroutines share memory
SHARED = Sweep|Solver|Workers|Cancel|Commit|Group|Close|OneWriter|OneServer|Several|WhileWriting|Hear|AtOnce

test:
	@"$$(go -C tools tool -n skips)" $(MAKE) --no-print-directory tests # ends with a list of skipped tests

tests:
	@tools/needs.sh
	$(TEST) $$(go list ./... | grep -vxF "$$(go list $(RACED))")
	$(TEST) $(RACE) $(RACED)
	$(if $(RACE),$(TEST) $(RACE) -run '$(SHARED)' ./lab ./solve ./store)
	go -C tools test -json -vet=off ./...

nightly: # DUEL_NIGHTLY makes tests run at full size
	DUEL_NIGHTLY=1 $(MAKE) lint test
	$(MAKE) test RACE=-race RACED=./...
	"$$(go -C tools tool -n cross)" linux darwin freebsd
	go test -timeout 60m -run '^$$' -bench . -benchtime 1x ./...
	$(MAKE) breaks dist

lint:
	@test -z "$$(gofmt -l .)" || { echo "not formatted:"; gofmt -l .; exit 1; }
	go mod tidy -diff
	go -C tools mod tidy -diff
	go vet ./...
	tool="$$(go -C tools tool -n lint)" && go vet -vettool="$$tool" ./... # tools/lint lists its checks and exceptions
	go fix -diff ./...
	$(TOOL) staticcheck ./...
	$(TOOL) unparam ./...
	dead="$$($(TOOL) deadcode ./cmd/duel)" && test -z "$$dead" || { echo "$$dead"; exit 1; } # code that only tests use
	"$$(go -C tools tool -n english)" # words, and lines over 100 columns
	git ls-files | xargs $(TOOL) misspell -error
	"$$(go -C tools tool -n cross)" windows # make nightly checks the others

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

build:
	CGO_ENABLED=0 go build -trimpath -buildvcs=auto -ldflags='-s -w' -o duel ./cmd/duel

dist:
	"$$(go -C tools tool -n digitduel/tools/dist)"
