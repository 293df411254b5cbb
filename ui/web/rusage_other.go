//go:build !unix

package web

// processorTime returns 0: the time is not known on this system.
func processorTime() float64 { return 0 }
