package eval

import "strings"

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

// value returns a decoded JSON value without secrets.
func (f filter) value(value any) any {
	switch v := value.(type) {
	case string:
		return f.clean(v)
	case []any:
		all := make([]any, len(v))
		for i, one := range v {
			all[i] = f.value(one)
		}
		return all
	case map[string]any:
		all := map[string]any{}
		for key, one := range v {
			all[f.clean(key)] = f.value(one)
		}
		return all
	}
	return value
}
