/**
 * Index settings as Elasticsearch reads them: one flat name for each, and what holds where nothing is written. Its defaults
 * are those of version 7 and later: https://www.elastic.co/guide/en/elasticsearch/reference/current/index-modules.html.
 */
import { exactText, plainKey, plainValue } from '../json/exact';
import { parseDuration } from '../units/duration';

/** By flat name without the leading `index.`: `number_of_shards`, `translog.durability`. */
export type FlatSettings = Readonly<Record<string, unknown>>;

/** `index.number_of_shards` and `number_of_shards` are one setting. */
export const settingName = (name: string): string => name.replace(/^index\./, '');

/** Settings as one level of dotted names without the leading `index.`, lists and values untouched; of two spellings of one setting the later one counts. */
export function flattenSettings(settings: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const flat: Record<string, unknown> = {};
  const visit = (value: unknown, prefix: string): void => {
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      for (const [key, inner] of Object.entries(value))
        visit(inner, prefix === '' ? plainKey(key) : `${prefix}.${plainKey(key)}`);
    } else {
      flat[settingName(prefix)] = value;
    }
  };
  visit(settings, '');
  return flat;
}

/** A whole number as it is written, `2` or `'2'`; `fallback` where nothing is, null included, for that means the default. */
function wholeNumber(written: unknown, fallback: number): number {
  if (written === undefined || written === null) return fallback;
  const number = Number(plainValue(written));
  // What is no number is refused when the index is made.
  return Number.isInteger(number) && number >= 0 ? number : fallback;
}

/** Primary shards of an index with these settings. */
export const shardsOf = (settings: FlatSettings): number =>
  Math.max(1, wholeNumber(settings['number_of_shards'], 1));

/** Copies of each primary shard, beside it, of an index with these settings; one where none is named. */
export const replicasOf = (settings: FlatSettings): number => wholeNumber(settings['number_of_replicas'], 1);

/** Whether Elasticsearch makes as many replicas as there are nodes for them, whatever number is named. */
export const expandsReplicas = ({ auto_expand_replicas: range }: FlatSettings): boolean =>
  range !== undefined && range !== null && String(range) !== 'false';

/** Elasticsearch's own default, ms. */
const REFRESH_MS = 1000;

/** Time between two refreshes of an index with these settings, ms; null where it is not refreshed (`-1`). */
export function refreshMsOf(settings: FlatSettings): number | null {
  const written = settings['refresh_interval'];
  if (written === undefined || written === null) return REFRESH_MS;
  const text = exactText(written as string | number);
  return Number(text) < 0 ? null : (parseDuration(text) ?? REFRESH_MS);
}

/** Index modes whose source is synthetic unless the settings say otherwise. */
const SYNTHETIC_MODES = ['logsdb', 'time_series'];

/** What asks for a synthetic source, in words; '' where nothing does, or the settings ask for another. */
export function asksSynthetic(settings: FlatSettings, mapping: Readonly<Record<string, unknown>>): string {
  const source = settings['mapping.source.mode'];
  if (source !== undefined && source !== null)
    return String(source).toLowerCase() === 'synthetic' ? `mapping.source.mode: ${String(source)}` : '';
  const { mode: ofMapping } = (mapping['_source'] ?? {}) as { mode?: unknown };
  if (ofMapping !== undefined)
    return String(ofMapping).toLowerCase() === 'synthetic' ? `_source.mode: ${String(ofMapping)}` : '';
  const mode = String(settings['mode'] ?? '').toLowerCase();
  return SYNTHETIC_MODES.includes(mode) ? `mode: ${mode}` : '';
}
