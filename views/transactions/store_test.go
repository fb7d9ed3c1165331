package transactions

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"tarmac/apiclient"
	"tarmac/client/seek"
)

// listing is a fake server that returns IDs in pages, newest first. A cursor is the last ID of the
// previous page.
type listing struct {
	ids  []string
	made int
}

func (l *listing) insert(at, n int) {
	fresh := make([]string, n)
	for i := range fresh {
		l.made++
		fresh[i] = fmt.Sprintf("tx_%07d", l.made)
	}
	l.ids = append(l.ids[:at:at], append(fresh, l.ids[at:]...)...)
}

func (l *listing) page(cursor string) *apiclient.TransactionPage {
	from := 0
	for i, id := range l.ids {
		if id == cursor {
			from = i + 1
		}
	}
	to := min(len(l.ids), from+seek.PageRows)
	page := &apiclient.TransactionPage{Summary: apiclient.Summary{Currency: "USD", Count: int64(len(l.ids))}}
	for _, id := range l.ids[from:to] {
		page.Data = append(page.Data, apiclient.Transaction{ID: id})
	}
	if to < len(l.ids) {
		page.NextCursor = l.ids[to-1]
	}
	return page
}

// While newer rows arrive, every row in memory keeps its correct number, and memory stays bounded.
func TestRowNumbersAreRightWhileRowsArrive(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		server := &listing{}
		server.insert(0, rapid.IntRange(0, 3000).Draw(t, "rows"))
		var s store
		s.begin(server.page(""))
		for range rapid.IntRange(1, 25).Draw(t, "steps") {
			switch rapid.IntRange(0, 3).Draw(t, "step") {
			case 0:
				server.insert(0, rapid.IntRange(1, 30).Draw(t, "newer"))
				continue
			case 1:
				if s.next == "" {
					continue
				}
				s.append(s.next, server.page(s.next))
			case 2:
				if answer := server.page(""); len(s.pages) > 0 {
					if _, joined := s.join(answer); !joined {
						s.begin(answer)
					}
				} else {
					s.begin(answer)
				}
			case 3:
				i := rapid.IntRange(0, len(s.pages)).Draw(t, "page")
				if i == 0 || i >= len(s.pages) {
					continue
				}
				s.held--
				s.pages[i].rows = nil
				s.count(server.page(s.pages[i].cursor))
				s.restore(i, server.page(s.pages[i].cursor))
			}
			check(t, &s, server)
		}
	})
}

func check(t *rapid.T, s *store, server *listing) {
	if s.total != len(server.ids) {
		t.Fatalf("total %d of %d rows", s.total, len(server.ids))
	}
	held := 0
	for _, p := range s.pages {
		if p.rows != nil {
			held++
		}
	}
	if held != s.held {
		t.Fatalf("%d pages are held, counted as %d", held, s.held)
	}
	for i := s.base; i < s.end(); i++ {
		if row, ok := s.row(i); ok && row.ID != server.ids[i] {
			t.Fatalf("row %d is %s instead of %s", i, row.ID, server.ids[i])
		}
	}
	for _, i := range []int{-1, s.base - 1, s.end()} {
		if _, ok := s.row(i); ok {
			t.Fatalf("there is a row %d outside %d..%d", i, s.base, s.end())
		}
	}
}

func TestOnlySoManyPagesStayAndComeBackByTheirCursor(t *testing.T) {
	server := &listing{}
	server.insert(0, 100*seek.PageRows)
	var s store
	s.begin(server.page(""))
	for s.next != "" {
		s.append(s.next, server.page(s.next))
		s.evict(s.end()-1, keptPages)
		if s.held > keptPages {
			t.Fatalf("%d pages are held", s.held)
		}
	}
	if s.end() != 100*seek.PageRows {
		t.Fatalf("%d rows were read", s.end())
	}
	if _, ok := s.row(0); !ok {
		t.Error("the first page is gone: no cursor fetches it")
	}
	i := s.pageOf(10 * seek.PageRows)
	if s.pages[i].rows != nil {
		t.Fatal("a page far away is still in memory")
	}
	s.restore(i, server.page(s.pages[i].cursor))
	if row, ok := s.row(10 * seek.PageRows); !ok || row.ID != server.ids[10*seek.PageRows] {
		t.Errorf("the page that came back has %v", row)
	}
	s.evict(10*seek.PageRows, keptPages)
	if s.pages[i].rows == nil {
		t.Error("the page one looks at was given back")
	}
}

// If a row is inserted into an evicted page, no row is shown twice or lost.
func TestARestoredPageThatGrewPushesTheOthersDown(t *testing.T) {
	server := &listing{}
	server.insert(0, 5*seek.PageRows)
	var s store
	s.begin(server.page(""))
	for s.next != "" {
		s.append(s.next, server.page(s.next))
	}
	s.pages[1].rows = nil
	s.held--
	server.insert(seek.PageRows+10, 1)
	s.restore(1, server.page(s.pages[1].cursor))
	seen := map[string]bool{}
	for i := s.base; i < s.end(); i++ {
		row, ok := s.row(i)
		if !ok {
			continue
		}
		if seen[row.ID] {
			t.Fatalf("%s is there twice", row.ID)
		}
		seen[row.ID] = true
	}
}
