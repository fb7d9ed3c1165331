package bookkeeping

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"maps"
	"slices"

	"tarmac/internal/ownbooks"
	"tarmac/service/bookrules"
	"tarmac/service/store"
)

// digest returns a digest of all that the merged lines of the accounts, and their proofs, follow
// from. The hash of a file stands for its lines.
func (l *ledgerBooks) digest() store.Digest {
	h := sha256.New()
	fmt.Fprintf(h, "%d %+v %+v %+v", derivation, l.accounts, l.stated, l.read)
	if l.currency != bookrules.USD {
		fmt.Fprintf(h, " %q", l.currency)
	}
	for _, question := range slices.Sorted(maps.Keys(l.answers)) {
		fmt.Fprintf(h, " %q %q", question, l.answers[question])
	}
	var text []byte
	for i := range l.statements {
		s := &l.statements[i]
		text = text[:0]
		for _, n := range [...]int64{
			s.Key, s.File, s.Account, int64(s.Covered.First), int64(s.Covered.Last), int64(s.Lines), s.InflowMinor,
			s.OutflowMinor, int64(s.PendingLines), s.PendingMinor,
		} {
			text = binary.AppendVarint(text, n)
		}
		for _, b := range [...]*bookrules.Balance{s.Opening, s.Closing} {
			if b == nil {
				text = append(text, 0)
				continue
			}
			text = binary.AppendVarint(binary.AppendVarint(append(text, 1), int64(b.Day)), b.Minor)
		}
		_, _ = h.Write(text) // Write of a hash never fails
	}
	for _, key := range slices.Sorted(maps.Keys(l.files)) {
		f := l.files[key]
		fmt.Fprintf(h, " %d %x %q %d %q", key, f.Hash, f.Making, f.Rank, f.Connection)
	}
	return digest(h)
}

// storeProofs stores what the derivation found out about accounts, for imports of files that the
// books have already.
func (l *ledgerBooks) storeProofs(tx *store.Tx, accounts []derived) error {
	books, proofs := l.digest(), make([]store.BookProof, len(accounts))
	for n := range accounts {
		a := &accounts[n]
		p := store.BookProof{Account: a.Key, Digest: books, Contradiction: a.contradiction()}
		p.UnratedDay = a.unratedDay(l.currency)
		p.ResidualMinor, _ = a.proof.Residual()
		proofs[n] = p
	}
	return tx.SetBookProofs(l.Org, books, proofs)
}

// describeKnown adds the figures of files that the books have already to the report, from the
// stored proofs of their accounts. It returns false if a proof is missing or is not of these books.
func (i *importing) describeKnown(l *ledgerBooks) (described bool, err error) {
	stored, err := l.BookProofs(i.change.Org)
	if err != nil {
		return false, err
	}
	books, proofs := l.digest(), map[int64]store.BookProof{}
	for _, p := range stored {
		if p.Digest == books {
			proofs[p.Account] = p
		}
	}
	for _, a := range l.accounts {
		if _, found := proofs[a.Key]; !found && i.concerns(a.Key) {
			return false, nil
		}
	}
	for _, a := range l.accounts {
		if !i.concerns(a.Key) {
			continue
		}
		p := proofs[a.Key]
		for n := range i.read {
			f := &i.read[n]
			s, found := i.summarize(f, a)
			if !found {
				continue
			}
			s.Known, s.ResidualMinor, s.Contradiction = s.Lines, p.ResidualMinor, p.Contradiction != ""
			if err := i.readDays(l, f, &s); err != nil {
				return false, err
			}
			i.addStatement(f, s, p.Contradiction)
		}
		if err := i.nameMissingRate(l, a, p.UnratedDay); err != nil {
			return false, err
		}
	}
	return true, nil
}

// readDays sets the first and the last date of the statements of an account in a file.
func (i *importing) readDays(l *ledgerBooks, f *readFile, r *ownbooks.Statement) error {
	var days bookrules.Span
	for _, n := range f.of(r.Key) {
		span, err := l.BookedDays(i.change.Org, f.statements[n].Key)
		switch {
		case err != nil:
			return err
		case span.Last == 0:
		case days.Last == 0:
			days = span
		default:
			days.First, days.Last = min(days.First, span.First), max(days.Last, span.Last)
		}
	}
	r.First, r.Last = days.First.Date(), days.Last.Date()
	return nil
}
