//go:build js

package main

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"syscall/js"
	"time"

	"digitduel/match"
	"digitduel/ui/offline/kept"
)

// A database is the IndexedDB of a worker: events by table and number, a row for each table, and
// what the worker itself needs to know.
type database struct{ js.Value }

// open opens the database with a name, and creates it the first time.
func open(name string) (database, error) {
	request := js.Global().Get("indexedDB").Call("open", name, 1)
	create := js.FuncOf(func(js.Value, []js.Value) any {
		db := request.Get("result")
		for _, store := range []string{"events", "tables", "meta"} {
			db.Call("createObjectStore", store)
		}
		return nil
	})
	defer create.Release()
	request.Set("onupgradeneeded", create)
	opened, err := await(request, "onsuccess")
	return database{opened}, err
}

// await waits for an event of a request or a transaction, and returns the result.
func await(request js.Value, event string) (js.Value, error) {
	done := make(chan error, 1)
	settle := js.FuncOf(func(_ js.Value, args []js.Value) any {
		var err error
		if kind := args[0].Get("type").String(); "on"+kind != event {
			err = failure(request.Get("error"))
		}
		select {
		case done <- err:
		default:
		}
		return nil
	})
	defer settle.Release()
	for _, on := range []string{event, "onerror", "onabort", "onblocked"} {
		request.Set(on, settle)
	}
	err := <-done
	for _, on := range []string{event, "onerror", "onabort", "onblocked"} {
		request.Set(on, js.Null())
	}
	if err != nil {
		return js.Null(), err
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
		return errors.New("this browser has no room left for games")
	}
	return fmt.Errorf("the browser's database: %s", e.Get("message").String())
}

// write makes changes in one durable transaction.
func (db database) write(do func(store func(string) js.Value)) error {
	var tx js.Value
	err := try(func() {
		options := map[string]any{"durability": "strict"}
		all := js.ValueOf([]any{"events", "tables", "meta"})
		tx = db.Call("transaction", all, "readwrite", options)
		do(func(name string) js.Value { return tx.Call("objectStore", name) })
	})
	if err != nil {
		return err
	}
	_, err = await(tx, "oncomplete")
	return err
}

// read returns the values of a store in a range of keys; an undefined range means all.
func (db database) read(store string, keys js.Value) ([]string, error) {
	var request js.Value
	err := try(func() {
		request = db.Call("transaction", store).Call("objectStore", store).Call("getAll", keys)
	})
	if err != nil {
		return nil, err
	}
	list, err := await(request, "onsuccess")
	if err != nil {
		return nil, err
	}
	values := make([]string, list.Length())
	for i := range values {
		values[i] = list.Index(i).String()
	}
	return values, nil
}

// decode decodes JSON values.
func decode[T any](values []string, err error) ([]T, error) {
	all := make([]T, len(values))
	for i, text := range values {
		err = errors.Join(err, json.Unmarshal([]byte(text), &all[i]))
	}
	return all, err
}

// tables returns the row of each table.
func (db database) tables() ([]kept.Row, error) {
	return decode[kept.Row](db.read("tables", js.Undefined()))
}

// meta returns the secret of this browser and its cookies. The first time, it makes the secret,
// which is kept like a cookie without a path.
func (db database) meta() (secret []byte, jar *kept.Jar, err error) {
	cookies, err := decode[kept.Cookie](db.read("meta", js.Undefined()))
	if err != nil {
		return nil, nil, err
	}
	jar = &kept.Jar{}
	for _, c := range cookies {
		if c.Path == "" {
			secret = []byte(c.Value)
		} else {
			jar.Put(c)
		}
	}
	if secret == nil {
		secret = []byte(rand.Text() + rand.Text())
		err = db.put(kept.Cookie{Name: "secret", Value: string(secret)})
	}
	return secret, jar, err
}

// put saves cookies.
func (db database) put(cookies ...kept.Cookie) error {
	return db.write(func(store func(string) js.Value) {
		for _, c := range cookies {
			text, err := json.Marshal(c)
			if err != nil {
				panic(err) // a cookie is text
			}
			store("meta").Call("put", string(text), c.Path+" "+c.Name)
		}
	})
}

// A store is a [match.Store] in the browser.
type store struct {
	db      database
	archive *kept.Archive
}

// Append implements [match.Store].
func (s *store) Append(_ context.Context, table string, e match.Event, after match.State) error {
	event, err := json.Marshal(e)
	if err != nil {
		return err
	}
	row := s.archive.After(table, e, after)
	summary, err := json.Marshal(row)
	if err != nil {
		return err
	}
	err = s.db.write(func(store func(string) js.Value) {
		store("events").Call("add", string(event), js.ValueOf([]any{table, e.Seq}))
		store("tables").Call("put", string(summary), table)
	})
	if err == nil {
		s.archive.Put(row)
	}
	return err
}

// Events implements [match.Store].
func (s *store) Events(_ context.Context, table string, after int) ([]match.Event, error) {
	keys := js.Global().Get("IDBKeyRange").Call("bound",
		js.ValueOf([]any{table, after + 1}), js.ValueOf([]any{table, 1 << 30}))
	return decode[match.Event](s.db.read("events", keys))
}

// Down implements [match.Store]. There are no clocks.
func (s *store) Down(context.Context, time.Time) (time.Duration, error) { return 0, nil }
