package counter

import (
	"slices"
	"strings"
)

// Names that only a cluster knows (collectors, memory pools, breakers, devices) become names of fields. Their number
// and length are bounded, so that no answer can flood the mapping.
const (
	// MostNames of one kind in one event.
	MostNames   = 64
	longestName = 64
)

// FieldName makes `g1_concurrent_gc` of `G1 Concurrent GC`; empty when nothing is left.
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

// EachNamed calls with the first names in their order; of two that become the same field only the first counts.
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
