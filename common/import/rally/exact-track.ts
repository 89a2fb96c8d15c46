/**
 * Separates two kinds of values in a track. Objects and lists inside an operation are sent to Elasticsearch, so their values keep their
 * exact notation, such as `1.0`. The importer itself reads all other values. They become plain JavaScript values.
 */
import { hasMarks, plainKey, plainValue } from '../../json/exact';

type Fields = Readonly<Record<string, unknown>>;

const TYPE = 'operation-type';

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

const holdsOperation = (value: unknown): boolean =>
  isObject(value) && (TYPE in value || Object.values(value).some(holdsOperation));

/**
 * Returns a copy of a track, in which the values that the importer itself reads are plain texts and numbers. Values that are sent to
 * Elasticsearch keep their exact notation.
 */
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
