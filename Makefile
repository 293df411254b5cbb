# make test   passes all tests, after installing what they need where that is allowed
# make lint   formatting, vet and static checks
# make bench  the figures of docs/bench.md
.PHONY: test lint bench update build

test:
	@tools/needs.sh
	@go test $(RACE) -run '^$$' ./... >/dev/null # compiles on all cores
	go test -p 1 $(RACE) ./... # one package after the other, since some measure time

lint:
	@test -z "$$(gofmt -l .)" || { echo "not formatted:"; gofmt -l .; exit 1; }
	go vet ./...
	go fix -diff ./...
	go tool -modfile=tools/go.mod staticcheck ./...

bench:
	go test -run '^$$' -bench . -benchmem -cpu 1 ./...

update: # writes the golden files anew; read the difference before you keep it
	go test . ./digit ./bot ./coach ./cli ./tui -update

build:
	CGO_ENABLED=0 go build -trimpath -o duel ./cmd/duel
