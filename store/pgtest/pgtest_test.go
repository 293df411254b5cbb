//go:build unix

package pgtest

import (
	"errors"
	"os"
	"testing"

	"github.com/jackc/pgx/v5"
)

func TestDatabasesAreFreshAndApart(t *testing.T) {
	a, b := Start(t), Start(t)
	for _, dsn := range []string{a, b} {
		conn, err := pgx.Connect(t.Context(), dsn)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := conn.Exec(t.Context(), "CREATE TABLE here (n integer)"); err != nil {
			t.Errorf("%s: %v", dsn, err)
		}
		if err := conn.Close(t.Context()); err != nil {
			t.Error(err)
		}
	}
}

// TestPrivateFolder starts a server when its user may not enter the folder for temporary files.
func TestPrivateFolder(t *testing.T) {
	dir := t.TempDir()
	if err := os.Chmod(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("TMPDIR", dir)
	New(t)
}

func TestServerComesBackWithItsData(t *testing.T) {
	s := New(t)
	dsn := s.Database(t)
	run := func(statement string) error {
		conn, err := pgx.Connect(t.Context(), dsn)
		if err != nil {
			return err
		}
		_, err = conn.Exec(t.Context(), statement)
		return errors.Join(err, conn.Close(t.Context()))
	}
	if err := run("CREATE TABLE here (n integer)"); err != nil {
		t.Fatal(err)
	}
	for name, lose := range map[string]func(testing.TB){"stop": s.Stop, "kill": s.Kill} {
		lose(t)
		if err := run("SELECT 1"); err == nil {
			t.Errorf("after %s the server still answers", name)
		}
		s.Start(t)
		if err := run("INSERT INTO here VALUES (1)"); err != nil {
			t.Errorf("after %s and start: %v", name, err)
		}
	}
}
