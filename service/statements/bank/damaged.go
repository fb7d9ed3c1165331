package bank

import "regexp"

// damagedNumber matches a long number that a spreadsheet has rounded, such as 8,93704E+18.
var damagedNumber = regexp.MustCompile(`^\d(?:[.,]\d+)?[eE]\+?\d{1,3}$`)

// IsDamagedNumber reports whether a text is a number that a spreadsheet has rounded and written
// with an exponent. Different numbers have the same such text, so that it identifies nothing.
func IsDamagedNumber(text string) bool { return damagedNumber.MatchString(text) }
