/**
 * Where a definition keeps how its values were written. Bodies, settings, mappings, values of parameters, ids and parameters
 * of query strings are sent, so their exact values (`common/json/exact.ts`) stay. Everything else is read by Dyno and becomes
 * the plain value: `rate: 1.0` is the number 1.
 */
import { isFields, settledBy, withFields, type Fields } from '../fields/settle';
import { hasMarks, plainValue } from '../json/exact';
import { definitionSchema } from './definition';
import { parsePath, setShared, valueAt } from './path';

/** Below these the rest of a path is the name of a setting, which may have dots. */
const SETTINGS = /^(?:index|cluster)\.settings\./;

/** A level of a factor: as the value that stands at its path would be. */
function settledLevel(definition: Fields, path: string, level: unknown): unknown {
  if (!hasMarks(level) || SETTINGS.test(path)) return level;
  const own: Record<string, unknown> = { ...definition };
  if (setShared(own, path, level) !== undefined) return plainValue(level);
  return valueAt(settledBy(definitionSchema, own), parsePath(path)) ?? plainValue(level);
}

/** An exact value as a definition holds it. What is no definition becomes plain where it does not fit. */
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
  // The order of the keys stays that of the text.
  return withFields(value, (_, key) =>
    key === 'factors' ? ofFactors(factors) : key === 'baseline' ? ofCell(baseline) : own[key],
  );
}
