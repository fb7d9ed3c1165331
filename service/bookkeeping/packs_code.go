package bookkeeping

import (
	"encoding/binary"
	"errors"

	"tarmac/service/books"
	"tarmac/service/statements/bank"
)

// lineFacts holds what the derivation of the books needs of a line beside its entry: what its text
// and the user's rules say.
type lineFacts struct {
	evidence books.Evidence
	original *bank.Original // amount in another currency; nil if the line has none
	category string         // category that a rule gives the line; "" if none does
	payer    string         // counterparty of money in
	text     string         // text of money in, for finding invoices
}

// packing is the version of packs: of their form, and of the rules by which facts follow from
// lines, which are newFacts and the functions that it calls. Increase it when either changes.
const packing = 1

// newFacts returns the facts of a line. ok is false if there are none to keep.
func (b *ledgerBooks) newFacts(a books.Account, l bank.Line) (f lineFacts, ok bool) {
	outcome := b.rules.Apply(a, l)
	f = lineFacts{evidence: b.finder.Find(a, l, outcome), original: l.Original, category: outcome.Category}
	if l.Minor >= 0 {
		f.payer = b.names.Counterparty(l, outcome)
		f.text = l.Counterparty + " " + l.Description + " " + l.Reference
	}
	ok = l.Minor >= 0 || f.category != "" || f.original != nil || f.evidence.Strength != books.NoEvidence
	return f, ok
}

// Flags of a packed line, which say what follows.
const (
	hasID = 1 << iota
	hasValue
	hasFacts
	hasOriginal
)

// pack returns the entries of a month with their facts, as text. Entry.Note is an index in facts.
func pack(entries []books.Entry, facts []lineFacts) []byte {
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
	var before books.Entry
	for i := range entries {
		e := &entries[i]
		f, flags := &facts[e.Note], byte(0)
		for flag, set := range [...]bool{e.ID != 0, e.Value != 0, e.Note != 0, f.original != nil} {
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
		if e.Note != 0 {
			lines = appendFacts(lines, f, place)
		}
		before = *e
	}
	head := binary.AppendUvarint(nil, uint64(len(places)))
	head = binary.AppendUvarint(append(head, texts...), uint64(len(entries)))
	return append(head, lines...)
}

func appendFacts(lines []byte, f *lineFacts, place func(string) uint64) []byte {
	lines = append(lines, byte(f.evidence.Strength), byte(f.evidence.Origin))
	others := uint64(0)
	if f.evidence.Others != nil {
		others = uint64(len(f.evidence.Others)) + 1
	}
	lines = binary.AppendUvarint(lines, others)
	for _, key := range f.evidence.Others {
		lines = binary.AppendVarint(lines, key)
	}
	for _, text := range [...]string{f.category, f.payer, f.text} {
		lines = binary.AppendUvarint(lines, place(text))
	}
	if o := f.original; o != nil {
		lines = binary.AppendUvarint(lines, place(o.Currency))
		lines = binary.AppendVarint(lines, o.Minor)
		lines = binary.AppendUvarint(lines, place(o.Rate))
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

// unpack appends the entries of a pack to entries, and their facts to facts.
func unpack(pack []byte, entries []books.Entry, facts []lineFacts) ([]books.Entry, []lineFacts, error) {
	u := &unpacker{rest: pack}
	u.texts = make([]string, 0, u.count())
	for range cap(u.texts) {
		u.texts = append(u.texts, string(u.bytes(u.count())))
	}
	var e books.Entry
	for range u.count() {
		if u.failed {
			break
		}
		flags := u.byte()
		e.Line += u.varint()
		e.Day += books.Day(u.varint())
		e.Minor, e.ID, e.Value, e.Note = u.varint(), 0, 0, 0
		if id := hasID & flags; id != 0 {
			if bytes := u.bytes(8); len(bytes) == 8 {
				e.ID = binary.LittleEndian.Uint64(bytes)
			}
		}
		if flags&hasValue != 0 {
			e.Value = e.Day + books.Day(u.varint())
		}
		if flags&hasFacts != 0 {
			e.Note = int32(len(facts))
			facts = append(facts, u.facts(flags))
		}
		entries = append(entries, e)
	}
	if u.failed || len(u.rest) > 0 {
		return entries, facts, errPack
	}
	return entries, facts, nil
}

func (u *unpacker) facts(flags byte) (f lineFacts) {
	f.evidence.Strength, f.evidence.Origin = books.Strength(u.byte()), books.EvidenceOrigin(u.byte())
	if others := u.count(); others > 0 {
		f.evidence.Others = make([]int64, others-1)
		for n := range f.evidence.Others {
			f.evidence.Others[n] = u.varint()
		}
	}
	f.category, f.payer, f.text = u.text(), u.text(), u.text()
	if flags&hasOriginal != 0 {
		f.original = &bank.Original{Currency: u.text(), Minor: u.varint(), Rate: u.text()}
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
	at, size := binary.Uvarint(u.rest)
	if size <= 0 || at >= uint64(len(u.texts)) {
		u.fail()
		return ""
	}
	u.rest = u.rest[size:]
	return u.texts[at]
}
