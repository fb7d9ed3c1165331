package demodata

import (
	"encoding/binary"
	"math/rand/v2"

	"tarmac/service/ids"
	"tarmac/service/store"
)

// Streams of random numbers. Each part of the generator uses its own stream. More records of one
// kind therefore do not change the records of other kinds.
const (
	streamPlan = iota + 1
	streamSmall
	streamIDs
	streamSimulator
	streamSimulatorIDs
)

func newRand(seed int64, stream uint64) *rand.Rand {
	return rand.New(rand.NewPCG(uint64(seed), stream))
}

// idSources holds a source of public ids for each kind of record.
type idSources struct {
	transactions, invoices, intents, events *ids.Source
}

// newIDSources returns sources of public ids. They depend on the organization too, because ids must
// be unique in a database. All other generated data depends only on the seed and the time.
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
