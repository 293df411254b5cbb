//go:build race

package digit

// Under the race detector, where this is ten times slower, the laws are checked for one position in ten, up to a point.
const lawStride, mostPositions = 10, 100_000
