package main

import (
	"context"
	"io"
	"slices"

	"digitduel/match"
	"digitduel/match/remote"
	"digitduel/ui/tui"
)

// serverList returns the functions by which a user plays at tables of servers on the full screen.
func serverList(user userAt) *tui.Servers {
	return &tui.Servers{
		Seats: func() ([]tui.SavedSeat, error) { return savedSeats(user) },
		List: func(ctx context.Context, address string) (string, []tui.ListedTable, error) {
			j, err := joiningAt(user, address, "")
			if err != nil {
				return "", nil, err
			}
			if j.link.Table != "" {
				return j.link.Server, []tui.ListedTable{{
					Link: address, Name: "The table of this link",
					About: "Continue at your seat, take a free one, or watch.",
				}}, nil
			}
			list, err := j.tables(ctx)
			return j.link.Server, list, err
		},
		Join: func(ctx context.Context, link, name string) (tui.Sitting, error) {
			return sitting(ctx, user, link, name, func(j *joining) (remote.Place, error) {
				return j.sit(ctx, j.link.Table, j.link.Token)
			})
		},
		Open: func(ctx context.Context, server, name string, s match.Setup) (tui.Sitting, error) {
			return sitting(ctx, user, server, name, func(j *joining) (remote.Place, error) {
				s.Names[match.One] = j.name
				return j.place(ctx, s.Order())
			})
		},
	}
}

// joiningAt returns a joining for the full screen.
func joiningAt(user userAt, address, name string) (*joining, error) {
	link, err := remote.ParseLink(address)
	if err != nil {
		return nil, err
	}
	j := &joining{user: user, name: name, link: link, out: io.Discard}
	return j, j.connect()
}

// sitting joins the table of the place that find returns.
func sitting(
	ctx context.Context, user userAt, address, name string,
	find func(*joining) (remote.Place, error),
) (tui.Sitting, error) {
	j, err := joiningAt(user, address, name)
	if err != nil {
		return tui.Sitting{}, err
	}
	place, err := find(j)
	if err != nil {
		return tui.Sitting{}, err
	}
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
func savedSeats(at userAt) (seats []tui.SavedSeat, err error) {
	user, err := at("")
	if err != nil {
		return nil, err
	}
	for _, s := range slices.Backward(user.All) {
		if s.Token != "" && !s.Over {
			link := remote.Link{Server: s.Server, Table: s.Table}
			seats = append(seats, tui.SavedSeat{Link: link.String(), Server: s.Server, At: s.At})
		}
	}
	return seats, nil
}
