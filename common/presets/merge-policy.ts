/** How an index merges, where an account is about what merging costs. */

/**
 * The policy that every index had in the accounts' day, as a setting of an index. Left to itself, Elasticsearch since 8.8 merges
 * documents with a `@timestamp` by size alone and no earlier than 32 segments of a size are there: short trials end before the first
 * merge, and what many small segments cost is not in them. Source: its `MergePolicyConfig`, index.merge.policy.type.
 */
export const TIERED = { 'merge.policy.type': 'tiered' };

/** What the settings of {@link TIERED} change. */
export const TIERED_NOTE =
  'The merge policy of its day is set (tiered): since 8.8 Elasticsearch merges documents with a @timestamp 32 segments at a time, so that merges come later and cost less. Leave index.settings.merge.policy.type out to measure that.';

/** Of a short form: longer than the longest interval of refreshes, and long enough for merges of what they write. */
export const QUICK_WITH_MERGES = {
  'measure.burn-in': '30s',
  'measure.warmup': '5s',
  'measure.duration': '60s',
};
