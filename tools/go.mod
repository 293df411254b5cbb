module digitduel/tools

go 1.26.0

tool (
	digitduel/tools/cross
	digitduel/tools/dist
	digitduel/tools/english
	digitduel/tools/lint
	digitduel/tools/skips
	digitduel/tools/torture
	github.com/golangci/misspell/cmd/misspell
	golang.org/x/tools/cmd/deadcode
	mvdan.cc/unparam
)

require (
	github.com/jingyugao/rowserrcheck v1.1.1
	github.com/kisielk/errcheck v1.20.0
	github.com/nishanths/exhaustive v0.12.0
	github.com/polyfloyd/go-errorlint v1.8.0
	github.com/ryanrolds/sqlclosecheck v0.6.0
	github.com/timakin/bodyclose v0.0.0-20260723120731-857993a2939c
	golang.org/x/tools v0.51.0
	honnef.co/go/tools v0.8.2
)

require (
	github.com/BurntSushi/toml v1.4.1-0.20240526193622-a339e1f7089c // indirect
	github.com/golangci/misspell v0.8.0 // indirect
	github.com/gostaticanalysis/analysisutil v0.7.1 // indirect
	github.com/gostaticanalysis/comment v1.4.2 // indirect
	golang.org/x/exp/typeparams v0.0.0-20231108232855-2478ac86f678 // indirect
	golang.org/x/mod v0.41.0 // indirect
	golang.org/x/sync v0.23.0 // indirect
	golang.org/x/sys v0.48.0 // indirect
	golang.org/x/telemetry v0.0.0-20260924152758-ed294f943157 // indirect
	golang.org/x/tools/go/packages/packagestest v0.1.1-deprecated // indirect
	mvdan.cc/unparam v0.0.0-20260823230713-2fa3d841b0c8 // indirect
)
