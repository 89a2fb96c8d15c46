package node

import "dyno/collector/module/dyno/counter"

// indices sets the metrics of the node's shards.
func indices(root counter.Section, node tree) {
	n := node.at("indices")
	root.Gauge("docs.count", n.at("docs").number("count"))
	root.Gauge("docs.deleted", n.at("docs").number("deleted"))
	root.Gauge("store.size.bytes", n.at("store").number("size_in_bytes"))

	s := root.In("indexing")
	indexing := n.at("indexing")
	s.Counter("docs", indexing.number("index_total"), counter.OfProcess)
	s.Counter("failed", indexing.number("index_failed"), counter.OfProcess)
	s.Counter("deleted", indexing.number("delete_total"), counter.OfProcess)
	s.Counter("time.ms", indexing.number("index_time_in_millis"), counter.OfProcess)
	s.Counter("throttled.ms", indexing.number("throttle_time_in_millis"), counter.OfProcess)
	s.Gauge("current", indexing.number("index_current"))
	if throttled, known := indexing.boolean("is_throttled"); known {
		s.Put("is_throttled", throttled)
	}

	s = root.In("search")
	search := n.at("search")
	s.Counter("query.count", search.number("query_total"), counter.OfProcess)
	s.Counter("query.time.ms", search.number("query_time_in_millis"), counter.OfProcess)
	s.Gauge("query.current", search.number("query_current"))
	s.Counter("fetch.count", search.number("fetch_total"), counter.OfProcess)
	s.Counter("fetch.time.ms", search.number("fetch_time_in_millis"), counter.OfProcess)
	s.Gauge("fetch.current", search.number("fetch_current"))
	s.Gauge("open_contexts", search.number("open_contexts"))

	s = root.In("merges")
	merges := n.at("merges")
	s.Gauge("current.count", merges.number("current"))
	s.Gauge("current.docs", merges.number("current_docs"))
	s.Gauge("current.bytes", merges.number("current_size_in_bytes"))
	s.Gauge("auto_throttle.bytes", merges.number("total_auto_throttle_in_bytes"))
	s.Counter("count", merges.number("total"), counter.OfProcess)
	s.Counter("docs", merges.number("total_docs"), counter.OfProcess)
	s.Counter("bytes", merges.number("total_size_in_bytes"), counter.OfProcess)
	s.Counter("time.ms", merges.number("total_time_in_millis"), counter.OfProcess)
	s.Counter("throttled.ms", merges.number("total_throttled_time_in_millis"), counter.OfProcess)
	s.Counter("stopped.ms", merges.number("total_stopped_time_in_millis"), counter.OfProcess)

	s = root.In("refresh")
	refresh := n.at("refresh")
	s.Counter("count", refresh.number("total"), counter.OfProcess)
	s.Counter("time.ms", refresh.number("total_time_in_millis"), counter.OfProcess)
	s.Gauge("listeners", refresh.number("listeners"))

	s = root.In("flush")
	flush := n.at("flush")
	s.Counter("count", flush.number("total"), counter.OfProcess)
	s.Counter("periodic", flush.number("periodic"), counter.OfProcess)
	s.Counter("time.ms", flush.number("total_time_in_millis"), counter.OfProcess)

	s = root.In("segments")
	segments := n.at("segments")
	s.Gauge("count", segments.number("count"))
	s.Gauge("memory.bytes", segments.number("memory_in_bytes"))
	s.Gauge("index_writer.bytes", segments.number("index_writer_memory_in_bytes"))
	s.Gauge("version_map.bytes", segments.number("version_map_memory_in_bytes"))

	s = root.In("translog")
	translog := n.at("translog")
	s.Gauge("operations", translog.number("operations"))
	s.Gauge("size.bytes", translog.number("size_in_bytes"))
	s.Gauge("uncommitted.operations", translog.number("uncommitted_operations"))
	s.Gauge("uncommitted.size.bytes", translog.number("uncommitted_size_in_bytes"))

	s = root.In("cache")
	cache(s.In("query"), n.at("query_cache"))
	cache(s.In("request"), n.at("request_cache"))
	cache(s.In("fielddata"), n.at("fielddata"))
}

func cache(s counter.Section, stats tree) {
	s.Gauge("memory.bytes", stats.number("memory_size_in_bytes"))
	s.Gauge("entries", stats.number("cache_size"))
	s.Counter("hits", stats.number("hit_count"), counter.Shrinking)
	s.Counter("misses", stats.number("miss_count"), counter.Shrinking)
	s.Counter("evictions", stats.number("evictions"), counter.Shrinking)
}

// pressure sets the indexing pressure: memory of the documents that are being indexed, and rejections.
func pressure(s counter.Section, node tree) {
	memory := node.at("indexing_pressure", "memory")
	current, total := memory.at("current"), memory.at("total")
	s.Gauge("limit.bytes", memory.number("limit_in_bytes"))
	s.Gauge("current.all.bytes", current.number("all_in_bytes"))
	s.Gauge("current.coordinating_and_primary.bytes", current.number("combined_coordinating_and_primary_in_bytes"))
	s.Gauge("current.coordinating.bytes", current.number("coordinating_in_bytes"))
	s.Gauge("current.primary.bytes", current.number("primary_in_bytes"))
	s.Gauge("current.replica.bytes", current.number("replica_in_bytes"))
	s.Counter("rejections.coordinating", total.number("coordinating_rejections"), counter.OfProcess)
	s.Counter("rejections.primary", total.number("primary_rejections"), counter.OfProcess)
	s.Counter("rejections.replica", total.number("replica_rejections"), counter.OfProcess)
	s.Counter("rejections.primary_documents", total.number("primary_document_rejections"), counter.OfProcess)
}
