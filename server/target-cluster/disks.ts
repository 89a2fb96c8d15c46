/** Reads the free space on the disks of the data nodes, and Elasticsearch's watermarks for these disks. */
import * as z from 'zod';
import type { ElasticsearchClient } from '../../common/elasticsearch/client';
import { parseBytes } from '../../common/units/bytes';
import * as api from '../elasticsearch/api';
import { askIfOffered } from './answer';

/** The data path of a data node that comes closest to its high watermark. */
export interface Disk {
  node: string;
  totalBytes: number;
  availableBytes: number;
  /** High watermark: if the disk has less free space than this, in bytes, Elasticsearch moves shards to other nodes. */
  highFreeBytes: number;
  /** Flood-stage watermark: if the disk has less free space than this, in bytes, Elasticsearch makes the indices read-only. */
  floodFreeBytes: number;
}

const path = z.looseObject({
  total_in_bytes: z.number().optional(),
  available_in_bytes: z.number().optional(),
  /** Free bytes at which the watermark is reached. Nodes before 8.x do not report it; {@link freeBytes} then calculates it. */
  high_watermark_free_space_in_bytes: z.number().optional(),
  flood_stage_free_space_in_bytes: z.number().optional(),
});
type Path = z.output<typeof path>;

const nodeDisks = z.looseObject({
  name: z.string(),
  fs: z.looseObject({ data: z.array(path).optional() }).optional(),
});

interface Watermarks {
  enabled: boolean;
  high: string;
  flood: string;
}

/**
 * Returns one disk for each data node: the disk closest to its high watermark. Undefined if the cluster does not report disks. The
 * watermarks are 0 if the cluster does not check its disks.
 */
export async function readDisks(client: ElasticsearchClient): Promise<Disk[] | undefined> {
  const answer = await askIfOffered(
    client,
    api.nodes('data:true/stats/fs', ['name', 'fs.data'], nodeDisks),
    'ask for free disk space (cluster privilege `monitor`)',
  );
  if (answer === undefined) return undefined;
  const watermarks = await readWatermarks(client);
  return Object.values(answer.nodes ?? {}).flatMap(({ name, fs }) => {
    const disks = (fs?.data ?? []).map((own) => toDisk(name, own, watermarks));
    const fullest = disks.sort(
      (a, b) => a.availableBytes - a.highFreeBytes - (b.availableBytes - b.highFreeBytes),
    )[0];
    return fullest ? [fullest] : [];
  });
}

function toDisk(node: string, path: Path, { enabled, high, flood }: Watermarks): Disk {
  const totalBytes = path.total_in_bytes ?? 0;
  return {
    node,
    totalBytes,
    availableBytes: path.available_in_bytes ?? 0,
    highFreeBytes: enabled ? (path.high_watermark_free_space_in_bytes ?? freeBytes(high, totalBytes)) : 0,
    floodFreeBytes: enabled ? (path.flood_stage_free_space_in_bytes ?? freeBytes(flood, totalBytes)) : 0,
  };
}

/**
 * Returns how many bytes must stay free so that a watermark is not exceeded. `watermark`: maximum used share (`90%` or `0.9`), or minimum
 * free space (`50gb`). Returns 0 for any other text.
 */
export function freeBytes(watermark: string, totalBytes: number): number {
  const text = watermark.trim();
  if (text.endsWith('%')) return totalBytes * (1 - Number.parseFloat(text) / 100);
  if (/^(0?\.\d+|1\.0+)$/.test(text)) return totalBytes * (1 - Number.parseFloat(text));
  return parseBytes(text) ?? 0;
}

const DEFAULTS: Watermarks = { enabled: true, high: '90%', flood: '95%' };

async function readWatermarks(client: ElasticsearchClient): Promise<Watermarks> {
  interface DiskSettings {
    threshold_enabled?: string;
    watermark?: { high?: string; flood_stage?: string };
  }
  type Level = { cluster?: { routing?: { allocation?: { disk?: DiskSettings } } } };
  const answer = await askIfOffered(
    client,
    api.effectiveSettings<Level>('cluster.routing.allocation.disk'),
    'ask for the disk watermarks (cluster privilege `monitor`)',
  );
  const levels = [answer?.transient, answer?.persistent, answer?.defaults].map(
    (level) => level?.cluster?.routing?.allocation?.disk,
  );
  const first = (pick: (settings: DiskSettings) => string | undefined): string | undefined =>
    levels.map((settings) => settings && pick(settings)).find((value) => value !== undefined);
  return {
    enabled: first(({ threshold_enabled }) => threshold_enabled) !== 'false',
    high: first(({ watermark }) => watermark?.high) ?? DEFAULTS.high,
    flood: first(({ watermark }) => watermark?.flood_stage) ?? DEFAULTS.flood,
  };
}
