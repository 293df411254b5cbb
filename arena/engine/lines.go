package engine

import (
	"bufio"
	"errors"
	"io"
	"strings"
)

// MaxLine is the maximum length of a line in bytes, without its end.
const MaxLine = 64 << 10

// errLong reports that a line was too long and was skipped.
var errLong = errors.New("a line is longer than 64 KiB")

// A lineReader reads lines that end with LF or CRLF.
type lineReader struct{ in *bufio.Reader }

func newLineReader(r io.Reader) lineReader { return lineReader{bufio.NewReaderSize(r, MaxLine+2)} }

// next returns the next line without its end. It skips a line that is too long and returns
// errLong. At the end of input an unterminated line is returned too; the next error is that of
// the reader.
func (l lineReader) next() (string, error) {
	part, err := l.in.ReadSlice('\n')
	switch {
	case errors.Is(err, bufio.ErrBufferFull):
		for errors.Is(err, bufio.ErrBufferFull) {
			_, err = l.in.ReadSlice('\n')
		}
		return "", errLong
	case err != nil && len(part) == 0:
		return "", err
	}
	line := strings.TrimSuffix(strings.TrimSuffix(string(part), "\n"), "\r")
	if len(line) > MaxLine {
		return "", errLong
	}
	return line, nil
}
