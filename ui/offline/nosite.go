//go:build nosite

package offline

import (
	"embed"
	"io/fs"
)

// Built returns nothing: this program is built without the site.
func Built() fs.FS { return embed.FS{} }
