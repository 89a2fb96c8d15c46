/** APIs of snapshots. */
import * as z from 'zod';
import { changes, counter, reads, type Change, type Endpoint, type Query } from './ask';
import { pathOf } from './documents';

const text = z.string();

/** Reads the names of the registered snapshot repositories. */
export const snapshotRepositories = (): Endpoint<string[]> =>
  reads('/_snapshot', z.record(text, z.unknown()).transform(Object.keys));

const snapshots = z.looseObject({
  snapshots: z.array(
    z.looseObject({
      snapshot: text,
      state: text.default(''),
      indices: z.array(text).default([]),
      failures: z.array(z.looseObject({ index: text.default('') })).default([]),
      index_details: z.record(text, z.looseObject({ size_in_bytes: counter().optional() })).default({}),
    }),
  ),
});
export type Snapshots = z.output<typeof snapshots>['snapshots'];

/** Reads one snapshot of a repository. `_all` reads all snapshots. */
export const getSnapshots = (
  repository: string,
  snapshot: string,
  query: Query = {},
): Endpoint<z.output<typeof snapshots>> =>
  reads(`/_snapshot/${encodeURIComponent(repository)}/${encodeURIComponent(snapshot)}`, snapshots, {
    query,
    ceiling: 'statistics',
  });

/** Starts to restore indices from a snapshot, without waiting for the end. */
export const restoreSnapshot = (repository: string, snapshot: string, body: object): Change =>
  changes('POST', `/_snapshot/${encodeURIComponent(repository)}/${encodeURIComponent(snapshot)}/_restore`, {
    body,
    isExact: true,
    repeatable: false,
  });

const recoveries = z.record(
  text,
  z.looseObject({
    shards: z.array(
      z.looseObject({
        primary: z.boolean(),
        index: z.looseObject({
          size: z.looseObject({ total_in_bytes: counter(), recovered_in_bytes: counter() }),
        }),
      }),
    ),
  }),
);

/** Reads how much of each shard of an index has been recovered so far. */
export const recoveryOf = (index: string): Endpoint<z.output<typeof recoveries>> =>
  reads(`${pathOf(index)}/_recovery`, recoveries, {
    query: { filter_path: ['primary', 'index.size'].map((part) => `*.shards.${part}`).join() },
    ceiling: 'statistics',
  });
