package bookkeeping

import "tarmac/service/store"

// stagedPacks stores packs in transactions of a stage.
type stagedPacks struct {
	*change
	steps []func(tx *store.Tx) error
	size  int // bytes of the packs that steps stores
}

// The largest number of packs, and of their bytes, that one transaction stores.
const (
	maxPacks    = 200
	maxPackSize = 1 << 20
)

func (s *stagedPacks) SetBookPack(org store.OrgKey, p store.BookPack) error {
	return s.add(len(p.Pack), func(tx *store.Tx) error { return tx.SetBookPack(org, p) })
}

func (s *stagedPacks) DeleteBookPacks(org store.OrgKey, account, file int64) error {
	return s.add(0, func(tx *store.Tx) error { return tx.DeleteBookPacks(org, account, file) })
}

func (s *stagedPacks) add(size int, step func(tx *store.Tx) error) error {
	if s.preview {
		return nil
	}
	s.steps, s.size = append(s.steps, step), s.size+size
	if len(s.steps) < maxPacks && s.size < maxPackSize {
		return nil
	}
	return s.flush()
}

// flush stores the packs that are not stored yet.
func (s *stagedPacks) flush() error {
	if len(s.steps) == 0 {
		return nil
	}
	steps := s.steps
	s.steps, s.size = nil, 0
	return s.write(func(tx *store.Tx) error {
		for _, step := range steps {
			if err := step(tx); err != nil {
				return err
			}
		}
		return nil
	})
}
