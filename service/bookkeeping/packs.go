package bookkeeping

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"slices"

	"tarmac/service/bookrules"
	"tarmac/service/store"
)

// packDigest returns a digest of what the packs of a file follow from. at is the time of the import
// of a connection, in microseconds, and 0 for files.
func packDigest(common store.Digest, f bookrules.File, at int64) store.Digest {
	h := sha256.New()
	fmt.Fprintf(h, "%d %x %x %d", packing, common, f.Hash, at)
	return digest(h)
}

// missingPacks says which packs of the lines of an account are missing, by the key of their file.
type missingPacks struct {
	none   []int64                   // files without valid packs
	months map[int64][]bookrules.Day // first days of the months that changed since
}

// readPacked fills the contents of an account from packs. Those without a pack are packed if the
// books may be written; otherwise their entries are read without facts, and d.bare is set.
func (l *ledgerBooks) readPacked(d *derived, contents map[int64]*bookrules.Content, files []int64) error {
	d.facts = newFactTable()
	missing, err := l.unpackContents(d, contents, files)
	if err != nil {
		return err
	}
	if l.packs == nil {
		return l.readBare(d, contents, missing)
	}
	for _, file := range missing.none {
		if err := l.packFile(d, file, contents[file]); err != nil {
			return err
		}
	}
	for file, months := range missing.months {
		for _, month := range months {
			if err := l.packMonth(d, file, month, contents[file]); err != nil {
				return err
			}
		}
	}
	return nil
}

// unpackContents reads the packs of an account, and returns which are missing.
func (l *ledgerBooks) unpackContents(d *derived, contents map[int64]*bookrules.Content, files []int64,
) (missingPacks, error) {
	missing := missingPacks{months: map[int64][]bookrules.Day{}}
	valid := map[int64]bool{}
	err := l.BookPacks(l.Org, d.Key, func(p store.BookPack) error {
		c := contents[p.File]
		switch {
		case c == nil:
		case p.Month == 0:
			want := l.packDigestOf(p.File)
			valid[p.File] = slices.Equal(p.Pack, want[:])
		case !valid[p.File]:
		case len(p.Pack) == 0:
			missing.months[p.File] = append(missing.months[p.File], p.Month)
		default:
			var err error
			c.Entries, err = unpack(p.Pack, c.Entries, d.facts)
			valid[p.File] = err == nil // a damaged pack is made again
		}
		return nil
	})
	for _, file := range files {
		if !valid[file] {
			missing.none = append(missing.none, file)
			delete(missing.months, file)
		}
	}
	return missing, err
}

func (l *ledgerBooks) packDigestOf(file int64) store.Digest {
	return packDigest(l.common, l.files[file], l.readAt[file])
}

// readBare reads the entries of files without packs.
func (l *ledgerBooks) readBare(d *derived, contents map[int64]*bookrules.Content, missing missingPacks) error {
	if len(missing.none)+len(missing.months) == 0 {
		return nil
	}
	d.bare = true
	ofStatement := map[int64]*bookrules.Content{}
	for _, s := range l.stored(d.Key).statements {
		_, changed := missing.months[s.File]
		if changed || slices.Contains(missing.none, s.File) {
			ofStatement[s.Key] = contents[s.File]
			contents[s.File].Entries = contents[s.File].Entries[:0]
		}
	}
	return l.BookEntries(l.Org, d.Key, func(statement int64, e bookrules.Entry) {
		if c := ofStatement[statement]; c != nil {
			c.Entries = append(c.Entries, e)
		}
	})
}

// always is a span of all days.
var always = bookrules.Span{First: 0, Last: 1 << 30}

// packFile reads the lines of an account in a file and stores them as packs.
func (l *ledgerBooks) packFile(d *derived, file int64, c *bookrules.Content) error {
	if err := l.packs.DeleteBookPacks(l.Org, d.Key, file); err != nil {
		return err
	}
	c.Entries = c.Entries[:0]
	if err := l.readFacts(d, file, always, c); err != nil {
		return err
	}
	c.SortEntries()
	for rest := c.Entries; len(rest) > 0; {
		month := monthOf(rest[0].Day)
		n, _ := slices.BinarySearchFunc(rest, month.Last+1, func(e bookrules.Entry, day bookrules.Day) int {
			return cmp.Compare(e.Day, day)
		})
		if err := l.storePack(d, file, month.First, rest[:n]); err != nil {
			return err
		}
		rest = rest[n:]
	}
	digest := l.packDigestOf(file)
	return l.packs.SetBookPack(l.Org, store.BookPack{File: file, Account: d.Key, Pack: digest[:]})
}

// packMonth reads the lines of a month and stores them as a pack.
func (l *ledgerBooks) packMonth(d *derived, file int64, first bookrules.Day, c *bookrules.Content) error {
	before := len(c.Entries)
	if err := l.readFacts(d, file, monthOf(first), c); err != nil {
		return err
	}
	month := bookrules.Content{Entries: c.Entries[before:]}
	month.SortEntries()
	return l.storePack(d, file, first, month.Entries)
}

// readFacts appends the booked lines of an account in a file to the content, with their facts.
// Another goroutine derives the facts of lines while the database reads the next ones.
func (l *ledgerBooks) readFacts(d *derived, file int64, days bookrules.Span, c *bookrules.Content) error {
	const batch = 500 // lines
	read := make(chan []bookrules.Line, 2)
	added := start(func() error {
		for lines := range read {
			for _, line := range lines {
				e := bookrules.EntryOf(line)
				e.Note = d.addFacts(l, line)
				c.Entries = append(c.Entries, e)
			}
		}
		return nil
	})
	var lines []bookrules.Line
	send := func() {
		select {
		case read <- lines:
		case <-added.done: // it panicked
		}
		lines = lines[:0:0] // the other goroutine has them
	}
	err := l.BookFileLines(l.Org, file, d.Key, days, func(line bookrules.Line) error {
		if !line.Pending {
			lines = append(lines, line)
		}
		if len(lines) >= batch {
			send()
		}
		return nil
	})
	send()
	close(read)
	return cmp.Or(added.wait(), err)
}

// addFacts adds the facts of a line to d.facts and returns their index. Lines whose facts are plain
// share them.
func (d *derived) addFacts(l *ledgerBooks, line bookrules.Line) int32 {
	facts := l.newFacts(d.Account, line.Line)
	if !facts.plain() {
		return d.facts.add(facts)
	}
	names := lineNames{facts.name, facts.counterparty}
	note, found := d.plain[names]
	if !found {
		if d.plain == nil {
			d.plain = map[lineNames]int32{}
		}
		note = d.facts.add(facts)
		d.plain[names] = note
	}
	return note
}

func (l *ledgerBooks) storePack(d *derived, file int64, month bookrules.Day, entries []bookrules.Entry) error {
	return l.packs.SetBookPack(l.Org, store.BookPack{
		File: file, Account: d.Key, Month: month, Pack: pack(entries, d.facts),
	})
}

// monthOf returns the days of the month that a day is in.
func monthOf(day bookrules.Day) bookrules.Span {
	date := day.Date()
	return bookrules.Span{First: bookrules.DayOf(date.FirstOfMonth()), Last: bookrules.DayOf(date.LastOfMonth())}
}
