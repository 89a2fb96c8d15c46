package node

import (
	"math"
	"strconv"

	"dyno/collector/module/dyno/counter"
)

// pools are the thread pools for indexing and searching. Before 6.3, `write` was called `bulk`. OpenSearch searches the segments of a shard
// concurrently in the pool `index_searcher`.
var pools = []string{
	"write", "write_coordination", "system_write", "bulk", "search", "search_coordination", "index_searcher", "get",
	"refresh", "flush", "force_merge", "merge",
}

// measure sets all metrics of a node.
func measure(root counter.Section, node tree, facts *nodeFacts) {
	root.Gauge("uptime.ms", node.at("jvm").number("uptime_in_millis"))
	threadPools(root.In("thread_pool"), node, facts)
	indices(root, node)
	pressure(root.In("indexing_pressure"), node)
	jvm(root, node)
	counter.EachNamed(node.at("breakers").children(), func(name string, stats tree) {
		s := root.In("breaker").In(name)
		s.Gauge("limit.bytes", stats.number("limit_size_in_bytes"))
		s.Gauge("estimated.bytes", stats.number("estimated_size_in_bytes"))
		s.Counter("tripped", stats.number("tripped"), counter.OfProcess)
	})
	machine(root, node)
	network(root, node)
}

func threadPools(s counter.Section, node tree, facts *nodeFacts) {
	all := node.at("thread_pool")
	for _, name := range pools {
		pool := all.at(name)
		p := s.In(name)
		p.Gauge("threads", pool.number("threads"))
		p.Gauge("active", pool.number("active"))
		p.Gauge("queue", pool.number("queue"))
		p.Gauge("queue_capacity", facts.ThreadPool[name].QueueSize)
		p.Gauge("largest", pool.number("largest"))
		p.Counter("completed", pool.number("completed"), counter.OfProcess)
		p.Counter("rejected", pool.number("rejected"), counter.OfProcess)
	}
}

// valueOf returns the value that the pointer refers to; 0 if the value was not reported (nil).
func valueOf(value *counter.Value) counter.Value {
	if value == nil || *value < 0 {
		return 0
	}
	return *value
}

// times returns the product of a value and a factor; nil if the product overflows.
func times(value *counter.Value, factor counter.Value) *counter.Value {
	if value == nil || *value > math.MaxInt64/factor {
		return nil
	}
	product := *value * factor
	return &product
}

// bytesOf parses a limit in bytes. It returns nil if there is no limit: a cgroup then reports a number near 2^63, or `max`.
func bytesOf(text string) *counter.Value {
	value, err := strconv.ParseInt(text, 10, 64)
	if err != nil || value >= 1<<62 {
		return nil
	}
	limit := counter.Value(value)
	return &limit
}
