package digit

import "os"

// nightly reports whether tests run at full size. make nightly sets the variable.
var nightly = os.Getenv("DUEL_NIGHTLY") != ""

// lawStride is the step between the positions that are checked against the laws.
var lawStride = map[bool]int{true: 1, false: 10}[nightly]
