package disk_test

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"digitduel/disk"
)

// TestWriteFile checks that a file is replaced as a whole: a program that has opened it still reads
// the old text, and no other file is left.
func TestWriteFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	if err := disk.WriteFile(path, []byte("a long old text"), 0o600); err != nil {
		t.Fatal(err)
	}
	old, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	if runtime.GOOS == "windows" { // an open file cannot be replaced there
		if err := old.Close(); err != nil {
			t.Fatal(err)
		}
	}
	defer old.Close() //nolint:errcheck // it is only read
	if err := disk.WriteFile(path, []byte("new"), 0o600); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(path); err != nil || string(text) != "new" {
		t.Errorf("got %q, %v, want new", text, err)
	}
	if text, err := io.ReadAll(old); runtime.GOOS != "windows" &&
		(err != nil || string(text) != "a long old text") {
		t.Errorf("the old file has %q, %v", text, err)
	}
	if info, err := os.Stat(path); runtime.GOOS != "windows" &&
		(err != nil || info.Mode() != 0o600) {
		t.Errorf("got mode %v, %v", info.Mode(), err)
	}
	if files, err := os.ReadDir(filepath.Dir(path)); err != nil || len(files) != 1 {
		t.Errorf("files: %v, %v", files, err)
	}
}

// TestWriteFileFails checks that the error names the file, not the temporary one, and that no other
// file is left.
func TestWriteFileFails(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "missing", "file")
	err := disk.WriteFile(path, nil, 0o600)
	if !errors.Is(err, fs.ErrNotExist) || !strings.HasPrefix(err.Error(), path+": ") {
		t.Errorf("error %v", err)
	}
	taken := filepath.Join(folder, "taken") // a folder cannot be replaced by a file
	if err := os.MkdirAll(filepath.Join(taken, "full"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := disk.WriteFile(taken, []byte("text"), 0o600); err == nil {
		t.Error("a folder was replaced")
	}
	if files, err := os.ReadDir(folder); err != nil || len(files) != 1 {
		t.Errorf("files: %v, %v", files, err)
	}
}

// failingFile is a file that can be made to write only half of a text, or to fail to sync.
type failingFile struct {
	*os.File
	failWrite, failSync bool
}

var errBroken = errors.New("broken")

func (b *failingFile) Write(text []byte) (int, error) {
	if !b.failWrite {
		return b.File.Write(text)
	}
	n, _ := b.File.Write(text[:len(text)/2])
	return n, errBroken
}

func (b *failingFile) Sync() error {
	if b.failSync {
		return errBroken
	}
	return b.File.Sync()
}

// TestTail checks that lines are added after the last whole line. A text that is not added
// completely is removed.
func TestTail(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lines")
	if err := os.WriteFile(path, []byte("one\ntwo\nto"), 0o600); err != nil {
		t.Fatal(err)
	}
	file, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close() //nolint:errcheck // its text is checked
	b := &failingFile{File: file}
	tail, err := disk.Resume(b, func(in io.Reader) (whole int64, err error) {
		err = disk.ReadLines(in, func(_ int, _ []byte, end int64) error {
			whole = end
			return nil
		})
		return whole, err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct {
		text        string
		write, sync bool
		want        string
	}{
		{"", false, false, "one\ntwo\n"},
		{"three\n", false, false, "one\ntwo\nthree\n"},
		{"four\n", true, false, "one\ntwo\nthree\n"},
		{"five\n", false, true, "one\ntwo\nthree\n"},
		{"six\n", false, false, "one\ntwo\nthree\nsix\n"},
	} {
		b.failWrite, b.failSync = step.write, step.sync
		if err := tail.Add([]byte(step.text)); errors.Is(err, errBroken) != (step.write || step.sync) {
			t.Errorf("add %q: %v", step.text, err)
		}
		got, err := os.ReadFile(path)
		if err != nil || string(got) != step.want || tail.Size() != int64(len(step.want)) {
			t.Errorf("after %q: got %q, size %d, %v, want %q",
				step.text, got, tail.Size(), err, step.want)
		}
	}
}

// TestReadLines reads lines with their numbers and ends. It skips a last line that is incomplete
// after a crash, with or without a line break; an unreadable line before the last is an error.
func TestReadLines(t *testing.T) {
	torn := disk.Unreadable{Err: errors.New("torn")}
	for text, want := range map[string]string{
		"":            "",
		"a\nb\n":      "1a2 2b4 ",
		"a\nb":        "1a2 ",
		"a\nbad\n":    "1a2 ",
		"a\nbad\nc\n": "1a2 torn",
	} {
		var got strings.Builder
		err := disk.ReadLines(strings.NewReader(text), func(line int, text []byte, end int64) error {
			if string(text) == "bad\n" {
				return torn
			}
			got.WriteString(string(rune('0'+line)) + strings.TrimSuffix(string(text), "\n") +
				string(rune('0'+end)) + " ")
			return nil
		})
		if err != nil {
			got.WriteString(err.Error())
		}
		if got.String() != want {
			t.Errorf("%q: %q, want %q", text, got.String(), want)
		}
	}
}

// TestOpenAlone checks that a file cannot be opened alone twice, that others can read it, and that
// it is free when it is closed.
func TestOpenAlone(t *testing.T) {
	path := filepath.Join(t.TempDir(), "held")
	if _, err := disk.OpenAlone(path, os.O_RDWR, 0); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a missing file: %v", err)
	}
	file, err := disk.OpenAlone(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := file.WriteString("text"); err != nil {
		t.Fatal(err)
	}
	for _, how := range []int{os.O_RDWR, os.O_RDONLY} {
		if second, err := disk.OpenAlone(path, how, 0); !errors.Is(err, disk.ErrBusy) ||
			second != nil {
			t.Errorf("open twice: got %v, want ErrBusy", err)
		}
	}
	if text, err := os.ReadFile(path); err != nil || string(text) != "text" {
		t.Errorf("read %q, %v", text, err)
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
	again, err := disk.OpenAlone(path, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	if err := again.Close(); err != nil {
		t.Error(err)
	}
}
