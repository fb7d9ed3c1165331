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

// ErrCursor is returned for a cursor that was not made for this organization
// and this filter.
var ErrCursor = errors.New("cursor is not valid for this query")

// Cursors makes and reads the places that lists go on from (docs/api.md, Keyset
// cursor): a version, the last row's position and a hash of the filter, sealed with
// a key so that a cursor of another organization, of another filter, or made up, is
// told from a good one.
type Cursors struct{ key []byte }

// NewCursors returns cursors that are sealed with key.
func NewCursors(key []byte) Cursors { return Cursors{key: key} }

const (
	cursorVersion = 1
	filterHashLen = 8
	cursorMACLen  = 16
	cursorBodyLen = 1 + 4 + 8 + filterHashLen
)

var cursorEncoding = base64.RawURLEncoding.Strict()

// Encode returns the cursor of the rows after pos.
func (c Cursors) Encode(orgPublicID string, f Filter, pos Position) string {
	b := make([]byte, 0, cursorBodyLen+cursorMACLen)
	b = append(b, cursorVersion)
	b = binary.BigEndian.AppendUint32(b, uint32(int32(pos.Date.Time().Unix()/86400)))
	b = binary.BigEndian.AppendUint64(b, uint64(pos.Seq))
	b = append(b, f.hash()...)
	b = append(b, c.seal(orgPublicID, b)...)
	return cursorEncoding.EncodeToString(b)
}

// Decode returns the position of a cursor that Encode made for the same
// organization and filter, and ErrCursor for all other text.
func (c Cursors) Decode(orgPublicID string, f Filter, cursor string) (Position, error) {
	if len(cursor) != cursorEncoding.EncodedLen(cursorBodyLen+cursorMACLen) {
		return Position{}, ErrCursor
	}
	b, err := cursorEncoding.DecodeString(cursor)
	if err != nil || len(b) != cursorBodyLen+cursorMACLen {
		return Position{}, ErrCursor
	}
	body, mac := b[:cursorBodyLen], b[cursorBodyLen:]
	if !hmac.Equal(mac, c.seal(orgPublicID, body)) || body[0] != cursorVersion {
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

func (c Cursors) seal(orgPublicID string, body []byte) []byte {
	mac := hmac.New(sha256.New, c.key)
	mac.Write([]byte(orgPublicID))
	mac.Write([]byte{0})
	mac.Write(body)
	return mac.Sum(nil)[:cursorMACLen]
}

// hash tells filters apart. The limit is no part of it: a page may be of
// another size than the one before.
func (f Filter) hash() []byte {
	direction := "-"
	if f.Direction != nil {
		direction = f.Direction.String()
	}
	// No field but the last can hold the separator.
	sum := sha256.Sum256([]byte(direction + "\x00" + f.From.String() + "\x00" + f.To.String() + "\x00" + f.Keyword))
	return sum[:filterHashLen]
}
