/** Reads how indices store their documents: bytes for each field, index mode and source mode. */
import * as z from 'zod';
import type { ElasticsearchClient } from '../../common/elasticsearch/client';
import type { IndexModes } from '../../common/measurement/server';
import * as api from '../elasticsearch/api';
import { ask, askIfOffered } from './answer';

/**
 * Maximum number of returned fields. An index can only have more fields if its field limit was raised. In this case, only the largest
 * fields are returned.
 */
const MOST_FIELDS = 2000;

/**
 * Returns the bytes of each field in the primary shards, the largest field first. Do not call it during a measurement: `_disk_usage`
 * flushes the indices and reads one whole copy of each shard. Returns undefined if the cluster does not offer `_disk_usage`, which exists
 * since version 7.15.
 */
export async function diskUsage(
  client: ElasticsearchClient,
  indices: readonly string[],
): Promise<Record<string, number> | undefined> {
  const answer = await askIfOffered(
    client,
    api.diskUsage(indices),
    'read the bytes by field (index privilege `manage`)',
  );
  if (answer === undefined) return undefined;
  const sums = new Map<string, number>();
  for (const { fields = {} } of Object.values(answer))
    for (const [field, { total_in_bytes: bytes = 0 }] of Object.entries(fields))
      sums.set(field, (sums.get(field) ?? 0) + bytes);
  const sorted = [...sums].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
  return Object.fromEntries(sorted.slice(0, MOST_FIELDS));
}

const setting = z.looseObject({
  index: z
    .looseObject({
      mode: z.string().optional(),
      mapping: z
        .looseObject({ source: z.looseObject({ mode: z.string().optional() }).optional() })
        .optional(),
    })
    .optional(),
});

const facts = z.record(
  z.string(),
  z.looseObject({
    settings: setting.optional(),
    defaults: setting.optional(),
    mappings: z
      .looseObject({
        _source: z.looseObject({ enabled: z.boolean().optional(), mode: z.string().optional() }).optional(),
      })
      .optional(),
  }),
);
type IndexFacts = z.output<typeof facts>[string];

/**
 * Returns the index mode and the source mode that are in effect. They may differ from the requested modes. Elasticsearch ignores a request
 * for synthetic source without an Enterprise licence. Version 9 also ignores this request if it is in the mapping instead of the settings.
 * If the indices have different modes, the modes are joined by ` or `.
 */
export async function indexModes(
  client: ElasticsearchClient,
  indices: readonly string[],
): Promise<IndexModes> {
  const paths = ['settings', 'defaults'].flatMap((where) =>
    ['mode', 'mapping.source.mode'].map((name) => `*.${where}.index.${name}`),
  );
  const answer = await ask(
    client,
    api.getIndices(indices, facts, {
      include_defaults: true,
      filter_path: [...paths, '*.mappings._source'].join(),
    }),
    'read the modes of the index (index privilege `view_index_metadata`)',
  );
  const all = Object.values(answer);
  const distinct = (read: (one: IndexFacts) => string): string =>
    [...new Set(all.map(read))].sort().join(' or ');
  return { mode: distinct(modeOf) || 'standard', source: distinct(sourceOf) || 'stored' };
}

const modeOf = ({ settings, defaults }: IndexFacts): string =>
  (settings?.index?.mode ?? defaults?.index?.mode ?? 'standard').toLowerCase();

/** Returns the source mode. Versions without the setting report the mode in the mapping, and their default is `stored`. */
function sourceOf({ settings, defaults, mappings }: IndexFacts): string {
  const { enabled = true, mode } = mappings?._source ?? {};
  if (!enabled) return 'disabled';
  const set = settings?.index?.mapping?.source?.mode ?? defaults?.index?.mapping?.source?.mode;
  return (set ?? mode ?? 'stored').toLowerCase();
}
