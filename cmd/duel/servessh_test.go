package main

import (
	"errors"
	"net"
	"path/filepath"
	"testing"
	"time"

	"digitduel/store"
	"digitduel/ui/gate"
	"digitduel/ui/ssh"
)

// TestSSHNotes checks that the settings of a player with a key count as used when they come back,
// and that the code of their seat is not shown to them.
func TestSSHNotes(t *testing.T) {
	t.Parallel()
	now := time.Now().AddDate(0, 0, -60)
	where := filepath.Join(t.TempDir(), "duel.db")
	db, err := store.Open(t.Context(), where, store.Config{Now: func() time.Time { return now }})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	const seats = `{"seats":[{"server":"http://127.0.0.1:0","table":"abc","token":"t"}]}`
	err = errors.Join(db.SetNote(t.Context(), "settings of key", []byte("{}")),
		db.SetNote(t.Context(), "seats of key", []byte(seats)))
	if err != nil {
		t.Fatal(err)
	}
	now = time.Now()
	h := sshHost{db: db, limiter: gate.New(gate.Config{Now: time.Now}), wire: ssh.NewWire()}
	visitor := ssh.Visitor{Key: "key", Local: &net.TCPAddr{}, From: &net.TCPAddr{}}
	world, _, farewell := h.open(visitor)
	if text, err := world.Load(); err != nil || string(text) != "{}" {
		t.Errorf("got settings %q, %v", text, err)
	}
	if got := farewell(); got != "" {
		t.Errorf("got farewell %q, want none", got)
	}
	if _, err := db.Prune(t.Context(), now.AddDate(0, 0, -30), time.Time{}); err != nil {
		t.Fatal(err)
	}
	for name, kept := range map[string]bool{"settings of key": true, "seats of key": false} {
		if text, err := db.Note(t.Context(), name); err != nil || (text != nil) != kept {
			t.Errorf("%s: got %q, %v, want it kept: %v", name, text, err, kept)
		}
	}
}
