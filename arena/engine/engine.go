// Package engine holds both ends of the line protocol for engines, the Universal Game Interface: [Serve] is an engine, and a [Process] is
// somebody else's at work. The protocol is told in docs/protocol.md.
package engine
