package bookkeeping

import "tarmac/service/bookrules"

// readFile is a file of this import that could be read.
type readFile struct {
	key        int64
	report     int // index in Report.Files
	statements []bookrules.Statement
	known      bool            // true if an earlier import had the same file
	sources    []*collected    // statements as they were read; nil for a known file
	unnamed    bool            // true if no option names an account for the file
	byAccount  map[int64][]int // results of the method of; nil until needed
}

// of returns the indexes of the statements of an account in a file.
func (f *readFile) of(account int64) []int {
	if f.byAccount == nil {
		f.byAccount = map[int64][]int{}
		for n, s := range f.statements {
			f.byAccount[s.Account] = append(f.byAccount[s.Account], n)
		}
	}
	return f.byAccount[account]
}

// has reports whether a file has a statement of an account.
func (f *readFile) has(account int64) bool { return len(f.of(account)) > 0 }
