package bookkeeping

import (
	"cmp"
	"encoding/binary"
	"errors"

	"tarmac/service/bookrules"
	"tarmac/service/statements/bank"
)

// lineFacts holds what the derivation of the books needs of a line beside its entry: what its text
// and the user's rules say.
type lineFacts struct {
	bookrules.Hints        // Payee is set by matching.showNames and not packed
	category        string // category that a rule or bookrules.CategoryOf gives the line; "" if none does
	name            string // name of the other party in the text
	counterparty    string // counterparty that a rule gives the line; "" if none does
	text            string // text of money in, for finding invoices
	shown           string // part of the name that is shown; set by matching.showNames and not packed
}

// plain reports whether the facts are only names, as they are of most lines of money out.
func (f *lineFacts) plain() bool {
	e := &f.Evidence
	return e.Strength == bookrules.NoEvidence && e.Origin == bookrules.NoOrigin && e.Others == nil && f.Original == nil &&
		f.category == "" && f.text == ""
}

// packing is the version of packs: of their form, and of the rules by which facts follow from
// lines, which are newFacts and the functions that it calls. Increase it when either changes.
const packing = 8

// lineNames are all facts of a line whose facts are plain. Such lines share their facts.
type lineNames struct{ name, counterparty string }

// newFacts returns the facts of a line.
func (b *ledgerBooks) newFacts(a bookrules.Account, l bank.Line) lineFacts {
	outcome := b.rules.Apply(a, l)
	f := lineFacts{
		category: cmp.Or(outcome.Category, bookrules.CategoryOf(l)), name: b.names.Name(l),
		counterparty: outcome.Counterparty,
	}
	f.Evidence, f.Original, f.Explained = b.finder.Find(a, l, outcome), l.Original, f.category != ""
	if other, converted := bookrules.Converted(a.Currency, l); converted && f.Original == nil {
		f.Original = &other
	}
	if l.Minor >= 0 {
		f.text = l.Counterparty + " " + l.Description + " " + l.Reference
	}
	return f
}

// Flags of a packed line, which say what follows.
const (
	hasID = 1 << iota
	hasValue
	hasFacts
	hasOriginal
	isPlain // the facts are only names
)

// pack returns the entries of a month with their facts, as text. Entry.Note is an index in facts.
func pack(entries []bookrules.Entry, facts *factTable) []byte {
	var texts, lines []byte
	places := map[string]uint64{}
	place := func(text string) uint64 {
		at, found := places[text]
		if !found {
			at = uint64(len(places))
			places[text] = at
			texts = append(binary.AppendUvarint(texts, uint64(len(text))), text...)
		}
		return at
	}
	var before bookrules.Entry
	for i := range entries {
		e := &entries[i]
		f, flags := facts.at(e.Note), byte(0)
		for flag, set := range [...]bool{
			e.ID != 0, e.Value != 0, e.Note != 0, f.Original != nil, e.Note != 0 && f.plain(),
		} {
			if set {
				flags |= 1 << flag
			}
		}
		lines = append(lines, flags)
		lines = binary.AppendVarint(lines, e.Line-before.Line)
		lines = binary.AppendVarint(lines, int64(e.Day-before.Day))
		lines = binary.AppendVarint(lines, e.Minor)
		if e.ID != 0 {
			lines = binary.LittleEndian.AppendUint64(lines, e.ID)
		}
		if e.Value != 0 {
			lines = binary.AppendVarint(lines, int64(e.Value-e.Day))
		}
		switch {
		case flags&isPlain != 0:
			lines = appendTexts(lines, place, f.name, f.counterparty)
		case e.Note != 0:
			lines = appendFacts(lines, f, place)
		}
		before = *e
	}
	head := binary.AppendUvarint(nil, uint64(len(places)))
	head = binary.AppendUvarint(append(head, texts...), uint64(len(entries)))
	return append(head, lines...)
}

func appendFacts(lines []byte, f *lineFacts, place func(string) uint64) []byte {
	lines = append(lines, byte(f.Evidence.Strength), byte(f.Evidence.Origin))
	others := uint64(0)
	if f.Evidence.Others != nil {
		others = uint64(len(f.Evidence.Others)) + 1
	}
	lines = binary.AppendUvarint(lines, others)
	for _, key := range f.Evidence.Others {
		lines = binary.AppendVarint(lines, key)
	}
	lines = appendTexts(lines, place, f.category, f.name, f.counterparty, f.text)
	if o := f.Original; o != nil {
		lines = binary.AppendUvarint(lines, place(o.Currency))
		lines = binary.AppendVarint(lines, o.Minor)
		lines = binary.AppendUvarint(lines, place(o.Rate))
	}
	return lines
}

// appendTexts appends the places of texts.
func appendTexts(lines []byte, place func(string) uint64, texts ...string) []byte {
	for _, text := range texts {
		lines = binary.AppendUvarint(lines, place(text))
	}
	return lines
}

// errPack is the error for a pack that is damaged.
var errPack = errors.New("packed lines are damaged")

// unpacker reads a pack from its start. After an error, all that it reads is 0.
type unpacker struct {
	rest   []byte
	texts  []string
	failed bool
}

// unpack appends the entries of a pack to entries, and adds their facts to facts.
func unpack(pack []byte, entries []bookrules.Entry, facts *factTable) ([]bookrules.Entry, error) {
	u := &unpacker{rest: pack}
	u.texts = make([]string, 0, u.count())
	for range cap(u.texts) {
		u.texts = append(u.texts, string(u.bytes(u.count())))
	}
	var e bookrules.Entry
	names := map[uint64]int32{} // indexes in facts of plain ones, by the places of their names
	for range u.count() {
		if u.failed {
			break
		}
		flags := u.byte()
		e.Line += u.varint()
		e.Day += bookrules.Day(u.varint())
		e.Minor, e.ID, e.Value, e.Note = u.varint(), 0, 0, 0
		if id := hasID & flags; id != 0 {
			if bytes := u.bytes(8); len(bytes) == 8 {
				e.ID = binary.LittleEndian.Uint64(bytes)
			}
		}
		if flags&hasValue != 0 {
			e.Value = e.Day + bookrules.Day(u.varint())
		}
		switch {
		case flags&isPlain != 0:
			name, counterparty := u.place(), u.place()
			places := uint64(name)<<32 | uint64(counterparty)
			note, found := names[places]
			if !found && !u.failed {
				note = facts.add(lineFacts{name: u.texts[name], counterparty: u.texts[counterparty]})
				names[places] = note
			}
			e.Note = note
		case flags&hasFacts != 0:
			e.Note = facts.add(u.facts(flags))
		}
		entries = append(entries, e)
	}
	if u.failed || len(u.rest) > 0 {
		return entries, errPack
	}
	return entries, nil
}

func (u *unpacker) facts(flags byte) (f lineFacts) {
	f.Evidence.Strength, f.Evidence.Origin = bookrules.Strength(u.byte()), bookrules.EvidenceOrigin(u.byte())
	if others := u.count(); others > 0 {
		f.Evidence.Others = make([]int64, others-1)
		for n := range f.Evidence.Others {
			f.Evidence.Others[n] = u.varint()
		}
	}
	f.category, f.name, f.counterparty, f.text = u.text(), u.text(), u.text(), u.text()
	f.Explained = f.category != ""
	if flags&hasOriginal != 0 {
		f.Original = &bank.Original{Currency: u.text(), Minor: u.varint(), Rate: u.text()}
	}
	return f
}

func (u *unpacker) fail() {
	u.failed, u.rest = true, nil
}

func (u *unpacker) byte() byte {
	if len(u.rest) == 0 {
		u.fail()
		return 0
	}
	b := u.rest[0]
	u.rest = u.rest[1:]
	return b
}

func (u *unpacker) bytes(n int) []byte {
	if n > len(u.rest) {
		u.fail()
		return nil
	}
	b := u.rest[:n]
	u.rest = u.rest[n:]
	return b
}

// count reads a number of things, each of which takes at least a byte of the rest.
func (u *unpacker) count() int {
	n, size := binary.Uvarint(u.rest)
	if size <= 0 || n > uint64(len(u.rest)) {
		u.fail()
		return 0
	}
	u.rest = u.rest[size:]
	return int(n)
}

func (u *unpacker) varint() int64 {
	n, size := binary.Varint(u.rest)
	if size <= 0 {
		u.fail()
		return 0
	}
	u.rest = u.rest[size:]
	return n
}

func (u *unpacker) text() string {
	at := u.place()
	if u.failed {
		return ""
	}
	return u.texts[at]
}

// place reads the place of a text, which is 0 after an error.
func (u *unpacker) place() int {
	at, size := binary.Uvarint(u.rest)
	if size <= 0 || at >= uint64(len(u.texts)) {
		u.fail()
		return 0
	}
	u.rest = u.rest[size:]
	return int(at)
}
