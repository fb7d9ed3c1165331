package demodata

import (
	"encoding/binary"
	"math/rand/v2"

	"tarmac/service/ids"
	"tarmac/service/store"
)

// Every part draws from a stream of its own, so that more of one kind of record
// does not change the others.
const (
	streamStory = iota + 1
	streamSmall
	streamIDs
	streamLife
	streamLifeIDs
)

func newRand(seed int64, stream uint64) *rand.Rand {
	return rand.New(rand.NewPCG(uint64(seed), stream))
}

// idSources make the public ids of each kind of record.
type idSources struct {
	transactions, invoices, intents, events *ids.Source
}

// newIDSources mixes the organization into the ids, which are unique in a
// database, and nothing else does: the story is of the seed alone.
func newIDSources(seed int64, stream byte, org store.OrgKey) idSources {
	source := func(kind byte) *ids.Source {
		var key [32]byte
		binary.LittleEndian.PutUint64(key[:], uint64(seed))
		key[8], key[9] = stream, kind
		binary.LittleEndian.PutUint64(key[16:], uint64(org))
		return ids.NewSource(rand.NewChaCha8(key))
	}
	return idSources{transactions: source(1), invoices: source(2), intents: source(3), events: source(4)}
}
