package engine

import (
	"bufio"
	"errors"
	"io"
	"strings"
)

// MaxLine is how many bytes a line may have, without what ends it.
const MaxLine = 64 << 10

// errLong says that a line was left out since it was too long.
var errLong = errors.New("a line is longer than 64 KiB")

// A lineReader reads lines that end with LF or CRLF.
type lineReader struct{ in *bufio.Reader }

func newLineReader(r io.Reader) lineReader { return lineReader{bufio.NewReaderSize(r, MaxLine+2)} }

// next returns the next line without what ends it. A line that is too long is read to its end and left out; the error is then errLong.
// At the end of input what is left without an end is a line too, and the next error is that of the reader.
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
