package invoicepdf

import (
	"encoding/binary"
	"errors"
	"sort"
)

// coverage maps characters to glyphs of a font. It is read from a "cmap" table in format 4, which
// the PDF library reads too. The format is limited to characters up to U+FFFE.
type coverage struct {
	segments []segment
	table    []byte // part of the "cmap" table that starts with the array idRangeOffset
}

// segment is a range of characters. If offset is negative, the glyph number of a character is the
// character plus delta. Otherwise offset is the position of the segment's glyph numbers in
// coverage.table.
type segment struct {
	first, last, delta uint16
	offset             int
}

var errFont = errors.New("it has no table of Unicode characters in format 4")

// newCoverage reads the coverage of a TrueType font.
func newCoverage(ttf []byte) (coverage, error) {
	cmap, ok := fontTable(ttf, "cmap")
	if !ok || len(cmap) < 4 {
		return coverage{}, errFont
	}
	for i := range int(u16(cmap[2:])) {
		record := cmap[min(len(cmap), 4+8*i):]
		if len(record) < 8 {
			break
		}
		platform, encoding := u16(record), u16(record[2:])
		at := int64(binary.BigEndian.Uint32(record[4:]))
		if (platform == 0 || platform == 3 && encoding == 1) && at+14 <= int64(len(cmap)) && u16(cmap[at:]) == 4 {
			return format4(cmap[at:])
		}
	}
	return coverage{}, errFont
}

func fontTable(ttf []byte, name string) ([]byte, bool) {
	for record := ttf[min(len(ttf), 12):]; len(record) >= 16; record = record[16:] {
		if string(record[:4]) != name {
			continue
		}
		at, size := int64(binary.BigEndian.Uint32(record[8:])), int64(binary.BigEndian.Uint32(record[12:]))
		if at+size > int64(len(ttf)) {
			return nil, false
		}
		return ttf[at : at+size], true
	}
	return nil, false
}

func format4(table []byte) (coverage, error) {
	double := int(u16(table[6:])) // twice the number of segments
	const ends = 14
	starts := ends + double + 2
	deltas, offsets := starts+double, starts+2*double
	if double%2 != 0 || offsets+double > len(table) {
		return coverage{}, errFont
	}
	c := coverage{table: table[offsets:]}
	for i := 0; i < double; i += 2 {
		s := segment{
			first: u16(table[starts+i:]), last: u16(table[ends+i:]),
			delta: u16(table[deltas+i:]), offset: -1,
		}
		if relative := int(u16(table[offsets+i:])); relative != 0 {
			s.offset = i + relative
		}
		c.segments = append(c.segments, s)
	}
	return c, nil
}

func u16(b []byte) uint16 { return binary.BigEndian.Uint16(b) }

// has reports whether the font has a glyph for r.
func (c *coverage) has(r rune) bool { return c.glyph(r) != 0 }

// glyph returns the glyph number of r, or 0 if the font has no glyph for r.
func (c *coverage) glyph(r rune) uint16 {
	if r <= 0 || r >= 0xffff {
		return 0
	}
	char := uint16(r)
	i := sort.Search(len(c.segments), func(i int) bool { return c.segments[i].last >= char })
	if i == len(c.segments) || c.segments[i].first > char {
		return 0
	}
	s := c.segments[i]
	if s.offset < 0 {
		return char + s.delta
	}
	at := s.offset + 2*int(char-s.first)
	if at+2 > len(c.table) || u16(c.table[at:]) == 0 {
		return 0
	}
	return u16(c.table[at:]) + s.delta
}
