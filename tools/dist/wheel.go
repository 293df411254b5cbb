package main

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// platforms names the systems that have a wheel, as Python does. The program for Linux is static,
// so it runs with glibc and with musl.
var platforms = map[string]string{
	"linux/amd64":   "manylinux2014_x86_64.musllinux_1_1_x86_64",
	"linux/arm64":   "manylinux2014_aarch64.musllinux_1_1_aarch64",
	"darwin/amd64":  "macosx_11_0_x86_64",
	"darwin/arm64":  "macosx_11_0_arm64",
	"windows/amd64": "win_amd64",
}

// wheel writes the Python package with the program for a system to a folder. Without a program it
// writes the source archive. It returns the name of the file.
func wheel(root, out, system string, program, licences []byte, at time.Time) (string, error) {
	python, err := command(root, nil, "tools/python.sh", "python/requirements.txt")
	if err != nil {
		return "", err
	}
	stage, err := os.MkdirTemp("", "wheel-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(stage)
	if err := stageWheel(root, stage, licences); err != nil {
		return "", err
	}
	made := filepath.Join(stage, "made")
	args := []string{"-m", "hatchling", "build", "-d", made, "-t", "sdist"}
	env := []string{fmt.Sprint("SOURCE_DATE_EPOCH=", at.Unix()), "DUEL_WHEEL_PROGRAM="}
	if program != nil {
		file := filepath.Join(stage, "program")
		if err := os.WriteFile(file, program, 0o755); err != nil {
			return "", err
		}
		args[len(args)-1] = "wheel"
		env = append(env, "DUEL_WHEEL_PROGRAM="+file, "DUEL_WHEEL_PLATFORM="+platforms[system])
	}
	if _, err := command(stage, env, strings.TrimSpace(string(python)), args...); err != nil {
		return "", err
	}
	files, err := os.ReadDir(made)
	if err != nil || len(files) != 1 {
		return "", fmt.Errorf("wheel for %s: %d files, want 1: %v", system, len(files), err)
	}
	name := files[0].Name()
	text, err := os.ReadFile(filepath.Join(made, name))
	if err != nil {
		return "", err
	}
	return name, os.WriteFile(filepath.Join(out, name), text, 0o644)
}

// stageWheel copies the package and its licences to a folder.
func stageWheel(root, stage string, licences []byte) error {
	from := os.DirFS(filepath.Join(root, "python"))
	err := fs.WalkDir(from, ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (name == "tests" || name == "digitduel/bin"):
			return fs.SkipDir
		case entry.IsDir():
			return os.MkdirAll(filepath.Join(stage, filepath.FromSlash(name)), 0o755)
		case strings.HasSuffix(name, ".pyc"), strings.HasSuffix(name, ".go"):
			return nil
		}
		text, err := fs.ReadFile(from, name)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(stage, filepath.FromSlash(name)), text, 0o644)
	})
	if err != nil {
		return err
	}
	own, err := os.ReadFile(filepath.Join(root, "LICENSE"))
	if err == nil {
		err = os.WriteFile(filepath.Join(stage, "LICENSE"), own, 0o644)
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(stage, licencesName), licences, 0o644)
	}
	return err
}
