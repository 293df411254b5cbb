//go:build js

package main

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"syscall/js"
	"time"

	"digitduel/match"
	"digitduel/ui/offline/kept"
	"digitduel/ui/web"
)

// A database is the IndexedDB of a worker, a [match.Store]: events by table and number, a row for
// each table, and in meta the secret and the cookies.
type database struct{ js.Value }

var stores = []any{"events", "tables", "meta"}

// open opens the database with a name, and creates it the first time.
func open(name string) (database, error) {
	opened, err := await("success", "error", func() js.Value {
		request := js.Global().Get("indexedDB").Call("open", name, 1)
		request.Set("onupgradeneeded", js.FuncOf(func(js.Value, []js.Value) any {
			for _, store := range stores {
				request.Get("result").Call("createObjectStore", store)
			}
			return nil
		}))
		return request
	})
	return database{opened}, err
}

// await waits for one of two events of a request or a transaction that do begins: that it succeeds,
// and returns its result, or that it fails.
func await(succeeds, fails string, do func() js.Value) (js.Value, error) {
	var request js.Value
	if err := try(func() { request = do() }); err != nil {
		return js.Null(), err
	}
	event := make(chan string, 1)
	settle := js.FuncOf(func(_ js.Value, args []js.Value) any {
		event <- args[0].Get("type").String()
		return nil
	})
	defer settle.Release()
	request.Set("on"+succeeds, settle)
	request.Set("on"+fails, settle)
	if <-event == fails {
		return js.Null(), failure(request.Get("error"))
	}
	return request.Get("result"), nil
}

// failure returns an error of the browser.
func failure(e js.Value) error {
	switch {
	case !e.Truthy():
		return errors.New("the browser's database is busy")
	case e.Get("name").String() == "ConstraintError":
		return match.ErrConflict
	case e.Get("name").String() == "QuotaExceededError":
		return web.ErrNoRoom
	}
	return fmt.Errorf("the browser's database: %s", e.Get("message").String())
}

// write makes changes in one durable transaction.
func (db database) write(do func(store func(string) js.Value)) error {
	_, err := await("complete", "abort", func() js.Value {
		options := map[string]any{"durability": "strict"}
		tx := db.Call("transaction", js.ValueOf(stores), "readwrite", options)
		do(func(name string) js.Value { return tx.Call("objectStore", name) })
		return tx
	})
	return err
}

// read returns a list of the texts of a store in a range of keys; an undefined range means all.
func (db database) read(store string, keys js.Value) (js.Value, error) {
	return await("success", "error", func() js.Value {
		return db.Call("transaction", store).Call("objectStore", store).Call("getAll", keys)
	})
}

// meta returns the secret of this browser and its cookies for an address. The first time, it makes
// the secret, which is kept like a cookie without a path.
func (db database) meta(at *url.URL) (secret []byte, jar *cookiejar.Jar, err error) {
	texts, err := db.read("meta", js.Undefined())
	if err != nil {
		return nil, nil, err
	}
	jar, _ = cookiejar.New(nil) // without options it cannot fail
	for i := range texts.Length() {
		c, err := http.ParseSetCookie(texts.Index(i).String())
		switch {
		case err != nil:
			return nil, nil, err
		case c.Path == "":
			secret = []byte(c.Value)
		default:
			jar.SetCookies(at, []*http.Cookie{c})
		}
	}
	if secret == nil {
		secret = []byte(rand.Text() + rand.Text())
		err = db.put(&http.Cookie{Name: "secret", Value: string(secret)})
	}
	return secret, jar, err
}

// put saves cookies with the times at which they end.
func (db database) put(cookies ...*http.Cookie) error {
	return db.write(func(store func(string) js.Value) {
		for _, c := range cookies {
			if c.MaxAge > 0 {
				c.Expires = time.Now().Add(time.Duration(c.MaxAge) * time.Second)
				c.MaxAge = 0
			}
			store("meta").Call("put", c.String(), c.Path+" "+c.Name)
		}
	})
}

// decode decodes a list of JSON values.
func decode[T any](list js.Value, err error) (all []T, _ error) {
	if err == nil {
		err = json.Unmarshal([]byte("["+list.Call("join").String()+"]"), &all)
	}
	return all, err
}

// row returns the row of a table, or none.
func (db database) row(table string) ([]match.Summary, error) {
	return decode[match.Summary](db.read("tables", js.ValueOf(table)))
}

// Append implements [match.Store].
func (db database) Append(_ context.Context, table string, e match.Event, s match.State) error {
	rows, err := db.row(table)
	if err != nil {
		return err
	}
	row, err := json.Marshal(kept.Row(append(rows, match.Summary{})[0], table, e, s))
	if err != nil {
		return err
	}
	event, err := json.Marshal(e)
	if err != nil {
		return err
	}
	return db.write(func(store func(string) js.Value) {
		store("events").Call("add", string(event), js.ValueOf([]any{table, e.Seq}))
		store("tables").Call("put", string(row), table)
	})
}

// Events implements [match.Store].
func (db database) Events(_ context.Context, table string, after int) ([]match.Event, error) {
	keys := js.Global().Get("IDBKeyRange").Call("bound",
		js.ValueOf([]any{table, after + 1}), js.ValueOf([]any{table, 1 << 30}))
	return decode[match.Event](db.read("events", keys))
}

// Down implements [match.Store]. There are no clocks.
func (database) Down(context.Context, time.Time) (time.Duration, error) { return 0, nil }
