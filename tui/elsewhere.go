package tui

import (
	"digitduel/match"
)

// Elsewhere is what is known of a table that another program keeps, beside its events.
type Elsewhere interface {
	// Presence returns who is there, and a channel that is closed when that or what Lost tells has changed.
	Presence() (match.Presence, <-chan struct{})
	// Lost returns why the table cannot be reached now; nil: it can.
	Lost() error
}
