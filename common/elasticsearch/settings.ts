/**
 * Reads index settings in the way in which Elasticsearch interprets them. Each setting has one flat name, and a default value that applies
 * if the setting is absent. The defaults are from version 7 and later:
 * https://www.elastic.co/guide/en/elasticsearch/reference/current/index-modules.html.
 */
import { exactText, plainKey, plainValue } from '../json/exact';
import { parseDuration } from '../units/duration';

/** Settings by flat name, without the leading `index.`: `number_of_shards`, `translog.durability`. */
export type FlatSettings = Readonly<Record<string, unknown>>;

/** Removes the leading `index.`, because `index.number_of_shards` and `number_of_shards` are the same setting. */
export const settingName = (name: string): string => name.replace(/^index\./, '');

/**
 * Returns settings with flat names without the leading `index.`. The values are unchanged. If a setting occurs both nested and flat, the
 * occurrence further down in the object is used.
 */
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

/**
 * Returns a whole number that is written as `2` or `'2'`. Returns `fallback` if the value is missing or null, because null means the
 * default.
 */
function wholeNumber(written: unknown, fallback: number): number {
  if (written === undefined || written === null) return fallback;
  const number = Number(plainValue(written));
  // For other values, the default is assumed here. Elasticsearch refuses such values when it creates the index.
  return Number.isInteger(number) && number >= 0 ? number : fallback;
}

/** Returns the number of primary shards of an index with these settings. */
export const shardsOf = (settings: FlatSettings): number =>
  Math.max(1, wholeNumber(settings['number_of_shards'], 1));

/** Returns the number of replicas of each primary shard; one by default. */
export const replicasOf = (settings: FlatSettings): number => wholeNumber(settings['number_of_replicas'], 1);

/**
 * Returns whether Elasticsearch adjusts the number of replicas to the number of nodes (`auto_expand_replicas`), so that
 * `number_of_replicas` has no effect.
 */
export const expandsReplicas = ({ auto_expand_replicas: range }: FlatSettings): boolean =>
  range !== undefined && range !== null && String(range) !== 'false';

/** Elasticsearch's default refresh interval, in ms. */
const REFRESH_MS = 1000;

/** Returns the time between two refreshes in ms; null if automatic refreshes are disabled (`-1`). */
export function refreshMsOf(settings: FlatSettings): number | null {
  const written = settings['refresh_interval'];
  if (written === undefined || written === null) return REFRESH_MS;
  const text = exactText(written as string | number);
  return Number(text) < 0 ? null : (parseDuration(text) ?? REFRESH_MS);
}

/** Index modes with a synthetic source by default. */
const SYNTHETIC_MODES = ['logsdb', 'time_series'];

/** Returns the name of the setting or mapping that requests a synthetic source; '' if the source is not synthetic. */
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
