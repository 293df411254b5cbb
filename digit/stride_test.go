//go:build !race

package digit

// The laws are checked for every position.
const lawStride, mostPositions = 1, 1 << 30
