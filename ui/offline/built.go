//go:build !nosite

package offline

import (
	"embed"
	"io/fs"
)

//go:embed all:built
var built embed.FS

// Built returns what make has built for the site.
func Built() fs.FS {
	sub, _ := fs.Sub(built, "built") // a constant path
	return sub
}
