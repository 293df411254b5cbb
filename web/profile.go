package web

import (
	"fmt"
	"net/http"
	"runtime/pprof"
	"strconv"
	"time"
)

// serveProfile serves what go tool pprof asks for. The package of the standard library for it would make every start of the
// program slower.
func serveProfile(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/octet-stream")
	name := r.PathValue("name")
	if name != "profile" {
		p := pprof.Lookup(name)
		if p == nil {
			writeText(w, http.StatusNotFound, fmt.Sprintf("profile %q: allowed: profile, heap, allocs, goroutine, mutex, block, threadcreate\n", clip(name)))
			return
		}
		p.WriteTo(w, 0)
		return
	}
	seconds, err := strconv.Atoi(r.FormValue("seconds"))
	if err != nil || seconds < 1 || seconds > 300 {
		seconds = 30
	}
	control := http.NewResponseController(w)
	control.SetWriteDeadline(time.Now().Add(time.Duration(seconds)*time.Second + writeTimeout))
	if err := pprof.StartCPUProfile(w); err != nil {
		writeText(w, http.StatusConflict, "a profile is being taken already\n")
		return
	}
	defer pprof.StopCPUProfile()
	select {
	case <-time.After(time.Duration(seconds) * time.Second):
	case <-r.Context().Done():
	}
}
