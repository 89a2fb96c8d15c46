/** What indices cost on disk and how they keep their documents: bytes by field, index mode and source mode. */
import * as z from 'zod';
import type { ElasticsearchClient } from '../../common/elasticsearch/client';
import type { IndexModes } from '../../common/measurement/server';
import * as api from '../elasticsearch/api';
import { ask, askIfOffered } from './answer';

/** More fields than an index has unless its limit was raised; of more the largest are kept. */
const MOST_FIELDS = 2000;

/**
 * Bytes of the primaries by field, the largest first: `_disk_usage` reads all of one copy of each shard, after a flush, so
 * nothing is to be measured meanwhile. Undefined where the cluster does not offer it, as before 7.15.
 */
export async function diskUsage(
  client: ElasticsearchClient,
  indices: readonly string[],
): Promise<Record<string, number> | undefined> {
  const told = await askIfOffered(
    client,
    api.diskUsage(indices),
    'read the bytes by field (index privilege `manage`)',
  );
  if (told === undefined) return undefined;
  const sums = new Map<string, number>();
  for (const { fields = {} } of Object.values(told))
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

const told = z.record(
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
type Told = z.output<typeof told>[string];

/**
 * The modes that hold, whatever was asked for: without an Enterprise licence Elasticsearch keeps the source as it came where
 * a synthetic one was asked for, and version 9 does so where the mapping asks. Several that differ are joined by `or`.
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
    api.getIndices(indices, told, {
      include_defaults: true,
      filter_path: [...paths, '*.mappings._source'].join(),
    }),
    'read the modes of the index (index privilege `view_index_metadata`)',
  );
  const all = Object.values(answer);
  const distinct = (read: (one: Told) => string): string => [...new Set(all.map(read))].sort().join(' or ');
  return { mode: distinct(modeOf) || 'standard', source: distinct(sourceOf) || 'stored' };
}

const modeOf = ({ settings, defaults }: Told): string =>
  (settings?.index?.mode ?? defaults?.index?.mode ?? 'standard').toLowerCase();

/** Versions before the setting existed tell it in the mapping, and kept what came unless that says otherwise. */
function sourceOf({ settings, defaults, mappings }: Told): string {
  const { enabled = true, mode } = mappings?._source ?? {};
  if (!enabled) return 'disabled';
  const set = settings?.index?.mapping?.source?.mode ?? defaults?.index?.mapping?.source?.mode;
  return (set ?? mode ?? 'stored').toLowerCase();
}
