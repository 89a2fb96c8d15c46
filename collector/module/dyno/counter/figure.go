package counter

import "strconv"

// Figure is a number that a node tells. Negative is what it does not know, or what has no bound.
type Figure int64

const unknown Figure = -1

// UnmarshalJSON never fails: what is no whole number is not known.
func (f *Figure) UnmarshalJSON(text []byte) error {
	value, err := strconv.ParseInt(string(text), 10, 64)
	if err != nil {
		*f = unknown
		return nil
	}
	*f = Figure(value)
	return nil
}
