package node

import (
	"encoding/json"
	"fmt"
	"runtime"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// manyNodes returns the recorded response with many copies of its node. Each copy has another id.
func manyNodes(t testing.TB, name string, nodes int) []byte {
	t.Helper()
	var answer map[string]map[string]json.RawMessage
	require.NoError(t, json.Unmarshal(recorded(t, name), &answer))
	many := map[string]json.RawMessage{}
	for _, node := range answer["nodes"] {
		for i := range nodes {
			many[fmt.Sprintf("node%018d", i)] = node
		}
	}
	body, err := json.Marshal(map[string]any{"nodes": many})
	require.NoError(t, err)
	return body
}

// processorTime returns the CPU time of this process. Unlike elapsed time, it does not depend on other processes.
func processorTime(b *testing.B) time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		b.Fatal(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

// BenchmarkHundredNodes measures one period for a cluster with 100 nodes: parsing, calculating changes and creating events. It must take
// less than 20 ms.
func BenchmarkHundredNodes(b *testing.B) {
	answers := [][]byte{manyNodes(b, "stats-9.5.3-first.json", 100), manyNodes(b, "stats-9.5.3-second.json", 100)}
	recorder := newRecorder()
	b.SetBytes(int64(len(answers[0])))
	b.ReportAllocs()
	var parser parser
	round := 0
	start := processorTime(b)
	for b.Loop() {
		stats, err := parser.parse(answers[round%2])
		if err != nil {
			b.Fatal(err)
		}
		if events := recorder.events(stats, about{now: time.Now()}); len(events) != 100 {
			b.Fatal(len(events))
		}
		round++
	}
	b.ReportMetric(float64((processorTime(b)-start).Microseconds())/1e3/float64(round), "cpu-ms/op")
}

func TestTheMemoryDoesNotGrowOverTenThousandRounds(t *testing.T) {
	answer := manyNodes(t, "stats-9.5.3-second.json", 1)
	recorder := newRecorder()
	now := time.Now()
	var parser parser
	heapAfter := func(rounds int) uint64 {
		for range rounds {
			stats, err := parser.parse(answer)
			require.NoError(t, err)
			now = now.Add(time.Second)
			recorder.events(stats, about{now: now})
		}
		runtime.GC()
		var memory runtime.MemStats
		runtime.ReadMemStats(&memory)
		return memory.HeapAlloc
	}
	start := heapAfter(100)
	end := heapAfter(9_900)
	assert.Less(t, end, start+256<<10)
}
