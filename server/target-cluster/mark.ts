/** Dyno's mark on an index of the target: only what carries it is ever deleted. */

/** Stands as `_meta.dyno` in the mapping. */
export interface IndexMark {
  run: string;
  trial: string;
  experiment: string;
  /** ISO 8601, UTC. */
  created: string;
  /** True while the cluster itself puts documents into it (`_reindex`): that must be ended before the index is removed. */
  filling?: boolean;
  /** The data stream that it is a part of. */
  stream?: string;
  /** The process that made it, where no run says who carries it. */
  carrier?: { host: string; pid: number; instance: string };
}

const isCarrier = (carrier: IndexMark['carrier']): carrier is NonNullable<IndexMark['carrier']> =>
  typeof carrier?.host === 'string' &&
  typeof carrier.pid === 'number' &&
  typeof carrier.instance === 'string';

/** The mark in a mapping as the cluster tells it; undefined if there is none. */
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

/** The request body that marks an index that exists already. */
export const markBody = (mark: Omit<IndexMark, 'created'>): object => ({
  _meta: { dyno: { ...mark, created: new Date().toISOString() } },
});
