//go:build !unix

package load

// allowFiles has nothing to do where the system does not limit connections.
func allowFiles(int) error { return nil }
