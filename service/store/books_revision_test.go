package store_test

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"tarmac/service/bookrules"
	"tarmac/service/statements/bank"
	"tarmac/service/store"
)

// Methods of store.Tx that write to tables of own books without changing what the books say: they
// store what follows from other tables, when a provider is asked, and what it is asked with.
var unrevised = []string{
	"SetBookDay", "SetBookDays", "SetBookPack", "DeleteBookPacks", "StampBookPacks", "SetBookProofs",
	"ClaimReading", "EndReading", "EndReadingOf", "ClaimLiveReading", "FinishLiveReading", "FailLiveReading",
	"SetConnectionBalance", "SetConnectionSecret",
	"open", "GiveUpFile", "deleteStaged", // write what does not count
	"publishStage", // TestAnImportInStepsRaisesTheRevisionOnce
}

// revisedBooks are the keys of what setUp stores.
type revisedBooks struct {
	bookkeeper
	account, imported, later, file, statement, empty int64
	connection                                       store.Connection
	lease                                            store.ReadingLease
}

func connectionOf(org store.OrgKey, id string) store.Connection {
	return store.Connection{Org: org, ID: id, Provider: "stub", State: store.ConnectionReady, CreatedAt: created}
}

// setUp stores books of one account and a connection.
func setUp(b bookkeeper) *revisedBooks {
	r := &revisedBooks{bookkeeper: b}
	r.account = b.account("DE123")
	r.file, r.statement = b.file(r.account, 1)
	var err error
	r.imported, err = b.tx.InsertBookImport(b.org, bookrules.Import{ID: "imp_1", At: created})
	b.must(err)
	b.must(b.tx.LinkBookFile(b.org, r.imported, named(r.file, "a.ofx")))
	r.later, err = b.tx.InsertBookImport(b.org, bookrules.Import{ID: "imp_2", At: created})
	b.must(err)
	r.empty, err = b.tx.InsertBookStatement(b.org, bookrules.Statement{File: r.file, Account: r.account})
	b.must(err)
	b.must(b.tx.SetBookFeedBalance(b.org, bookrules.FeedBalance{File: r.file, Account: r.account, Day: 9, Minor: 1}))
	r.connection = connectionOf(b.org, "con_1")
	r.connection.Key, err = b.tx.InsertConnection(r.connection)
	b.must(err)
	b.must(b.tx.PutConnectionAccount(b.org, store.ConnectionAccount{Connection: r.connection.Key, RemoteID: "1"}))
	b.must(b.tx.SetConnectionSecret(r.connection.Key, []byte("sealed")))
	r.lease, _, err = b.tx.ClaimReading(r.connection.Key, created, created.Add(time.Hour), time.Time{}, "")
	b.must(err)
	return r
}

// revised calls each method of store.Tx that changes what own books say.
var revised = map[string]func(r *revisedBooks) error{
	"InsertBookAccount":        func(r *revisedBooks) error { r.bookkeeper.account("DE124"); return nil },
	"DeleteUnusedBookAccounts": func(r *revisedBooks) error { return r.tx.DeleteUnusedBookAccounts(r.org) },
	"SetBookAnswer":            func(r *revisedBooks) error { return r.tx.SetBookAnswer(r.org, "q", "yes") },
	"SetBookCash": func(r *revisedBooks) error {
		return r.tx.SetBookCash(r.org, store.BookCash{Note: "n"}, store.BookCash{}, nil)
	},
	"SetImportReporting": func(r *revisedBooks) error { return r.tx.SetImportReporting(r.org, r.imported, "EUR") },
	"SetBookCashShares": func(r *revisedBooks) error {
		return r.tx.SetBookCashShares(r.org, []bookrules.CashShare{{Label: "a"}}, nil)
	},
	"SetBookRules": func(r *revisedBooks) error { return r.tx.SetBookRules(r.org, "# none") },
	"setBookAccountChoice": func(r *revisedBooks) error {
		return r.tx.SetBookAccountName(r.org, bookrules.Account{Identity: "DE123", Currency: "USD"}, "Savings")
	},
	"InsertBookBalance": func(r *revisedBooks) error {
		stated := bookrules.StatedBalance{Account: r.account, Balance: bookrules.Balance{Day: 9}}
		return r.tx.InsertBookBalance(r.org, r.imported, stated)
	},
	"UpdateBookFeed": func(r *revisedBooks) error {
		return r.tx.UpdateBookFeed(r.org, bookrules.File{Key: r.file, Hash: [32]byte{1}, OwnFeed: true})
	},
	"UpdateBookImport": func(r *revisedBooks) error {
		return r.tx.UpdateBookImport(r.org, bookrules.Import{Key: r.imported, At: created.Add(time.Hour)})
	},
	"DeleteBookLines": func(r *revisedBooks) error {
		lines, err := r.tx.BookFeedLines(r.org, r.file, r.account, bookrules.Span{First: 1, Last: 1 << 20})
		r.must(err)
		return r.tx.DeleteBookLines(r.org, []int64{lines[0].Key})
	},
	"MoveBookLines": func(r *revisedBooks) error { return r.tx.MoveBookLines(r.org, r.statement, r.empty) },
	"DeleteBookFile": func(r *revisedBooks) error {
		file, err := r.tx.InsertBookFile(r.org, bookrules.File{Hash: [32]byte{9}})
		return errors.Join(err, r.tx.DeleteBookFile(r.org, file))
	},
	"DeleteBookStatement": func(r *revisedBooks) error { return r.tx.DeleteBookStatement(r.org, r.empty) },
	"SetBookFeedBalance": func(r *revisedBooks) error {
		return r.tx.SetBookFeedBalance(r.org, bookrules.FeedBalance{File: r.file, Account: r.account, Day: 9, Minor: 2})
	},
	"DeleteBookFeedBalance": func(r *revisedBooks) error {
		return r.tx.DeleteBookFeedBalance(r.org, bookrules.FeedBalance{File: r.file, Account: r.account, Day: 9})
	},
	"DeleteBookOpenLists": func(r *revisedBooks) error { return r.tx.DeleteBookOpenLists(r.org, r.file) },
	"SetBookPaidInvoice": func(r *revisedBooks) error {
		return r.tx.SetBookPaidInvoice(r.org, bookrules.PaidInvoice{File: r.file, RemoteID: "in_1"})
	},
	"InsertBookImport": func(r *revisedBooks) error {
		_, err := r.tx.InsertBookImport(r.org, bookrules.Import{ID: "imp_3", At: created})
		return err
	},
	"InsertBookFile": func(r *revisedBooks) error {
		_, err := r.tx.InsertBookFile(r.org, bookrules.File{Hash: [32]byte{2}})
		return err
	},
	"LinkBookFile": func(r *revisedBooks) error {
		return r.tx.LinkBookFile(r.org, r.later, named(r.file, "b.ofx"))
	},
	"DeleteBookImport":        func(r *revisedBooks) error { return r.tx.DeleteBookImport(r.org, r.imported) },
	"DeleteUnlinkedBookFiles": func(r *revisedBooks) error { return r.tx.DeleteUnlinkedBookFiles(r.org) },
	"InsertBookLines": func(r *revisedBooks) error {
		return r.tx.InsertBookLines(r.org, []bookrules.Line{{Statement: r.statement, Line: bank.Line{Place: 9, Minor: 1}}})
	},
	"insertBookLineBatch": func(r *revisedBooks) error {
		return r.tx.InsertBookLines(r.org, []bookrules.Line{{Statement: r.statement, Line: bank.Line{Place: 9, Minor: 1}}})
	},
	"InsertBookOpenList": func(r *revisedBooks) error {
		_, err := r.tx.InsertBookOpenList(r.org, bookrules.OpenList{File: r.file})
		return err
	},
	"InsertBookOpenItems": func(r *revisedBooks) error {
		key, err := r.tx.InsertBookOpenList(r.org, bookrules.OpenList{File: r.file})
		if err != nil {
			return err
		}
		return r.tx.InsertBookOpenItems(r.org, key, []bank.OpenItem{{Number: "7", Currency: "USD", Minor: 12}})
	},
	"InsertBookRate": func(r *revisedBooks) error {
		return r.tx.InsertBookRate(r.org, r.file, bank.Rate{Currency: "GEL", Numerator: 1, Denominator: 2})
	},
	"ReplaceBookQuestions": func(r *revisedBooks) error {
		return r.tx.ReplaceBookQuestions(r.org, []store.BookQuestion{{Key: "q"}})
	},
	"SetBookInvoicePayment": func(r *revisedBooks) error {
		return r.tx.SetBookInvoicePayment(r.org, store.BookInvoicePayment{Invoice: "inv_1", Transaction: "txn_1", Minor: 1})
	},
	"InsertBookStatement": func(r *revisedBooks) error {
		_, err := r.tx.InsertBookStatement(r.org, bookrules.Statement{File: r.file, Account: r.account})
		return err
	},
	"UpdateBookStatement": func(r *revisedBooks) error {
		return r.tx.UpdateBookStatement(
			r.org,
			bookrules.Statement{Key: r.statement, File: r.file, Account: r.account, Lines: 2},
		)
	},
	"InsertConnection": func(r *revisedBooks) error {
		_, err := r.tx.InsertConnection(connectionOf(r.org, "con_2"))
		return err
	},
	"DescribeConnection": func(r *revisedBooks) error {
		r.connection.Label = "Bank"
		return r.tx.DescribeConnection(r.connection)
	},
	"DeleteLostClaims": func(r *revisedBooks) error {
		return r.tx.DeleteLostClaims(r.org, "stub", created.Add(time.Hour))
	},
	"RemoveConnection": func(r *revisedBooks) error { return r.tx.RemoveConnection(r.connection.Key) },
	"deleteConnectionSecrets": func(r *revisedBooks) error {
		_, _, err := r.tx.DiscardServerKey("key", created)
		return err
	},
	"DeleteConnection": func(r *revisedBooks) error { return r.tx.DeleteConnection(r.connection.Key) },
	"FinishReading": func(r *revisedBooks) error {
		r.connection.Problem = "The bank is closed."
		_, err := r.tx.FinishReading(r.lease, r.connection)
		return err
	},
	"PutConnectionAccount": func(r *revisedBooks) error {
		taken := store.ConnectionAccount{Connection: r.connection.Key, RemoteID: "1", Taken: true}
		return r.tx.PutConnectionAccount(r.org, taken)
	},
	"DeleteConnectionAccount": func(r *revisedBooks) error { return r.tx.DeleteConnectionAccount(r.connection.Key, "1") },
}

func TestWhateverChangesOwnBooksRaisesTheirRevision(t *testing.T) {
	if testing.Short() {
		t.Skip("does one thing after the other")
	}
	for name, write := range revised {
		t.Run(name, func(t *testing.T) {
			stores, path := openShared(t, 1)
			org, other := organization(t, stores[0], "a"), organization(t, stores[0], "b")
			revision := func(org store.OrgKey) int64 {
				return ask[int64](t, path, "SELECT books_revision FROM organizations WHERE id = ?", int64(org))
			}
			var r *revisedBooks
			keep(t, stores[0], org, func(b bookkeeper) { r = setUp(b) })
			before := revision(org)

			keep(t, stores[0], org, func(b bookkeeper) {
				r.bookkeeper = b
				b.must(write(r))
			})

			if revision(org) == before {
				t.Error("the revision is the same")
			}
			if revision(other) != 0 {
				t.Error("the revision of another organization has changed")
			}
		})
	}
}

func TestAReadingWithTheSameOutcomeDoesNotRaiseTheRevision(t *testing.T) {
	stores, path := openShared(t, 1)
	org := organization(t, stores[0], "a")
	var r *revisedBooks
	keep(t, stores[0], org, func(b bookkeeper) { r = setUp(b) })
	before := ask[int64](t, path, "SELECT books_revision FROM organizations WHERE id = ?", int64(org))

	keep(t, stores[0], org, func(b bookkeeper) {
		r.connection.LastSuccess, r.connection.NextTry = created.Add(time.Hour), created.Add(2*time.Hour)
		_, err := b.tx.FinishReading(r.lease, r.connection)
		b.must(err)
		b.must(b.tx.PutConnectionAccount(org, store.ConnectionAccount{
			Connection: r.connection.Key, RemoteID: "1", LastSeen: created.Add(time.Hour),
		}))
	})

	if after := ask[int64](t, path, "SELECT books_revision FROM organizations WHERE id = ?", int64(org)); after != before {
		t.Errorf("the revision was %d and is %d", before, after)
	}
}

func TestAnImportInStepsRaisesTheRevisionOnce(t *testing.T) {
	stores, path := openShared(t, 1)
	org := organization(t, stores[0], "a")
	revision := func() int64 {
		return ask[int64](t, path, "SELECT books_revision FROM organizations WHERE id = ?", int64(org))
	}
	write := func(tx *store.Tx) error {
		b := bookkeeper{t, tx, org}
		file, _ := b.file(b.account("DE123"), 1)
		imported, err := tx.InsertBookImport(org, bookrules.Import{ID: "imp_1", At: created})
		b.must(err)
		return tx.LinkBookFile(org, imported, named(file, "a.ofx"))
	}
	err := stores[0].StageBooks(t.Context(), org, func(g *store.BookStage) error {
		if err := g.Write(t.Context(), write); err != nil {
			return err
		}
		if n := revision(); n != 0 {
			t.Errorf("before the import counts, the revision is %d", n)
		}
		return g.Publish(t.Context(), false, func(*store.Tx) error { return nil })
	})
	if errors.Is(err, errors.ErrUnsupported) {
		t.Skip("an import is one transaction here")
	}
	if err != nil || revision() == 0 {
		t.Errorf("the import ended with %v, the revision is %d", err, revision())
	}
}

// writesBooks matches SQL that writes to tables of own books.
var writesBooks = regexp.MustCompile(`(INSERT INTO|UPDATE|DELETE FROM) (book_|connections|connection_accounts)`)

// A new method that writes to own books needs an entry in one of the two tables above.
func TestEveryMethodThatWritesToOwnBooksIsKnown(t *testing.T) {
	files, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]bool{}
	for _, file := range files {
		if !strings.HasSuffix(file.Name(), ".go") || strings.HasSuffix(file.Name(), "_test.go") {
			continue
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file.Name(), nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range parsed.Decls {
			function, ok := d.(*ast.FuncDecl)
			if !ok {
				continue
			}
			ast.Inspect(function, func(n ast.Node) bool {
				if text, ok := n.(*ast.BasicLit); ok && (writesBooks.MatchString(text.Value) || text.Value == `"book_lines"`) {
					found[function.Name.Name] = true
				}
				return true
			})
		}
	}
	for name := range found {
		if _, listed := revised[name]; listed == slices.Contains(unrevised, name) {
			t.Errorf("%s writes to own books; say in one of the tables whether it raises their revision", name)
		}
	}
	if known := len(revised) + len(unrevised); len(found) != known {
		t.Errorf("%d methods write to own books, and %d are known", len(found), known)
	}
}
