package main

import (
	"encoding/json"
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
	return group("admin", "Look after the database of a server: back it up, restore it, check it, delete what is old",
		backupCommand(), restoreCommand(), checkCommand(), pruneCommand())
}

func backupCommand() *cobra.Command {
	var db string
	cmd := &cobra.Command{
		Use:   "backup FILE",
		Short: "Copy the database to a new file while servers go on",
		Long: "Copy the database to a new file while servers go on. The copy is as of one moment, and is itself a database that\n" +
			"duel serve --db FILE opens, also when it was made of a PostgreSQL database.",
		Example: "  duel admin backup /backups/duel-monday.db\n  duel admin backup --db postgres://duel@db/duel duel.db",
		Args:    oneFile,
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

// oneFile wants the name of a file.
func oneFile(cmd *cobra.Command, args []string) error {
	if len(args) != 1 {
		return usagef("%s %q: one file is wanted", cmd.Name(), strings.Join(args, " "))
	}
	return nil
}

func restoreCommand() *cobra.Command {
	var db string
	var force bool
	cmd := &cobra.Command{
		Use:   "restore FILE",
		Short: "Put a backup into the database",
		Long: "Put a backup into the database, a file or PostgreSQL, wherever it was made of. All of it is restored or, if something is wrong,\n" +
			"nothing is changed. No server may be running on the database, which has to be empty unless --force says otherwise. Links that\n" +
			"players have go on working. A backup of an older program is brought forward; the file itself is not changed.",
		Example: "  duel admin restore /backups/duel-monday.db\n  duel admin restore --db postgres://duel@db/duel duel.db",
		Args:    oneFile,
		RunE: func(cmd *cobra.Command, args []string) error {
			where, err := whereIs(db)
			if err != nil {
				return err
			}
			rows, next := 0, time.Now().Add(tellEvery)
			err = store.Restore(cmd.Context(), where, args[0], force, func(n, all int) {
				if rows = n; n%1000 == 0 && time.Now().After(next) {
					next = time.Now().Add(tellEvery)
					fmt.Fprintf(cmd.ErrOrStderr(), "restored %d of %d rows\n", n, all)
				}
			})
			if errors.Is(err, store.ErrNotEmpty) {
				return fmt.Errorf("%w; --force deletes them and puts the backup in their place", err)
			}
			if err != nil {
				return err
			}
			_, err = fmt.Fprintf(cmd.OutOrStdout(), "restored %d rows of %s\n", rows, args[0])
			return err
		},
	}
	dbFlag(cmd.Flags(), &db)
	cmd.Flags().BoolVar(&force, "force", false, "delete what is in the database first")
	return cmd
}

// tellEvery is how often a command that takes long says how far it is.
const tellEvery = 2 * time.Second

func checkCommand() *cobra.Command {
	var db string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "check",
		Short: "Verify every table of the database by replaying it",
		Long: "Verify every table of the database by replaying it, while servers go on: no event is missing, every move is legal, what lists\n" +
			"show is what follows from the events, and a file is not damaged. Each fault is a line; with one or more the exit code is 1.",
		Example: "  duel admin check\n  duel admin check --db postgres://duel@db/duel --json",
		Args:    noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return withDatabase(cmd, db, func(d *store.DB) error { return check(cmd, d, asJSON) })
		},
	}
	dbFlag(cmd.Flags(), &db)
	cmd.Flags().BoolVar(&asJSON, "json", false, "one JSON object a line: each fault, and at last what was checked")
	return cmd
}

// check tells every fault of a database, and how many there are.
func check(cmd *cobra.Command, d *store.DB, asJSON bool) error {
	out := cmd.OutOrStdout()
	lines := json.NewEncoder(out)
	var failed error // to write
	sum, err := d.Check(cmd.Context(), func(f store.Problem) {
		switch {
		case asJSON:
			failed = errors.Join(failed, lines.Encode(f))
		case f.Table == "":
			_, err := fmt.Fprintln(out, f.Fault)
			failed = errors.Join(failed, err)
		default:
			_, err := fmt.Fprintf(out, "table %s: %s\n", f.Table, f.Fault)
			failed = errors.Join(failed, err)
		}
	})
	if err := errors.Join(failed, err); err != nil {
		return err
	}
	if asJSON {
		err = lines.Encode(sum)
	} else {
		_, err = fmt.Fprintf(out, "checked %d tables, %d events, %d finished games: %d faults\n", sum.Tables, sum.Events, sum.Games, sum.Faults)
	}
	if err == nil && sum.Faults > 0 {
		err = fmt.Errorf("the database has %d faults", sum.Faults)
	}
	return err
}

func pruneCommand() *cobra.Command {
	var db string
	var idle, finished string
	cmd := &cobra.Command{
		Use:   "prune",
		Short: "Delete tables that nobody has been at for long",
		Long: "Delete tables that nobody has been at for long, with their games, and exams that nobody went on with, and give the room in the\n" +
			"file back. Finished games and exams are kept unless --finished says otherwise.",
		Example: "  duel admin prune\n  duel admin prune --idle 7d --finished 365d",
		Args:    noArguments,
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
				exams, err := d.PruneSittings(cmd.Context(), idleSince, finishedSince)
				if err != nil {
					return fmt.Errorf("deleted %d tables, but not all exams: %w", n, err)
				}
				what := fmt.Sprintf("%d tables", n)
				if exams > 0 {
					what += fmt.Sprintf(" and %d exams", exams)
				}
				room, err := d.Shrink(cmd.Context())
				if err != nil {
					return fmt.Errorf("deleted %s, but the file could not be made smaller: %w", what, err)
				}
				_, err = fmt.Fprintf(cmd.OutOrStdout(), "deleted %s%s\n", what, roomText(n+exams, room))
				return err
			})
		},
	}
	f := cmd.Flags()
	dbFlag(cmd.Flags(), &db)
	f.StringVar(&idle, "idle", "30d", "delete unfinished tables and exams without a change for so long, as in 30d or 12h; 0: none")
	f.StringVar(&finished, "finished", "0", "delete finished tables and exams without a change for so long, as in 365d; 0: none")
	return cmd
}

// roomText tells what became of the room that tables had.
func roomText(tables int, r *store.Space) string {
	switch {
	case r == nil && tables > 0:
		return "; PostgreSQL gives their room to new ones"
	case r == nil:
	case r.Freed > 0:
		return fmt.Sprintf("; the file is %.1f MB smaller", float64(r.Freed)/1e6)
	case r.Free > 0:
		return fmt.Sprintf("; %.1f MB of the file are free for new ones (to make it smaller, prune while no server runs)", float64(r.Free)/1e6)
	}
	return ""
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
