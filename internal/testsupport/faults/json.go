package faults

import (
	"encoding/json"
	"maps"
	"slices"
)

// otherTypes makes texts of numbers, numbers of texts and lists of the rest; the
// containers stay, so that it is the fields that are wrong.
func otherTypes(value any) any {
	return each(value, func(v any) any {
		switch v.(type) {
		case json.Number:
			return "987654321"
		case string:
			return 987654321
		}
		return []any{987654321}
	})
}

func nulls(value any) any { return each(value, func(any) any { return nil }) }

// each changes what is neither an object nor a list.
func each(value any, change func(any) any) any {
	switch v := value.(type) {
	case map[string]any:
		for name := range v {
			v[name] = each(v[name], change)
		}
		return v
	case []any:
		for i := range v {
			v[i] = each(v[i], change)
		}
		return v
	}
	return change(value)
}

// everyOther leaves the second, the fourth and so on of an object's fields out, by
// their names' order.
func everyOther(value any) any {
	switch v := value.(type) {
	case map[string]any:
		for i, name := range slices.Sorted(maps.Keys(v)) {
			if i%2 == 1 {
				delete(v, name)
				continue
			}
			v[name] = everyOther(v[name])
		}
		return v
	case []any:
		for i := range v {
			v[i] = everyOther(v[i])
		}
		return v
	}
	return value
}
