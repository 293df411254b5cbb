package lab

import "os"

// nightly reports whether tests run at full size. make nightly sets the variable.
var nightly = os.Getenv("DUEL_NIGHTLY") != ""
