package counter

import (
	"crypto/rand"
	"strconv"
)

// Identities creates ids for the events of a metricset. If the response to a bulk request is lost, its events are sent again. Because of
// the id, each event is still stored only once; otherwise, its changes would count twice. The zero value of Identities is ready to use.
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
