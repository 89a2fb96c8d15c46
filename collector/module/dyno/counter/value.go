package counter

import "strconv"

// Value is a number that a node reports. A negative value means "unknown" or "unlimited".
type Value int64

const unknown Value = -1

// UnmarshalJSON never fails: everything except an integer counts as unknown.
func (v *Value) UnmarshalJSON(text []byte) error {
	value, err := strconv.ParseInt(string(text), 10, 64)
	if err != nil {
		*v = unknown
		return nil
	}
	*v = Value(value)
	return nil
}
