package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"digitduel/store"
)

func adminCommand() *cobra.Command {
	return group("admin", "Look after the database of a server: back it up, delete what is old", backupCommand(), pruneCommand())
}

func backupCommand() *cobra.Command {
	var db string
	cmd := &cobra.Command{
		Use:   "backup FILE",
		Short: "Copy the database to a new file while servers go on",
		Long: "Copy the database to a new file while servers go on. The copy is as of one moment, and is itself a database that\n" +
			"duel serve --db FILE opens, also when it was made of a PostgreSQL database.",
		Example: "  duel admin backup /backups/duel-monday.db\n  duel admin backup --db postgres://duel@db/duel duel.db",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usagef("backup %q: one file is wanted", strings.Join(args, " "))
			}
			return nil
		},
		PreRunE: func(cmd *cobra.Command, _ []string) error { return fromEnvironment(cmd.Flags()) },
		RunE: func(cmd *cobra.Command, args []string) error {
			return withDatabase(cmd, db, func(d *store.DB) error {
				if err := d.Backup(cmd.Context(), args[0]); err != nil {
					return err
				}
				_, err := fmt.Fprintf(cmd.OutOrStdout(), "backed up to %s\n", args[0])
				return err
			})
		},
	}
	dbFlag(cmd.Flags(), &db)
	return cmd
}

func pruneCommand() *cobra.Command {
	var db string
	var idle, finished string
	cmd := &cobra.Command{
		Use:   "prune",
		Short: "Delete tables that nobody has been at for long",
		Long: "Delete tables that nobody has been at for long, with their games. Finished games are kept unless --finished says\n" +
			"otherwise.",
		Example: "  duel admin prune\n  duel admin prune --idle 7d --finished 365d",
		Args:    noArguments,
		PreRunE: func(cmd *cobra.Command, _ []string) error { return fromEnvironment(cmd.Flags()) },
		RunE: func(cmd *cobra.Command, _ []string) error {
			now := time.Now()
			idleSince, err := ago(now, "idle", idle)
			if err != nil {
				return err
			}
			finishedSince, err := ago(now, "finished", finished)
			if err != nil {
				return err
			}
			return withDatabase(cmd, db, func(d *store.DB) error {
				n, err := d.Prune(cmd.Context(), idleSince, finishedSince)
				if err != nil {
					return err
				}
				_, err = fmt.Fprintf(cmd.OutOrStdout(), "deleted %d tables\n", n)
				return err
			})
		},
	}
	f := cmd.Flags()
	dbFlag(f, &db)
	f.StringVar(&idle, "idle", "30d", "delete unfinished tables without a change for so long, as in 30d or 12h; 0: none")
	f.StringVar(&finished, "finished", "0", "delete finished tables without a change for so long, as in 365d; 0: none")
	return cmd
}

// withDatabase does something with the database of a server, which may be running.
func withDatabase(cmd *cobra.Command, db string, do func(*store.DB) error) error {
	where, err := whereIs(db)
	if err != nil {
		return err
	}
	if _, err := os.Stat(where); errors.Is(err, fs.ErrNotExist) && !strings.Contains(where, "://") {
		return fmt.Errorf("database %s: it is not there", where)
	}
	d, err := store.Open(cmd.Context(), where, store.Config{})
	if err != nil {
		return err
	}
	return errors.Join(do(d), d.Close())
}

// ago returns the moment that lies a time such as 30d or 12h back; 0 is no moment.
func ago(now time.Time, flag, text string) (time.Time, error) {
	if text == "0" {
		return time.Time{}, nil
	}
	wrong := usagef("%s %q: allowed: a time such as 30d or 12h, or 0 for none", flag, text)
	if days, ok := strings.CutSuffix(text, "d"); ok {
		n, err := strconv.Atoi(days)
		if err != nil || n < 1 {
			return time.Time{}, wrong
		}
		return now.AddDate(0, 0, -n), nil
	}
	d, err := time.ParseDuration(text)
	if err != nil || d <= 0 {
		return time.Time{}, wrong
	}
	return now.Add(-d), nil
}
