package main

import (
	"strings"

	"github.com/spf13/cobra"

	"digitduel/ui/offline"
)

func siteCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "site DIR",
		Short: "Write the games as a static website",
		Long: "Writes a folder that any static https host can serve under any path. The pages " +
			"are those of duel serve, answered in the visitor's browser: games against the " +
			"computer and for two on one device, puzzles, reviews and rules work without a " +
			"connection. docs/offline.md describes how to publish it.",
		Example: "duel site public\nduel site /srv/www/duel",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usagef("site: want one folder (try: duel site public)")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			files, err := offline.Files(offline.Built())
			if err != nil {
				return err
			}
			if err := offline.Write(args[0], files); err != nil {
				return err
			}
			packed, plain := 0, 0
			for name, text := range files {
				if !strings.HasSuffix(name, ".gz") {
					plain += len(text)
				}
				if !strings.HasSuffix(name, ".wasm") {
					packed += len(text)
				}
			}
			cmd.Printf("%s: %d files; %.1f MB to download, %.1f MB unpacked\n",
				args[0], len(files), float64(packed)/1e6, float64(plain)/1e6)
			return nil
		},
	}
}
