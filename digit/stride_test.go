//go:build !race

package digit

// lawStride says that the laws are checked for every position.
const lawStride = 1
