package eval

import (
	"strings"
)

// A filter removes secrets from text. It works on decoded strings, since an encoding may spell a
// secret differently.
type filter struct{ secrets []string }

// concealed replaces a secret.
const concealed = "[secret]"

// clean returns a text without secrets.
func (f filter) clean(text string) string {
	for _, secret := range f.secrets {
		text = strings.ReplaceAll(text, secret, concealed)
	}
	return text
}

// found reports whether a decoded JSON value contains a secret.
func (f filter) found(value any) bool {
	switch v := value.(type) {
	case string:
		return f.clean(v) != v
	case []any:
		for _, one := range v {
			if f.found(one) {
				return true
			}
		}
	case map[string]any:
		for key, one := range v {
			if f.found(key) || f.found(one) {
				return true
			}
		}
	}
	return false
}
