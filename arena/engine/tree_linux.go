package engine

import (
	"bytes"
	"os"
	"strconv"
	"strings"
	"syscall"
)

// descendants returns the living processes below an engine: its children, their children, and all
// that inherited its mark, such as those whose parents have ended. A pid may be reused at any time,
// so a process is opened before it is examined, and its parent must still live afterwards.
func descendants(engine *os.Process, mark string) map[int]*os.Process {
	found := map[int]*os.Process{engine.Pid: engine}
	for before := 0; len(found) > before; {
		before = len(found)
		entries, _ := os.ReadDir("/proc") // if it is missing, only the group is killed
		for _, entry := range entries {
			pid, err := strconv.Atoi(entry.Name())
			if err != nil || found[pid] != nil {
				continue
			}
			process, err := os.FindProcess(pid)
			if err != nil {
				continue
			}
			parent := found[parentOf(entry.Name())]
			if parent != nil && parent.Signal(syscall.Signal(0)) == nil ||
				marked(entry.Name(), mark) {
				found[pid] = process
			} else {
				_ = process.Release() // this closes only the handle
			}
		}
	}
	delete(found, engine.Pid)
	return found
}

// parentOf returns the parent of a process, or 0.
func parentOf(pid string) int {
	stat, _ := os.ReadFile("/proc/" + pid + "/stat") // it may have ended
	// The fields follow the name, which may contain anything.
	fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
	if len(fields) < 2 {
		return 0
	}
	parent, _ := strconv.Atoi(fields[1]) // always a number
	return parent
}

// marked reports whether a process was started with a variable in its environment.
func marked(pid, mark string) bool {
	environment, _ := os.ReadFile("/proc/" + pid + "/environ") // it may belong to another user
	return bytes.Contains(environment, []byte(mark+"="))
}
