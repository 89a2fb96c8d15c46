/** APIs that show the time of a cluster. */
import * as z from 'zod';
import { reads, type Endpoint } from './ask';
import { nodes } from './cluster';
import { pathOf, search } from './documents';

const seconds = z
  .tuple([z.looseObject({ epoch: z.string() })])
  .rest(z.unknown())
  .transform(([{ epoch }]) => Number(epoch))
  .refine(Number.isFinite);

/**
 * Reads the cluster's time in whole seconds since the epoch. The request is `_cat/count`, because its response contains the time and it
 * only needs the privilege to read the index.
 */
export const clusterSeconds = (index: string): Endpoint<number> =>
  reads(`/_cat/count${pathOf(index)}`, seconds, { query: { format: 'json', h: 'epoch' } });

const time = z.looseObject({ timestamp: z.number().optional() });

/** Reads the clocks of the nodes, in ms since the epoch. With `_master/`, it reads only the clock of the master node. */
export const nodeTimes = (of: '' | '_master/' = ''): ReturnType<typeof nodes<z.output<typeof time>>> =>
  nodes(`${of}stats/process`, ['timestamp'], time);

const searched = z
  .looseObject({
    aggregations: z.looseObject({
      now: z.looseObject({ buckets: z.tuple([z.looseObject({ to: z.number() })]) }),
    }),
  })
  .transform(({ aggregations: { now } }) => now.buckets[0].to);

/**
 * Reads the clock of the node that receives the search, in ms since the epoch. The request only needs the privilege to search the index.
 */
export const searchTime = (index: string): Endpoint<number> =>
  search(
    index,
    { size: 0, aggs: { now: { date_range: { field: 'at', ranges: [{ to: 'now' }] } } } },
    searched,
  );
