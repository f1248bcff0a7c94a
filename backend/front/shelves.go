package front

import (
	"context"

	"agentchat/backend/apperr"
	"agentchat/backend/shop"
)

// shelfCommand does what concerns the shelves of the library that follow folders.
func shelfCommand(ctx context.Context, s *shop.Shop, c command) (any, error) {
	shelf := func(v any, err error) (any, error) { return one("shelf", v), err }
	switch {
	case c.Cmd == "shelves":
		list, err := s.Shelves(ctx)
		return one("shelves", list), err
	case c.Cmd == "shelf_add" && c.Path == "":
		return nil, apperr.New(apperr.BadCommand, "detail", "shelf_add needs path")
	case c.Cmd == "shelf_add":
		v, err := s.AddShelf(ctx, c.Path, c.Name, c.Rule)
		return shelf(v, err)
	case c.Shelf == "":
		return nil, apperr.New(apperr.BadCommand, "detail", c.Cmd+" needs shelf")
	}
	switch c.Cmd {
	case "shelf_change":
		v, err := s.ChangeShelf(ctx, c.Shelf, c.Name, c.Rule, c.State)
		return shelf(v, err)
	case "shelf_rescan":
		v, err := s.RescanShelf(ctx, c.Shelf)
		return shelf(v, err)
	case "shelf_settle":
		v, err := s.SettleShelf(ctx, c.Shelf, c.Mark, c.File, c.Drop)
		return shelf(v, err)
	case "shelf_files":
		filter, err := filterOf[shop.ShelfFilter](c)
		if err != nil {
			return nil, err
		}
		list, err := s.ShelfFiles(ctx, c.Shelf, filter, c.After, c.Limit)
		return one("files", list), err
	case "shelf_reread":
		return shelf(c.Shelf, s.RereadShelfFile(ctx, c.Shelf, c.File))
	}
	return shelf(c.Shelf, s.RemoveShelf(ctx, c.Shelf, c.Documents))
}
