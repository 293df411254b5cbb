//go:build !unix

package web

// processorTime is not known here.
func processorTime() float64 { return 0 }
