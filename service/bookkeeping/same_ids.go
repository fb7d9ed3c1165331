package bookkeeping

import (
	"cmp"
	"math/bits"
	"slices"

	"tarmac/service/bookrules"
)

// givenID is a line with the id that its provider gave it.
type givenID struct {
	id      uint64 // hash of the id and of the layout of the file
	line    int64  // Entry.Line
	account int    // index in matching.accounts
}

// sameIDs returns the pairs of lines, as indexes in mt.movements, that a provider gave one id: two
// lines of two accounts in files of one layout. Three or more lines with one id aren't a pair.
func (mt *matching) sameIDs() (pairs [][2]int) {
	given := mt.repeatedIDs()
	slices.SortFunc(given, func(a, b givenID) int { return cmp.Or(cmp.Compare(a.id, b.id), cmp.Compare(a.line, b.line)) })
	movements := mt.movementsOf(given)
	for len(given) > 0 {
		n := 1
		for n < len(given) && given[n].id == given[0].id {
			n++
		}
		var lines []int // of the books: other files may have the same ones again
		for _, g := range given[:n] {
			if at, used := movements[g.line]; used {
				lines = append(lines, at)
			}
		}
		if len(lines) == 2 && mt.movements[lines[0]].Account != mt.movements[lines[1]].Account {
			pairs = append(pairs, [2]int{lines[0], lines[1]})
		}
		given = given[n:]
	}
	return pairs
}

// repeatedIDs returns the lines whose id lines of other accounts in files of the same layout have
// too. It may return others, whose ids have equal short hashes.
func (mt *matching) repeatedIDs() (given []givenID) {
	lines := 0
	mt.eachID(func(int, uint64, *bookrules.Entry) { lines++ })
	if len(mt.accounts) < 2 || lines == 0 {
		return nil
	}
	// A few bits for each line are less than a map of all ids, most of which are in one account.
	earlier, repeated := newIDSet(lines), newIDSet(lines)
	var own []uint64 // ids of the account that is being read
	account := -1
	mt.eachID(func(n int, id uint64, _ *bookrules.Entry) {
		if n != account {
			for _, id := range own {
				earlier.add(id)
			}
			own, account = own[:0], n
		}
		if own = append(own, id); earlier.has(id) {
			repeated.add(id)
		}
	})
	mt.eachID(func(n int, id uint64, e *bookrules.Entry) {
		if repeated.has(id) {
			given = append(given, givenID{id, e.Line, n})
		}
	})
	return given
}

// eachID calls visit for each line with a movement id, account after account. id is a hash of the
// id and of the layout of the file.
func (mt *matching) eachID(visit func(account int, id uint64, e *bookrules.Entry)) {
	for n := range mt.accounts {
		for i := range mt.accounts[n].contents {
			c := &mt.accounts[n].contents[i]
			if c.Making == "" {
				continue
			}
			layout := bookrules.IDHash(c.Making)
			for at := range c.Entries {
				if e := &c.Entries[at]; bookrules.IsMovementID(e.ID) {
					visit(n, e.ID^layout, e)
				}
			}
		}
	}
}

// idSet is a set of hashes that may report ones that weren't added, but never misses one that was.
type idSet []uint64

// newIDSet returns an empty set with sixteen bits or more for each of n hashes.
func newIDSet(n int) idSet { return make(idSet, 1<<max(0, bits.Len(uint(n))+4-6)) }

func (s idSet) add(hash uint64) {
	at := hash >> 1 % uint64(len(s)*64)
	s[at/64] |= 1 << (at % 64)
}

func (s idSet) has(hash uint64) bool {
	at := hash >> 1 % uint64(len(s)*64)
	return s[at/64]&(1<<(at%64)) != 0
}

// movementsOf returns the indexes in mt.movements of those lines that the books use, by their keys.
func (mt *matching) movementsOf(given []givenID) map[int64]int {
	wanted, of := map[int64]int{}, map[int]bool{}
	for _, g := range given {
		wanted[g.line], of[g.account] = -1, true
	}
	for n := range of {
		a := &mt.accounts[n]
		for at := range a.merged {
			if _, found := wanted[a.merged[at].Line]; found {
				wanted[a.merged[at].Line] = a.firstMovement + at
			}
		}
	}
	for line, at := range wanted {
		if at < 0 {
			delete(wanted, line)
		}
	}
	return wanted
}
