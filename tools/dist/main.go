// Command dist writes archives of the program for each system, and their checksums. An archive has
// the program, its manual, shell completions, the documents that README.md links to, the service
// file, and the licences of the modules in it. The Python package becomes a wheel for each platform
// that Python names, and a source archive. The same commit makes the same bytes everywhere.
package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"cmp"
	"compress/gzip"
	"crypto/sha256"
	"flag"
	"fmt"
	"log"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"
)

var systems = []string{
	"darwin/amd64", "darwin/arm64", "freebsd/amd64", "freebsd/arm64",
	"linux/amd64", "linux/arm64", "windows/amd64", "windows/arm64",
}

// completions has the name of the completion file of each shell.
var completions = map[string]string{
	"bash": "duel.bash", "zsh": "_duel", "fish": "duel.fish", "powershell": "duel.ps1",
}

func main() {
	log.SetFlags(0)
	root := flag.String("root", ".", "the folder of the source")
	out := flag.String("out", "dist", "the folder to write to, which is emptied first")
	native := flag.Bool("wheel", false, "only write the wheel for this system, and empty nothing")
	alone := flag.Bool("licences", false, "only print the licences of the modules linked here")
	flag.Parse()
	if *alone {
		text, err := licences(*root)
		if err == nil {
			_, err = os.Stdout.Write(text)
		}
		if err != nil {
			log.Fatal("dist: ", err)
		}
		return
	}
	if *native {
		name, err := nativeWheel(*root, *out)
		if err != nil {
			log.Fatal("dist: ", err)
		}
		fmt.Println(filepath.Join(*out, name))
		return
	}
	if flag.NArg() > 0 {
		systems = flag.Args()
	}
	if err := run(*root, *out, systems); err != nil {
		log.Fatal("dist: ", err)
	}
}

func run(root, out string, systems []string) error {
	at, err := date(root)
	if err != nil {
		return err
	}
	temp, err := os.MkdirTemp("", "dist-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp)
	files, version, err := common(root, temp, at)
	if err != nil {
		return err
	}
	if err := os.RemoveAll(out); err != nil {
		return err
	}
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	for _, system := range systems {
		goos, arch, _ := strings.Cut(system, "/")
		program, err := build(root, filepath.Join(temp, "duel"), "GOOS="+goos, "GOARCH="+arch)
		if err != nil {
			return err
		}
		all, pack, suffix := maps.Clone(files), tarball, ".tar.gz"
		if all[licencesName], err = licences(root, "GOOS="+goos, "GOARCH="+arch); err != nil {
			return err
		}
		name := fmt.Sprintf("duel_%s_%s_%s", version, goos, arch)
		if goos == "windows" {
			all["duel.exe"], pack, suffix = program, zipped, ".zip"
		} else {
			all["duel"] = program
		}
		archive, err := pack(name, all, at)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(out, name+suffix), archive, 0o644); err != nil {
			return err
		}
		if platforms[system] != "" { // a wheel plays without the offline site
			program, err := buildWith(root, filepath.Join(temp, "duel"), "nosite", "GOOS="+goos,
				"GOARCH="+arch)
			if err != nil {
				return err
			}
			_, err = wheel(root, out, system, program, all[licencesName], at)
			if err != nil {
				return err
			}
		}
	}
	own, err := licences(root)
	if err != nil {
		return err
	}
	if _, err := wheel(root, out, "", nil, own, at); err != nil {
		return err
	}
	made, err := os.ReadDir(out)
	if err != nil {
		return err
	}
	var sums strings.Builder
	for _, file := range made {
		text, err := os.ReadFile(filepath.Join(out, file.Name()))
		if err != nil {
			return err
		}
		fmt.Fprintf(&sums, "%x  %s\n", sha256.Sum256(text), file.Name())
	}
	return os.WriteFile(filepath.Join(out, "SHA256SUMS"), []byte(sums.String()), 0o644)
}

// nativeWheel writes the wheel for this system to a folder.
func nativeWheel(root, out string) (string, error) {
	at, err := date(root)
	if err != nil {
		return "", err
	}
	temp, err := os.MkdirTemp("", "dist-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(temp)
	program, err := buildWith(root, filepath.Join(temp, "duel"), "nosite")
	if err != nil {
		return "", err
	}
	own, err := licences(root)
	if err != nil {
		return "", err
	}
	if err := os.MkdirAll(out, 0o755); err != nil {
		return "", err
	}
	return wheel(root, out, runtime.GOOS+"/"+runtime.GOARCH, program, own, at)
}

// date returns the time of the commit.
func date(root string) (time.Time, error) {
	text := os.Getenv("SOURCE_DATE_EPOCH")
	if text == "" {
		out, err := command(root, nil, "git", "log", "-1", "--format=%ct")
		if err != nil {
			return time.Time{}, err
		}
		text = strings.TrimSpace(string(out))
	}
	seconds, err := strconv.ParseInt(text, 10, 64)
	return time.Unix(seconds, 0).UTC(), err
}

// commit returns the commit of the source, which the program prints as part of its version. It is
// not stamped by go build, which would also look at files that do not belong to the program.
func commit(root string) (string, error) {
	if hash := os.Getenv("SOURCE_COMMIT"); hash != "" {
		return hash, nil
	}
	out, err := command(root, nil, "git", "rev-parse", "HEAD")
	return strings.TrimSpace(string(out)), err
}

// common returns the files that are the same on all systems, and the version.
func common(root, temp string, at time.Time) (files map[string][]byte, version string, err error) {
	if files, err = documents(root); err != nil {
		return nil, "", err
	}
	native := filepath.Join(temp, "native")
	if _, err := build(root, native); err != nil {
		return nil, "", err
	}
	output, err := command(root, nil, native, "--version")
	if err != nil {
		return nil, "", err
	}
	for shell, name := range completions {
		text, err := command(root, nil, native, "completion", shell)
		if err != nil {
			return nil, "", err
		}
		files["completions/"+name] = text
	}
	manual := filepath.Join(temp, "man")
	epoch := []string{fmt.Sprint("SOURCE_DATE_EPOCH=", at.Unix())}
	_, err = command(root, epoch, "go", "test", "-count=1", "-run=^TestManual$", "./cmd/duel",
		"-manual="+manual)
	if err != nil {
		return nil, "", err
	}
	pages, err := filepath.Glob(filepath.Join(manual, "*.1"))
	if err != nil || len(pages) == 0 {
		return nil, "", cmp.Or(err, fmt.Errorf("no pages in the manual"))
	}
	for _, page := range pages {
		if files["man/"+filepath.Base(page)], err = os.ReadFile(page); err != nil {
			return nil, "", err
		}
	}
	words := strings.Fields(string(output)) // duel 0.1.0 (COMMIT)
	if len(words) != 3 {
		return nil, "", fmt.Errorf("the program prints its version as %q", output)
	}
	return files, words[1], nil
}

// portable holds settings that make the build independent of this machine.
var portable = []string{"CGO_ENABLED=0", "GOFLAGS=", "GOAMD64=v1", "GOARM64=v8.0"}

// build builds the program for a system, without traces of this machine.
func build(root, file string, system ...string) ([]byte, error) {
	return buildWith(root, file, "", system...)
}

// buildWith builds the program with build tags.
func buildWith(root, file, tags string, system ...string) ([]byte, error) {
	env := append(slices.Clone(portable), system...)
	hash, err := commit(root)
	if err != nil {
		return nil, err
	}
	link := "-ldflags=-s -w -buildid= -X digitduel/cmd/duel/version.commit=" + hash
	if _, err := command(root, env,
		"go", "build", "-trimpath", "-buildvcs=false", "-tags="+tags, link, "-o", file,
		"./cmd/duel"); err != nil {
		return nil, err
	}
	return os.ReadFile(file)
}

func command(dir string, env []string, name string, args ...string) ([]byte, error) {
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), env...)
	out, err := cmd.Output()
	if failed, ok := err.(*exec.ExitError); ok {
		return nil, fmt.Errorf("%s: %w: %s%s", cmd, err, out, failed.Stderr)
	}
	return out, err
}

// mode returns the permissions of a file in an archive.
func mode(name string) os.FileMode {
	if name == "duel" || name == "duel.exe" {
		return 0o755
	}
	return 0o644
}

func tarball(folder string, files map[string][]byte, at time.Time) ([]byte, error) {
	var b bytes.Buffer
	z, _ := gzip.NewWriterLevel(&b, gzip.BestCompression) // a valid level
	w := tar.NewWriter(z)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		head := &tar.Header{
			Name: folder + "/" + name, Size: int64(len(files[name])), Mode: int64(mode(name)),
			ModTime: at, Format: tar.FormatUSTAR,
		}
		if err := w.WriteHeader(head); err != nil {
			return nil, err
		}
		if _, err := w.Write(files[name]); err != nil {
			return nil, err
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	err := z.Close()
	return b.Bytes(), err
}

func zipped(folder string, files map[string][]byte, at time.Time) ([]byte, error) {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		head := &zip.FileHeader{Name: folder + "/" + name, Method: zip.Deflate, Modified: at}
		head.SetMode(mode(name))
		f, err := w.CreateHeader(head)
		if err != nil {
			return nil, err
		}
		if _, err := f.Write(files[name]); err != nil {
			return nil, err
		}
	}
	err := w.Close()
	return b.Bytes(), err
}
