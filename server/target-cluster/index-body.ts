/** Reads the mapping of an existing index, and those of its settings that a copy of the index needs. */
import * as z from 'zod';
import type { ElasticsearchClient } from '../../common/elasticsearch/client';
import { flattenSettings } from '../../common/elasticsearch/settings';
import * as api from '../elasticsearch/api';
import { ask } from './answer';

const PATH = 'preload.from-index';

const fields = z.record(z.string(), z.unknown());
const found = z.record(
  z.string(),
  z.looseObject({
    mappings: fields.default({}),
    settings: z.looseObject({ index: fields.default({}) }).optional(),
  }),
);

/** Groups of settings on which the mapping depends: analyzers, and limits such as the maximum number of fields. */
const OF_MAPPING = ['analysis', 'mapping', 'similarity'];

export interface IndexBody {
  /** The mapping without its `_meta`. */
  mapping: Record<string, unknown>;
  /** Flat settings without the prefix `index.`. */
  settings: Record<string, unknown>;
}

/**
 * Returns the mapping and the settings that belong to it. `name`: an index, or an alias or data stream, whose newest index is then read.
 */
export async function readIndexBody(client: ElasticsearchClient, name: string): Promise<IndexBody> {
  const answer = await ask(
    client,
    api.getIndices(name, found, {
      filter_path: ['*.mappings', ...OF_MAPPING.map((group) => `*.settings.index.${group}`)].join(),
    }),
    `read the mapping of ${name} (index privilege \`view_index_metadata\`)`,
    { path: PATH },
  );
  const newest = Object.keys(answer).sort().at(-1);
  const { mappings = {}, settings } = newest === undefined ? {} : answer[newest]!;
  const mapping = Object.fromEntries(Object.entries(mappings).filter(([key]) => key !== '_meta'));
  const kept = Object.entries(settings?.index ?? {}).filter(([group]) => OF_MAPPING.includes(group));
  return { mapping, settings: flattenSettings(Object.fromEntries(kept)) };
}
