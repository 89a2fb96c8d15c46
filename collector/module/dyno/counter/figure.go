package counter

import "strconv"

// Figure is a number that a node reports. Negative values mean unknown or unlimited.
type Figure int64

const unknown Figure = -1

// UnmarshalJSON never fails: everything except an integer is unknown.
func (f *Figure) UnmarshalJSON(text []byte) error {
	value, err := strconv.ParseInt(string(text), 10, 64)
	if err != nil {
		*f = unknown
		return nil
	}
	*f = Figure(value)
	return nil
}
