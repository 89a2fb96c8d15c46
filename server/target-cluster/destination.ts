/** Finds out where the target stores documents that are sent to a name: in which indices, and through which ingest pipelines. */
import * as z from 'zod';
import type { ElasticsearchClient } from '../../common/elasticsearch/client';
import type { Destination } from '../../common/elasticsearch/destination';
import * as api from '../elasticsearch/api';
import { askIfOffered } from './answer';

const settings = z.record(
  z.string(),
  z.looseObject({
    settings: z
      .looseObject({
        index: z
          .looseObject({ default_pipeline: z.string().optional(), final_pipeline: z.string().optional() })
          .optional(),
      })
      .optional(),
  }),
);

/** Value of a pipeline setting which means that no pipeline is used. */
const NONE = '_none';
/** Matches the end of an index name that a rollover changes: an optional date, and a number. */
const NUMBER = /(?:-\d{4}\.\d{2}\.\d{2})?-\d+$/;

/**
 * Returns where documents are stored that are sent to `names`: the indices, and whether they have an ingest pipeline. If the credentials
 * may not read settings, the result contains no indices, and `hasPipeline` is true because a pipeline may exist. Rejects with a DynoError.
 */
export async function destinationOf(
  client: ElasticsearchClient,
  names: readonly string[],
): Promise<Destination> {
  const found = await askIfOffered(
    client,
    api.nestedSettings(names, settings, {
      filter_path: ['default_pipeline', 'final_pipeline', 'uuid']
        .map((setting) => `*.settings.index.${setting}`)
        .join(),
    }),
    'read the settings of the indices under test',
  );
  const indices = Object.entries(found ?? {});
  if (indices.length === 0) return { names: [], series: [], hasPipeline: true };
  const own = indices.map(([name]) => name);
  const isPlain = own.every((name) => names.includes(name));
  return {
    names: own,
    // A rollover adds indices to a data stream or an alias, and the names of the new indices differ only in their ends.
    series: isPlain
      ? []
      : [
          ...new Set([
            ...names.map((name) => `.ds-${name}`),
            ...own.filter((name) => NUMBER.test(name)).map((name) => name.replace(NUMBER, '')),
          ]),
        ],
    hasPipeline: indices.some(([, { settings: { index = {} } = {} }]) =>
      [index.default_pipeline, index.final_pipeline].some((name = NONE) => name !== NONE),
    ),
  };
}
