package bank

import "regexp"

// damagedNumber matches a long number that a spreadsheet has rounded, such as 8,93704E+18.
var damagedNumber = regexp.MustCompile(`^\d(?:[.,]\d+)?[eE]\+?\d{1,3}$`)

// IsDamagedNumber reports whether a text is a number that a spreadsheet has rounded and written
// with an exponent. Different numbers can have the same text, so it can't identify an account.
func IsDamagedNumber(text string) bool { return damagedNumber.MatchString(text) }
