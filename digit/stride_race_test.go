//go:build race

package digit

// lawStride says that under the race detector, where this is ten times slower, the laws are checked for one position in ten.
const lawStride = 10
