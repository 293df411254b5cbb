package tui

// helpText lists the keys in two columns, with a bar between them.
const helpText = `Your move|After Space
 0-9 a-f a digit| h hint; again: more
 a-h     a place| a analysis of moves
 L R     an end| n needs of each number
 ← →     choose| u take back a move
 Enter   take, play| r rules of this game
 Bksp    put it back| f flip boards
| x resign
Always| g games played
 Space   commands| s settings
 ?       this page, also F1| q quit, game saved
 Esc     back, to the menu|
 Tab     next button or row|Signs
 , .     look back, on| ▶ whose turn it is
 < >     first, last move| ● the last move
 Ctrl-C  leave, game saved| ✓ wins, is right
Reviews| ✗ loses, cannot be
 m b     mistake, best line| · a digit is taken
 t c     try again, play on|Watching
 Tab     next game of a file| +- speed; Enter pauses`

func helpPage() *textPage {
	return &textPage{title: "Help", about: "one key map for every game", text: helpText}
}
