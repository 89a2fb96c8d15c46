/** Dyno's mark on an index of the target: `_meta.dyno` in its mapping. Dyno deletes only indices that have this mark. */

/** Content of `_meta.dyno` in the mapping of an index. */
export interface IndexMark {
  run: string;
  trial: string;
  experiment: string;
  /** Time at which the index was created, ISO 8601 in UTC. */
  created: string;
  /** True while a `_reindex` task copies documents into the index. The task must end before the index is deleted. */
  filling?: boolean;
  /** Name of the data stream to which the index belongs. */
  stream?: string;
  /**
   * Process that created the index. Set only for an index of no stored run. For an index of a stored run, the document of the run names the
   * process.
   */
  carrier?: { host: string; pid: number; instance: string };
}

const isCarrier = (carrier: IndexMark['carrier']): carrier is NonNullable<IndexMark['carrier']> =>
  typeof carrier?.host === 'string' &&
  typeof carrier.pid === 'number' &&
  typeof carrier.instance === 'string';

/** Returns the mark in a mapping that the cluster reports; undefined if the mapping has no mark. */
export function readMark(mapping: unknown): IndexMark | undefined {
  const mark = (mapping as { _meta?: { dyno?: Partial<IndexMark> } } | null | undefined)?._meta?.dyno;
  if (mark === null || typeof mark !== 'object' || typeof mark.run !== 'string') return undefined;
  return {
    run: mark.run,
    trial: mark.trial ?? '',
    experiment: mark.experiment ?? '',
    created: mark.created ?? '',
    ...(mark.filling === true ? { filling: true } : {}),
    ...(typeof mark.stream === 'string' ? { stream: mark.stream } : {}),
    ...(isCarrier(mark.carrier) ? { carrier: mark.carrier } : {}),
  };
}

/** Returns the body of a mapping request (`PUT _mapping`) that adds Dyno's mark to an existing index. */
export const markBody = (mark: Omit<IndexMark, 'created'>): object => ({
  _meta: { dyno: { ...mark, created: new Date().toISOString() } },
});
