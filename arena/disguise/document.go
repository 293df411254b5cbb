package disguise

import "digitduel/digit"

// A Document describes a disguise and its proof in JSON.
type Document struct {
	Rules       digit.Rules `json:"rules"`
	Seed        uint64      `json:"seed"`
	Arm         string      `json:"arm"`    // words, or full
	Strict      bool        `json:"strict"` // the text spells numbers as words
	Text        string      `json:"text"`   // the rules in the words of the disguise
	Game        Game        `json:"game"`
	Map         Map         `json:"map"`
	Certificate Certificate `json:"certificate"` // the proof
}
