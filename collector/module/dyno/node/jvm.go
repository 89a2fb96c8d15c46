package node

import "dyno/collector/module/dyno/counter"

// jvm sets the metrics of the garbage collectors and memory pools. Their names are those that the JVM reports.
func jvm(root counter.Section, node tree) {
	counter.EachNamed(node.at("jvm", "gc", "collectors").children(), func(name string, stats tree) {
		s := root.In("gc").In(name)
		s.Counter("count", stats.number("collection_count"), counter.OfProcess)
		s.Counter("time.ms", stats.number("collection_time_in_millis"), counter.OfProcess)
	})
	s := root.In("jvm")
	mem := node.at("jvm", "mem")
	s.Gauge("heap.used.bytes", mem.number("heap_used_in_bytes"))
	s.Share("heap.used.pct", mem.number("heap_used_percent"))
	s.Gauge("heap.committed.bytes", mem.number("heap_committed_in_bytes"))
	s.Gauge("heap.max.bytes", mem.number("heap_max_in_bytes"))
	s.Gauge("non_heap.used.bytes", mem.number("non_heap_used_in_bytes"))
	s.Gauge("threads", node.at("jvm", "threads").number("count"))
	counter.EachNamed(mem.at("pools").children(), func(name string, stats tree) {
		p := s.In("pool").In(name)
		p.Gauge("used.bytes", stats.number("used_in_bytes"))
		p.Gauge("peak.bytes", stats.number("peak_used_in_bytes"))
		// The limit is 0 if the pool has no separate limit.
		if bound := stats.number("max_in_bytes"); bound != nil && *bound > 0 {
			p.Gauge("max.bytes", bound)
		}
	})
}
