package ledger

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"time"

	"tarmac/internal/civil"
)

// ErrCursor is returned by Cursors.Decode for a cursor that it did not create for the same
// organization and filter.
var ErrCursor = errors.New("cursor is not valid for this query")

// Cursors encodes and decodes the cursors of lists of transactions (docs/api.md, Keyset cursor). A
// cursor consists of a version, the position of the last row and a hash of the filter,
// authenticated with a key. Forged cursors and those of another organization or filter are
// therefore refused.
type Cursors struct{ key []byte }

// NewCursors returns Cursors that authenticate cursors with key.
func NewCursors(key []byte) Cursors { return Cursors{key: key} }

const (
	cursorVersion = 1
	filterHashLen = 8
	cursorMACLen  = 16
	cursorBodyLen = 1 + 4 + 8 + filterHashLen
)

var cursorEncoding = base64.RawURLEncoding.Strict()

// Encode returns the cursor for the page that starts after the transaction at pos.
func (c Cursors) Encode(orgPublicID string, f Filter, pos Position) string {
	b := make([]byte, 0, cursorBodyLen+cursorMACLen)
	b = append(b, cursorVersion)
	b = binary.BigEndian.AppendUint32(b, uint32(int32(pos.Date.Time().Unix()/86400)))
	b = binary.BigEndian.AppendUint64(b, uint64(pos.Seq))
	b = append(b, f.hash()...)
	b = append(b, c.sign(orgPublicID, b)...)
	return cursorEncoding.EncodeToString(b)
}

// Decode returns the position in a cursor that Encode created for the same organization and filter.
// For any other text it returns ErrCursor.
func (c Cursors) Decode(orgPublicID string, f Filter, cursor string) (Position, error) {
	if len(cursor) != cursorEncoding.EncodedLen(cursorBodyLen+cursorMACLen) {
		return Position{}, ErrCursor
	}
	b, err := cursorEncoding.DecodeString(cursor)
	if err != nil || len(b) != cursorBodyLen+cursorMACLen {
		return Position{}, ErrCursor
	}
	body, mac := b[:cursorBodyLen], b[cursorBodyLen:]
	if !hmac.Equal(mac, c.sign(orgPublicID, body)) || body[0] != cursorVersion {
		return Position{}, ErrCursor
	}
	if string(body[cursorBodyLen-filterHashLen:]) != string(f.hash()) {
		return Position{}, ErrCursor
	}
	day := int64(int32(binary.BigEndian.Uint32(body[1:])))
	return Position{
		Date: civil.Of(time.Unix(day*86400, 0)),
		Seq:  int64(binary.BigEndian.Uint64(body[5:])),
	}, nil
}

func (c Cursors) sign(orgPublicID string, body []byte) []byte {
	mac := hmac.New(sha256.New, c.key)
	mac.Write([]byte(orgPublicID))
	mac.Write([]byte{0})
	mac.Write(body)
	return mac.Sum(nil)[:cursorMACLen]
}

// hash returns a hash of the filter. The size of pages is not part of it, so it may change from
// page to page.
func (f Filter) hash() []byte {
	direction := "-"
	if f.Direction != nil {
		direction = f.Direction.String()
	}
	// Direction and dates cannot contain the separator, so different filters give different texts.
	sum := sha256.Sum256([]byte(direction + "\x00" + f.From.String() + "\x00" + f.To.String() + "\x00" + f.Keyword))
	return sum[:filterHashLen]
}
