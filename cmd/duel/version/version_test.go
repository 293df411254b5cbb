package version

import (
	"runtime/debug"
	"testing"
)

// TestText checks the version text for each way to build the program.
func TestText(t *testing.T) {
	const revision = "3c9966d92dc372a634940864d60f78dc23ae98e2"
	built := func(settings ...debug.BuildSetting) *debug.BuildInfo {
		return &debug.BuildInfo{Settings: settings}
	}
	at := debug.BuildSetting{Key: "vcs.revision", Value: revision}
	for _, tt := range []struct {
		name, commit string
		info         *debug.BuildInfo
		want         string
	}{
		{"go build", "", built(at, debug.BuildSetting{Key: "vcs.modified", Value: "false"}), "3c9966d92dc3"},
		{"changed", "", built(at, debug.BuildSetting{Key: "vcs.modified", Value: "true"}), "3c9966d92dc3, modified"},
		{"archive", revision, built(), "3c9966d92dc3"},
		{"go run", "", built(), "devel"},
		{"no build information", "", nil, "devel"},
	} {
		if got, want := text(tt.info, tt.commit), Number+" ("+tt.want+")"; got != want {
			t.Errorf("%s: %s, want %s", tt.name, got, want)
		}
	}
}
