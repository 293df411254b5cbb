//go:build !linux

package engine

import "os"

// descendants returns nothing: processes are not listed here.
func descendants(*os.Process, string) map[int]*os.Process { return nil }
