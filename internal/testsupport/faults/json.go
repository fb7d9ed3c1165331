package faults

import (
	"encoding/json"
	"maps"
	"slices"
)

// otherTypes changes the types of all values that are neither objects nor lists. Numbers become
// strings, strings become numbers, and other values become lists.
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

// each applies change to all values that are neither objects nor lists, at any depth.
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

// everyOther removes every second field of an object, in alphabetical order.
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
