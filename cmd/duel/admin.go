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

	"digitduel/rulebook"
	"digitduel/store"
)

func adminCommand() *cobra.Command {
	cmd := group("admin", "Manage a server's database",
		backupCommand(), restoreCommand(), checkCommand(), pruneCommand())
	cmd.Example = "duel admin backup duel-monday.db\nduel admin check --db games.db"
	return cmd
}

func backupCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "backup FILE",
		Short: "Back up a database",
		Long: "Servers may be running. The new file is a snapshot, and itself a database that " +
			"duel serve --db FILE opens, even if the original is in PostgreSQL.",
		Example: "duel admin backup /backups/duel-monday.db\n" +
			"duel admin backup --db postgres://duel@db/duel duel.db",
		Args: one("file"),
	}
	return ofDatabase(cmd, func(d *store.DB, args []string) error {
		err := d.Backup(cmd.Context(), args[0])
		if err == nil {
			cmd.Printf("backed up to %s\n", args[0])
		}
		return err
	})
}

func restoreCommand() *cobra.Command {
	var db string
	var force bool
	cmd := &cobra.Command{
		Use:   "restore FILE",
		Short: "Restore a backup",
		Long: "The database, a file or in PostgreSQL, gets all of the backup or, on an error, " +
			"stays unchanged. No server may be running. The database must be empty, or use " +
			"--force. Links of players stay valid. A backup of an older version is upgraded; the " +
			"file itself is not changed.",
		Example: "duel admin restore /backups/duel-monday.db\n" +
			"duel admin restore --db postgres://duel@db/duel duel.db",
		Args: one("file"),
		RunE: func(cmd *cobra.Command, args []string) error {
			where, err := databaseAt(db)
			if err != nil {
				return err
			}
			rows, err := store.Restore(cmd.Context(), where, args[0], force)
			if errors.Is(err, store.ErrNotEmpty) {
				return fmt.Errorf("%w; --force replaces them by the backup", err)
			}
			if err == nil {
				cmd.Printf("restored %d rows of %s\n", rows, args[0])
			}
			return err
		},
	}
	dbFlag(cmd.Flags(), &db)
	cmd.Flags().BoolVar(&force, "force", false, "delete the content of the database first")
	return cmd
}

func checkCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "check",
		Short: "Check every table by replaying it",
		Long: "Servers may be running. The check finds missing events, illegal moves, lists that " +
			"do not match the events, and damaged files. It prints a line for each fault, and " +
			"then exits with code 1.",
		Example: "duel admin check\nduel admin check --db postgres://duel@db/duel --json",
		Args:    noArguments,
	}
	asJSON := jsonFlag(cmd, "write each fault and the totals as JSON lines")
	return ofDatabase(cmd, func(d *store.DB, _ []string) error {
		sum, err := d.Check(cmd.Context(), func(f store.Problem) {
			switch {
			case *asJSON:
				_ = printJSON(cmd, f) // the output remembers its error
			case f.Table == "":
				cmd.Println(f.Text)
			default:
				cmd.Printf("table %s: %s\n", f.Table, f.Text)
			}
		})
		switch {
		case err != nil:
		case *asJSON:
			err = printJSON(cmd, sum)
		default:
			cmd.Printf("checked %s, %s, %s: %s\n", rulebook.Plural(sum.Tables, "table"),
				rulebook.Plural(sum.Events, "event"), rulebook.Plural(sum.Games, "finished game"),
				rulebook.Plural(sum.Problems, "fault"))
		}
		if err == nil && sum.Problems > 0 {
			err = fmt.Errorf("the database has %s", rulebook.Plural(sum.Problems, "fault"))
		}
		return err
	})
}

func pruneCommand() *cobra.Command {
	var idle, finished string
	var idleSince, finishedSince time.Time
	cmd := &cobra.Command{
		Use:   "prune",
		Short: "Delete inactive tables",
		Long: "Deletes unfinished tables, with their games, and unfinished exams that did not " +
			"change for some time, and settings and seats of players over SSH who did not come " +
			"back, and makes the file smaller. Finished tables and exams stay, unless " +
			"--finished is given.",
		Example: "duel admin prune\nduel admin prune --idle 7d --finished 365d",
		Args:    noArguments,
		PreRunE: func(*cobra.Command, []string) (err error) {
			now := time.Now()
			if idleSince, err = ago(now, "idle", idle); err == nil {
				finishedSince, err = ago(now, "finished", finished)
			}
			return err
		},
	}
	ofDatabase(cmd, func(d *store.DB, _ []string) error {
		n, err := d.Prune(cmd.Context(), idleSince, finishedSince)
		if err != nil {
			return err
		}
		exams, err := d.PruneSittings(cmd.Context(), idleSince, finishedSince)
		if err != nil {
			return fmt.Errorf("deleted %d tables, but not all exams: %w", n, err)
		}
		what := fmt.Sprintf("%d tables", n)
		if exams > 0 {
			what += fmt.Sprintf(" and %d exams", exams)
		}
		cmd.Println("deleted " + what)
		return nil
	})
	f := cmd.Flags()
	f.StringVar(&idle, "idle", "30d",
		"unchanged time of unfinished tables and exams, as in 12h (0 = keep)")
	f.StringVar(&finished, "finished", "0",
		"unchanged time of finished ones, as in 365d (default 0 = keep)")
	return cmd
}

// ofDatabase makes a command open the database of a server, which may be running, and call do.
func ofDatabase(
	cmd *cobra.Command, do func(d *store.DB, args []string) error,
) *cobra.Command {
	var db string
	dbFlag(cmd.Flags(), &db)
	cmd.RunE = func(_ *cobra.Command, args []string) error {
		where, err := databaseAt(db)
		if err != nil {
			return err
		}
		_, err = os.Stat(where)
		if errors.Is(err, fs.ErrNotExist) && !strings.Contains(where, "://") {
			return fmt.Errorf("database %s: no such file", where)
		}
		d, err := store.Open(cmd.Context(), where, store.Config{})
		if err != nil {
			return err
		}
		return errors.Join(do(d, args), d.Close())
	}
	return cmd
}

// ago returns the time that lies an age such as 30d or 12h before now, or the zero time for 0.
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
