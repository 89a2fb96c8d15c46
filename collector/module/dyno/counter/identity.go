package counter

import (
	"crypto/rand"
	"strconv"
)

// Identities creates ids for the events of a metricset. An event that is sent again because the response was lost is thus stored only
// once. Otherwise its changes would count twice. The zero value is ready.
type Identities struct {
	source string
	number uint64
}

// Next returns an id that is unique among all collectors.
func (i *Identities) Next() string {
	if i.source == "" {
		i.source = rand.Text()
	}
	i.number++
	return i.source + "-" + strconv.FormatUint(i.number, 36)
}
