package kept

import (
	"net/http"
	"slices"
	"strings"
	"time"
)

// A Jar holds the cookies of the pages, which a service worker cannot leave to the browser. They
// are never sent to a host.
type Jar struct{ kept []Cookie }

// A Cookie is a cookie with the time at which it ends; zero: never.
type Cookie struct {
	Name, Value, Path string
	Ends              time.Time
}

// Of returns a cookie of an answer as it is kept.
func Of(c *http.Cookie, now time.Time) Cookie {
	k := Cookie{Name: c.Name, Value: c.Value, Path: c.Path}
	if c.MaxAge != 0 {
		k.Ends = now.Add(time.Duration(c.MaxAge) * time.Second)
	}
	return k
}

// Put adds a cookie, or replaces that of the same name and path.
func (j *Jar) Put(c Cookie) {
	j.kept = slices.DeleteFunc(j.kept, func(k Cookie) bool {
		return k.Name == c.Name && k.Path == c.Path
	})
	j.kept = append(j.kept, c)
}

// Cookies returns the cookies for a path, those of the longest paths first.
func (j *Jar) Cookies(path string, now time.Time) []*http.Cookie {
	var found []Cookie
	for _, k := range j.kept {
		below := path == k.Path || strings.HasPrefix(path, strings.TrimSuffix(k.Path, "/")+"/")
		if below && (k.Ends.IsZero() || now.Before(k.Ends)) {
			found = append(found, k)
		}
	}
	slices.SortStableFunc(found, func(a, b Cookie) int { return len(b.Path) - len(a.Path) })
	all := make([]*http.Cookie, len(found))
	for i, k := range found {
		all[i] = &http.Cookie{Name: k.Name, Value: k.Value}
	}
	return all
}
