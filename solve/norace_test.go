//go:build !race

package solve

const raced = false
