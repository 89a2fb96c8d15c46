/** Reads facts about the nodes of the target, for the provenance of a run. */
import * as z from 'zod';
import type { ElasticsearchClient } from '../../common/elasticsearch/client';
import { holdsData } from '../../common/elasticsearch/roles';
import type { NodeFacts } from '../../common/experiment/run';
import { counter } from '../elasticsearch/ask';
import * as api from '../elasticsearch/api';
import { askIfOffered } from './answer';

/** A node, with its id and the address that it publishes. */
export interface TargetNode extends NodeFacts {
  id: string;
  /** Address that the node publishes for HTTP, as `host:port`; '' if the node publishes no address. */
  publishAddress: string;
  /** Whether the node may hold shards of ordinary indices. */
  data: boolean;
  /** Maximum size of a request that the node accepts (`http.max_content_length`), in bytes. Null if the node does not report this size. */
  maxContentBytes: number | null;
}

/** A text that a node reports. A value of another type counts as missing. */
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

/** Returns all nodes, sorted by name. Empty if the cluster does not report nodes. Rejects with the client's error. */
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

/**
 * Returns `spinning` if one of the node's disks is a hard disk, `ssd` if all are SSDs, and `unknown` if the node does not report the type.
 * Only nodes before version 8 on Linux report it.
 */
function diskKind(paths: readonly { spins?: string }[]): string {
  const reported = paths.map(({ spins }) => spins).filter((spins) => spins === 'true' || spins === 'false');
  if (reported.length === 0) return 'unknown';
  return reported.includes('true') ? 'spinning' : 'ssd';
}

/** Returns those facts about a node that Dyno stores with the run. */
export const nodeFacts = ({
  id: _id,
  publishAddress: _address,
  data: _data,
  maxContentBytes: _limit,
  ...facts
}: TargetNode): NodeFacts => facts;
