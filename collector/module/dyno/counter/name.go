package counter

import (
	"slices"
	"strings"
)

// Names that a cluster reports (garbage collectors, memory pools, breakers, devices) become names of fields. Their number and length are
// limited, so that no response can add too many fields to the mapping.
const (
	// MostNames is the maximum number of names of one kind in one event.
	MostNames   = 64
	longestName = 64
)

// FieldName returns `g1_concurrent_gc` for `G1 Concurrent GC`. It returns an empty text if no valid characters are left.
func FieldName(name string) string {
	if len(name) > longestName {
		name = name[:longestName]
	}
	var out strings.Builder
	gap := false
	for _, c := range []byte(strings.ToLower(name)) {
		if c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '_' || c == '-' {
			if gap && out.Len() > 0 {
				out.WriteByte('_')
			}
			gap = false
			out.WriteByte(c)
		} else {
			gap = true
		}
	}
	return out.String()
}

// EachNamed calls `call` with the first names in alphabetical order. If two names result in the same field name, only the first is used.
func EachNamed[T any](all map[string]T, call func(field string, value T)) {
	names := make([]string, 0, len(all))
	for name := range all {
		names = append(names, name)
	}
	slices.Sort(names)
	taken := make(map[string]bool, len(names))
	for _, name := range names {
		field := FieldName(name)
		if field == "" || taken[field] || len(taken) == MostNames {
			continue
		}
		taken[field] = true
		call(field, all[name])
	}
}
