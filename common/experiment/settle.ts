/**
 * Decides which values of a definition keep the notation of the author. These are the values that Dyno sends to Elasticsearch: bodies,
 * settings, mappings, values of parameters, ids and query strings (see `common/json/exact.ts`). All other values are only read by Dyno.
 * They become ordinary JavaScript values: `rate: 1.0` becomes the number 1.
 */
import { isFields, settledBy, withFields, type Fields } from '../fields/settle';
import { hasMarks, plainValue } from '../json/exact';
import { definitionSchema } from './definition';
import { parsePath, setShared, valueAt } from './path';

/** Matches the beginning of a path to a setting. The rest of such a path is the name of the setting, which may contain dots. */
const SETTINGS = /^(?:index|cluster)\.settings\./;

/**
 * Converts a level of a factor in the same way as a value at the path of the factor. The level keeps its notation only if Dyno sends it to
 * Elasticsearch.
 */
function settledLevel(definition: Fields, path: string, level: unknown): unknown {
  if (!hasMarks(level) || SETTINGS.test(path)) return level;
  const own: Record<string, unknown> = { ...definition };
  if (setShared(own, path, level) !== undefined) return plainValue(level);
  return valueAt(settledBy(definitionSchema, own), parsePath(path)) ?? plainValue(level);
}

/**
 * Converts the value of a parsed definition, in which all numbers and strings keep the author's notation. Values that Dyno does not send to
 * Elasticsearch become ordinary JavaScript values.
 */
export function settledDefinition(value: unknown): unknown {
  if (!isFields(value) || !hasMarks(value)) return value;
  const { factors, baseline, ...rest } = withFields(value, (inner) => inner);
  const own = settledBy(definitionSchema, rest) as Fields;
  const ofCell = (levels: unknown): unknown =>
    isFields(levels)
      ? withFields(levels, (level, path) => settledLevel(own, path, level))
      : plainValue(levels);
  const ofFactors = (given: unknown): unknown => {
    if (Array.isArray(given)) return given.map(ofCell);
    if (!isFields(given)) return plainValue(given);
    return withFields(given, (levels, path) =>
      Array.isArray(levels)
        ? levels.map((level: unknown) => settledLevel(own, path, level))
        : plainValue(levels),
    );
  };
  // The order of keys in the text is kept.
  return withFields(value, (_, key) =>
    key === 'factors' ? ofFactors(factors) : key === 'baseline' ? ofCell(baseline) : own[key],
  );
}
