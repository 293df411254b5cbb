# make test    passes all tests, after getting what they need where that is allowed
# make lint    formatting, modules, static checks, dead code, spelling, other systems
# make bench   the figures of docs/bench.md
# make breaks  breaks each clause of docs/rulings.md in turn, and demands that its tests find that
# make torture kills servers and fuzzes, until it was often enough or something is lost: docs/reliability.md
# make dist    what is handed out, for all systems, into dist/
.PHONY: test tests lint bench breaks torture update build dist

TOOL = go tool -modfile=tools/go.mod

# packages that start no goroutine, but for the sweeps of the lab; and tests of cmd/duel and tui that do one thing after another, much of it
ALONE = ./digit ./rulebook ./coach ./arena/disguise ./lab
LONG = ^Test(Scripts|NewBook|MatchInWords|PythonInWords|ExamInWords|LevelsPlaced|Init|Startup|Repairs|Walk|PlainSaysAll|NothingIsCut)$$

test:
	@"$$(go -C tools tool -n skips)" $(MAKE) --no-print-directory tests # ends with what was skipped, and why

tests:
	@tools/needs.sh
	@go test $(RACE) -run '^$$' ./... >/dev/null # compiles on all cores
	go test -json -timeout 20m $(ALONE) # the race detector would only make their many positions slow
	go test -json $(RACE) ./lab -run Sweep
	go test -json -timeout 20m ./cmd/duel ./ui/tui -run '$(LONG)'
	go test -json -p 2 -timeout 20m -skip '$(LONG)' $(RACE) $$(go list ./... | grep -vxF "$$(go list $(ALONE))") # most of them wait most of the time; those that measure it compare
	go -C tools test -json -timeout 20m ./...

lint:
	@test -z "$$(gofmt -l .)" || { echo "not formatted:"; gofmt -l .; exit 1; }
	go mod tidy -diff
	go -C tools mod tidy -diff
	go vet ./...
	tool="$$(go -C tools tool -n lint)" && go vet -vettool="$$tool" ./... # tools/lint says what it checks and excuses
	go fix -diff ./...
	$(TOOL) staticcheck ./...
	$(TOOL) unparam ./...
	dead="$$($(TOOL) deadcode ./cmd/duel)" && test -z "$$dead" || { echo "$$dead"; exit 1; } # what only tests use
	git ls-files | xargs $(TOOL) misspell -error
	"$$(go -C tools tool -n cross)" linux darwin windows freebsd

bench:
	go test -run '^$$' -bench . -benchmem -cpu 1 ./...

breaks:
	go test ./docs -run TestBreaks -breaks all -v -timeout 60m

torture: # goes on where it was interrupted, or with FRESH=1 begins anew; KILLS and FUZZ say how often
	@tools/needs.sh
	"$$(go -C tools tool -n torture)" -kills $(or $(KILLS),1000) -fuzz $(or $(FUZZ),10000000) $(if $(FRESH),-fresh)

update: # writes the golden files anew; read the difference before you keep it
	go test ./docs ./digit ./rulebook ./bot ./coach ./ui/cli ./ui/tui -update
	go test ./lab -run TestBalance -update
	go test ./cmd/duel -run TestLevelsPlaced -update
	go test ./ui/web/browsertest -run TestPictures -update
	go test ./ui/mcp/clienttest -run TestSession -update

build:
	CGO_ENABLED=0 go build -trimpath -o duel ./cmd/duel

dist:
	"$$(go -C tools tool -n digitduel/tools/dist)"
