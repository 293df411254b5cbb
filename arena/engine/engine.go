// Package engine implements both ends of the line protocol for engines, the Universal Game
// Interface: [Serve] is an engine, and a [Process] is a running engine of someone else.
// docs/protocol.md describes the protocol.
package engine
