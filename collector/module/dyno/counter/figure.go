package counter

import "strconv"

// Figure is a number that a node reports. A negative value means "unknown" or "unlimited".
type Figure int64

const unknown Figure = -1

// UnmarshalJSON never fails: everything except an integer counts as unknown.
func (f *Figure) UnmarshalJSON(text []byte) error {
	value, err := strconv.ParseInt(string(text), 10, 64)
	if err != nil {
		*f = unknown
		return nil
	}
	*f = Figure(value)
	return nil
}
