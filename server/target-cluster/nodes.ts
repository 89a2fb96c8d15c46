/** The nodes of the target: facts for the run's provenance. */
import * as z from 'zod';
import type { ElasticsearchClient } from '../../common/elasticsearch/client';
import { holdsData } from '../../common/elasticsearch/roles';
import type { NodeFacts } from '../../common/experiment/run';
import { counter } from '../elasticsearch/ask';
import * as api from '../elasticsearch/api';
import { askIfOffered } from './answer';

/** A node with what is needed to reach it and to name it in statistics. */
export interface TargetNode extends NodeFacts {
  id: string;
  /** `host:port` at which it says it can be reached by HTTP; '' if it says nothing. */
  publishAddress: string;
  /** Carries shards of ordinary indices. */
  data: boolean;
  /** The largest request that it takes (`http.max_content_length`), bytes; null where it does not say. */
  maxContentBytes: number | null;
}

/** A fact that is not told as it should be is not told. */
const text = z.string().optional().catch(undefined);
const size = counter().optional().catch(undefined);

const nodeInfo = z.looseObject({
  name: z.string(),
  version: z.string(),
  roles: z.array(z.string()).optional(),
  os: z
    .looseObject({
      name: text,
      pretty_name: text,
      version: text,
      allocated_processors: size,
      available_processors: size,
    })
    .optional(),
  jvm: z
    .looseObject({ version: text, vm_name: text, mem: z.looseObject({ heap_max_in_bytes: size }).optional() })
    .optional(),
  http: z.looseObject({ publish_address: text, max_content_length_in_bytes: size }).optional(),
});
type NodeInfo = z.output<typeof nodeInfo>;

const INFO_FIELDS = [
  'name',
  'version',
  'roles',
  'os',
  'jvm.version',
  'jvm.vm_name',
  'jvm.mem.heap_max_in_bytes',
  'http.publish_address',
  'http.max_content_length_in_bytes',
];

const nodeStatistics = z.looseObject({
  os: z.looseObject({ mem: z.looseObject({ total_in_bytes: size }).optional() }).optional(),
  fs: z
    .looseObject({
      total: z.looseObject({ total_in_bytes: size, available_in_bytes: size }).optional(),
      data: z.array(z.looseObject({ spins: text })).optional(),
    })
    .optional(),
});
type NodeStatistics = z.output<typeof nodeStatistics>;

/** In the order of their names; empty where the cluster does not tell. Rejects as the client does. */
export async function discoverNodes(client: ElasticsearchClient): Promise<TargetNode[]> {
  const info = await askIfOffered(
    client,
    api.nodes('os,jvm,http', INFO_FIELDS, nodeInfo),
    'ask for the nodes (cluster privilege `monitor`)',
  );
  const statistics = await askIfOffered(
    client,
    api.nodes('stats/os,fs', ['os.mem', 'fs'], nodeStatistics),
    'ask for the statistics of the nodes (cluster privilege `monitor`)',
  );
  return Object.entries(info?.nodes ?? {})
    .map(([id, node]) => toNode(id, node, statistics?.nodes?.[id] ?? {}))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

function toNode(
  id: string,
  { name, version, roles = [], os, jvm, http }: NodeInfo,
  { os: use, fs }: NodeStatistics,
): TargetNode {
  return {
    id,
    name,
    version,
    jvm: [jvm?.vm_name, jvm?.version].filter(Boolean).join(' '),
    heapBytes: jvm?.mem?.heap_max_in_bytes ?? 0,
    cores: os?.allocated_processors ?? os?.available_processors ?? 0,
    memoryBytes: use?.mem?.total_in_bytes ?? 0,
    os: [os?.pretty_name ?? os?.name, os?.version].filter(Boolean).join(', '),
    roles,
    disk: diskKind(fs?.data ?? []),
    diskTotalBytes: fs?.total?.total_in_bytes ?? 0,
    diskFreeBytes: fs?.total?.available_in_bytes ?? 0,
    publishAddress: http?.publish_address ?? '',
    data: holdsData(roles),
    maxContentBytes: http?.max_content_length_in_bytes ?? null,
  };
}

/** Only nodes before 8 tell, and only on Linux. */
function diskKind(paths: readonly { spins?: string }[]): string {
  const told = paths.map(({ spins }) => spins).filter((spins) => spins === 'true' || spins === 'false');
  if (told.length === 0) return 'unknown';
  return told.includes('true') ? 'spinning' : 'ssd';
}

/** Only what the run keeps. */
export const nodeFacts = ({
  id: _id,
  publishAddress: _address,
  data: _data,
  maxContentBytes: _limit,
  ...facts
}: TargetNode): NodeFacts => facts;
