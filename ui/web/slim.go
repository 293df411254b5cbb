package web

import "strings"

// slim returns a style sheet or a script without what is for those who read it: comments, indents and, in a style sheet, the spaces that
// mean nothing. What stands in quotes stays as it is. A script keeps its lines, which may end its statements.
func slim(ext, text string) string {
	switch ext {
	case ".css":
		return strings.TrimSpace(slimStyle(scan(text, false)))
	case ".js":
		return slimScript(scan(text, true))
	default:
		return text
	}
}

// A stretch of a text is in quotes, or not.
type stretch struct {
	text   string
	quoted bool
}

// scan takes comments out of a text, and parts what stands in quotes from the rest.
func scan(text string, script bool) (all []stretch) {
	var plain strings.Builder
	quotes := `"'`
	if script {
		quotes += "`"
	}
	flush := func() {
		all = append(all, stretch{plain.String(), false})
		plain.Reset()
	}
	for i := 0; i < len(text); {
		rest := text[i:]
		switch {
		case strings.HasPrefix(rest, "/*"):
			_, after, _ := strings.Cut(rest[2:], "*/")
			i = len(text) - len(after)
			plain.WriteByte(' ')
		case script && strings.HasPrefix(rest, "//") && (i == 0 || text[i-1] == ' ' || text[i-1] == '\n'):
			end := strings.IndexByte(rest, '\n')
			if end < 0 {
				end = len(rest)
			}
			i += end
		case strings.IndexByte(quotes, rest[0]) >= 0:
			flush()
			end := 1
			for end < len(rest)-1 && rest[end] != rest[0] {
				if rest[end] == '\\' {
					end++
				}
				end++
			}
			all = append(all, stretch{rest[:end+1], true})
			i += end + 1
		default:
			plain.WriteByte(rest[0])
			i++
		}
	}
	flush()
	return all
}

// tight takes the space away around what parts the rest of a style sheet.
var tight = strings.NewReplacer(" {", "{", "{ ", "{", " }", "}", "} ", "}", "; ", ";", " ;", ";", ": ", ":", ", ", ",", " > ", ">", " !", "!")

func slimStyle(all []stretch) string {
	var b strings.Builder
	for _, s := range all {
		text := s.text
		if !s.quoted && text != "" {
			lead, trail := text[0] <= ' ', text[len(text)-1] <= ' '
			if text = strings.Join(strings.Fields(text), " "); lead {
				text = " " + text
			}
			if trail && text != " " {
				text += " "
			}
			text = strings.ReplaceAll(tight.Replace(tight.Replace(text)), ";}", "}")
		}
		b.WriteString(text)
	}
	return b.String()
}

func slimScript(all []stretch) string {
	var b strings.Builder
	for _, s := range all {
		if s.quoted {
			b.WriteString(s.text)
			continue
		}
		lines := strings.Split(s.text, "\n")
		for i, line := range lines {
			if i < len(lines)-1 {
				line = strings.TrimRight(line, " ")
			}
			if i > 0 {
				if line = strings.TrimLeft(line, " "); line != "" || i == len(lines)-1 {
					b.WriteByte('\n')
				}
			}
			b.WriteString(line)
		}
	}
	return strings.TrimSpace(b.String()) + "\n"
}
