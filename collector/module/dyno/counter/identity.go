package counter

import (
	"crypto/rand"
	"strconv"
)

// Identities numbers the events of a metricset. An event that is sent twice, because the answer to the first time got
// lost, is stored once; else its changes would count twice. The zero value is ready.
type Identities struct {
	source string
	number uint64
}

// Next is unique over all collectors.
func (i *Identities) Next() string {
	if i.source == "" {
		i.source = rand.Text()
	}
	i.number++
	return i.source + "-" + strconv.FormatUint(i.number, 36)
}
