package web

import (
	"strings"
	"testing"
)

// TestSlim holds what goes and what stays.
func TestSlim(t *testing.T) {
	for _, test := range []struct{ ext, text, want string }{
		{".css", "/* a */\n.a, .b > i {\n  color: red; /* b */\n  margin: 0 auto;\n}\n\n.c :hover { left: calc(1px + 2px) !important }\n", ".a,.b>i{color:red;margin:0 auto}.c :hover{left:calc(1px + 2px)!important}"},
		{".css", `.a::after { content: "a  { /* b */ ; }" } [x="a, b"] .c { --p: "x" "y"; grid-area: "a" / "b" }`, `.a::after{content:"a  { /* b */ ; }"}[x="a, b"] .c{--p:"x" "y";grid-area:"a" / "b"}`},
		{".css", `@media (min-width: 3rem) and (max-height: 4rem) { .a { top: max(1px, 2px - 1px) } }`, `@media (min-width:3rem) and (max-height:4rem){.a{top:max(1px,2px - 1px)}}`},
		{".js", "// top\n\nlet a = 'x // y' // what it is\n  /** more\n   * of it */\n  f(`a  ${b}\n  c`) /* d */\n", "let a = 'x // y'\nf(`a  ${b}\n  c`)\n"},
		{".js", "go('http://x')\nif (/[a-h]/.test(k)) g('it\\'s // so')\n", "go('http://x')\nif (/[a-h]/.test(k)) g('it\\'s // so')\n"},
		{".svg", "<svg> </svg>\n", "<svg> </svg>\n"},
	} {
		if got := slim(test.ext, test.text); got != test.want {
			t.Errorf("%s:\ngot  %q\nwant %q", test.ext, got, test.want)
		}
	}
}

// TestSlimFiles holds that the files that are sent are slim, and how heavy the style sheet may be.
func TestSlimFiles(t *testing.T) {
	for name, f := range statics().files {
		if strings.HasSuffix(name, ".css") || strings.HasSuffix(name, ".js") {
			if text := string(f.plain); strings.Contains(text, "/*") || strings.Contains(text, "\n\n") || strings.Contains(text, "\n ") {
				t.Errorf("%s is sent with comments or indents", name)
			}
		}
	}
	const most, mostSmall = 36_100, 9_550
	sheet := statics().files["duel.css"]
	if len(sheet.plain) > most || len(sheet.small) > mostSmall {
		t.Errorf("the style sheet has %d bytes, %d compressed; allowed: %d, %d", len(sheet.plain), len(sheet.small), most, mostSmall)
	}
	t.Logf("the style sheet has %d bytes, %d compressed", len(sheet.plain), len(sheet.small))
}
