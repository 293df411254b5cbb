package main

import (
	"context"
	"crypto/rand"
	"io"
	"slices"

	"digitduel/match"
	"digitduel/match/remote"
	"digitduel/ui/tui"
)

// serverList returns the functions by which the full screen plays at tables of servers.
func serverList() *tui.Servers {
	return &tui.Servers{
		Seats: savedSeats,
		List: func(ctx context.Context, address string) (string, []tui.Listed, error) {
			j, err := joiningAt(address, "")
			if err != nil {
				return "", nil, err
			}
			if j.link.Table != "" {
				return j.link.Server, []tui.Listed{{
					Link: address, Name: "The table of this link",
					About: "Continue at your seat, take a free one, or watch.",
				}}, nil
			}
			list, err := j.tables(ctx)
			return j.link.Server, list, err
		},
		Join: func(ctx context.Context, link, name string) (tui.Sitting, error) {
			j, err := joiningAt(link, name)
			if err != nil {
				return tui.Sitting{}, err
			}
			place, err := j.sit(ctx, j.link.Table, j.link.Token)
			if err != nil {
				return tui.Sitting{}, err
			}
			return j.sitting(ctx, place)
		},
		Open: func(ctx context.Context, server, name string, s match.Setup) (tui.Sitting, error) {
			j, err := joiningAt(server, name)
			if err != nil {
				return tui.Sitting{}, err
			}
			s.Names[match.One] = j.name
			place, err := j.server.Open(ctx, s.Order(), rand.Text())
			if err == nil {
				err = j.server.Keep(place, j.name, "")
			}
			if err != nil {
				return tui.Sitting{}, err
			}
			return j.sitting(ctx, place)
		},
	}
}

// joiningAt returns a joining for the full screen. Without a name, it has the user's last one.
func joiningAt(address, name string) (j *joining, err error) {
	j = &joining{name: name, out: io.Discard}
	if j.link, err = remote.ParseLink(address); err != nil {
		return nil, err
	}
	if j.server, err = userAt(j.link.Server); err != nil {
		return nil, err
	}
	if j.name == "" {
		j.name = j.server.Name
	}
	return j, nil
}

// sitting joins the table of a place.
func (j *joining) sitting(ctx context.Context, place remote.Place) (tui.Sitting, error) {
	table, err := j.server.Join(ctx, place)
	if err != nil {
		return tui.Sitting{}, err
	}
	return tui.Sitting{
		Table: table.Table, Mine: table.Seats(), Remote: table,
		Invite: place.Invite, Close: func() {
			if table.State().Phase() == match.Over {
				_ = j.server.Leave(place.Table) // only its offer to come back is out of date
			}
			table.Close()
		},
	}, nil
}

// savedSeats returns the user's seats at servers at which there is more to play, the newest first.
func savedSeats() (seats []tui.Seat, err error) {
	user, err := userAt("")
	if err != nil {
		return nil, err
	}
	for _, s := range slices.Backward(user.All) {
		if s.Token != "" && !s.Over {
			link := remote.Link{Server: s.Server, Table: s.Table}
			seats = append(seats, tui.Seat{Link: link.String(), Server: s.Server, At: s.At})
		}
	}
	return seats, nil
}
