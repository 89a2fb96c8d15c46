/** Formats values as YAML that is inserted into a text: on one line if this is readable, otherwise on several lines. */
import { yamlOf } from '../document';

/** Maximum length of a line that contains a value in brackets. */
const WIDTH = 90;

const isPlainObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Formats a scalar on one line. The result is valid inside and outside of brackets. */
const scalar = (value: unknown): string =>
  yamlOf([value], { collectionStyle: 'flow', lineWidth: 0, blockQuote: false }).trim().slice(1, -1).trim();

/** Formats a value in brackets: `{ a: 1, b: [x, y] }`. */
export function inlineText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(inlineText).join(', ')}]`;
  if (!isPlainObject(value)) return scalar(value);
  const pairs = Object.entries(value).map(([key, inner]) => `${scalar(key)}: ${inlineText(inner)}`);
  return pairs.length === 0 ? '{}' : `{ ${pairs.join(', ')} }`;
}

/** Formats a scalar as the value of a key, with as few quotes as possible. The key must not be in brackets. */
export const blockScalar = (value: unknown): string =>
  yamlOf(value, { lineWidth: 0, blockQuote: false }).trimEnd();

const hasSpaces = (value: unknown): boolean => typeof value === 'string' && value.includes(' ');

/** Returns whether a value is short and simple enough to be written in brackets. */
export function isInline(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true;
  if (Object.keys(value).length === 0) return true;
  const parts: unknown[] = Object.values(value);
  if (Array.isArray(value) && parts.some((part) => isPlainObject(part) || hasSpaces(part))) return false;
  // Levels of factors are written on separate lines, because they are then easier to compare.
  if (
    !Array.isArray(value) &&
    Object.keys(value).some((key) => key.includes('.') && Array.isArray(value[key as never]))
  )
    return false;
  return parts.every(isInline) && inlineText(value).length <= WIDTH;
}

/**
 * Formats the value after `key:` or `-`. The result begins with a space, or with a line end if the value needs several lines. `indent`:
 * number of spaces before the line of the key or dash.
 */
export function afterKey(value: unknown, indent: number): string {
  if (typeof value !== 'object' || value === null) return ` ${blockScalar(value)}`;
  if (isInline(value)) return ` ${inlineText(value)}`;
  return `\n${blockLines(value, indent + 2)}`;
}

/** Formats a list or an object on several lines. Each line is indented by `indent` spaces. The last line has no line end. */
export function blockLines(value: object, indent: number): string {
  const pad = ' '.repeat(indent);
  if (Array.isArray(value)) {
    return value.map((element) => `${pad}-${afterDash(element, indent)}`).join('\n');
  }
  return Object.entries(value)
    .map(([key, inner]) => `${pad}${blockScalar(key)}:${afterKey(inner, indent)}`)
    .join('\n');
}

/** Formats the value after `-`. The first key of an object is on the same line as the dash. */
export function afterDash(value: unknown, indent: number): string {
  const isFlat = isPlainObject(value) && !Object.values(value).some(isPlainObject);
  if (!isPlainObject(value) || (isFlat && isInline(value))) return afterKey(value, indent);
  return ` ${blockLines(value, indent + 2).trimStart()}`;
}
