//go:build !linux

package engine

import "os"

// descendants returns nil: processes cannot be listed on this system.
func descendants(*os.Process, string) map[int]*os.Process { return nil }
