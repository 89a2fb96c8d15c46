/**
 * Keeps the exact notation of those values of a track that are sent to Elasticsearch: the values in objects and lists of an operation. All
 * other values become plain values.
 */
import { hasMarks, plainKey, plainValue } from '../../json/exact';

type Fields = Readonly<Record<string, unknown>>;

const TYPE = 'operation-type';

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

const holdsOperation = (value: unknown): boolean =>
  isObject(value) && (TYPE in value || Object.values(value).some(holdsOperation));

/** Converts exact values of a track to plain values where the importer itself reads texts and numbers. */
export function trackValue(value: unknown): unknown {
  if (!hasMarks(value)) return value;
  if (!isObject(value)) return plainValue(value);
  if (Array.isArray(value)) return value.map(trackValue);
  const isSent = (inner: unknown): boolean => TYPE in value && isObject(inner) && !holdsOperation(inner);
  return Object.fromEntries(
    Object.entries(value as Fields).map(([key, inner]) => [
      plainKey(key),
      isSent(inner) ? inner : trackValue(inner),
    ]),
  );
}
