/**
 * Changes values in the text of a definition. Only the characters of the changed value are replaced. Comments, the order of keys and the
 * layout therefore stay.
 *
 * The result is then parsed again. If it does not have exactly the requested value, the YAML library writes the whole document instead.
 * This keeps comments, but may change the layout.
 */
import { isAlias, type Document } from 'yaml';
import { openDocument, valueOf } from '../document';
import { withoutValue, withValue, sameValue, valueAt } from './values';
import { nodeAt } from './nodes';
import { spliceKey, spliceRemoval, spliceValue, type Splice } from './splice';
import type { PathSegment } from '../path';

/** Path of an edit: keys as in the text, and positions in lists as numbers. */
export type EditPath = readonly PathSegment[];

/** One change: set a value, remove a value (and parents that become empty), or rename a key. */
export type Edit =
  | { path: EditPath; value: unknown }
  | { path: EditPath; remove: true }
  | { path: EditPath; rename: string };

/** Returns `text` with all edits made, in their order. If the text has syntax errors, it is returned unchanged. */
export const editText = (text: string, edits: readonly Edit[]): string =>
  edits.reduce((now, edit) => smallestEdits(now, edit).reduce(editOnce, now), text);

/**
 * Maximum number of edits for one object or list. Each edit parses the text again. An object or list with more differences is therefore
 * written as a whole.
 */
const MOST_PARTS = 20;

/** Splits the change of an object or a list into edits of its parts. Parts that do not change keep their comments and layout. */
function smallestEdits(text: string, edit: Edit): Edit[] {
  if (!('value' in edit) || typeof edit.value !== 'object' || edit.value === null) return [edit];
  const document = openDocument(text);
  if (document.errors.length > 0) return [edit];
  const parts = differences(edit.path, valueAt(valueOf(document), edit.path), edit.value);
  return parts.length > MOST_PARTS ? [edit] : parts;
}

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);

const isMapping = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Returns the edits below `path` that change `before` into `after`. Removals come last, because an object that becomes empty is removed as
 * well.
 */
function differences(path: EditPath, before: unknown, after: unknown): Edit[] {
  if (sameValue(before, after)) return [];
  if (isMapping(before) && isMapping(after)) {
    const keys = Object.keys(after).filter((key) => after[key] !== undefined);
    if (keys.some((key) => Object.hasOwn(before, key)))
      return [
        ...keys.flatMap((key) => differences([...path, key], before[key], after[key])),
        ...Object.keys(before)
          .filter((key) => !keys.includes(key))
          .map((key) => ({ path: [...path, key], remove: true as const })),
      ];
  }
  if (isList(before) && isList(after) && before.length > 0 && after.length > 0) {
    const common = Math.min(before.length, after.length);
    const parts = Array.from({ length: common }, (_, at) =>
      differences([...path, at], before[at], after[at]),
    );
    if (after.length >= before.length)
      return [
        ...parts.flat(),
        ...after.slice(common).map((value, at) => ({ path: [...path, common + at], value })),
      ];
    const [gone] = before.flatMap((_, at) => (sameValue(without(before, at), after) ? [at] : []));
    if (gone !== undefined) return [{ path: [...path, gone], remove: true }];
  }
  return [{ path, value: after }];
}

const without = (list: readonly unknown[], at: number): unknown[] => list.filter((_, index) => index !== at);

function editOnce(text: string, edit: Edit): string {
  const document = openDocument(text);
  if (document.errors.length > 0) return text;
  const before = valueOf(document) ?? {};
  const resolved = withoutAliases(document, before, edit);
  const wanted = apply(before, resolved);
  if (sameValue(before, wanted)) return text;
  const splice = spliceOf(text, document, before, resolved);
  if (splice !== undefined) {
    const changed = text.slice(0, splice.from) + splice.insert + text.slice(splice.to);
    if (says(changed, wanted)) return changed;
  }
  return rewritten(document, before, resolved);
}

/**
 * Returns an edit that replaces an alias (`*name`) by its new value, if the original edit is within this alias; otherwise the original
 * edit. Changing the anchor instead would also change all other uses of the alias.
 */
function withoutAliases(document: Document.Parsed, before: unknown, edit: Edit): Edit {
  for (let length = 1; length < edit.path.length; length += 1) {
    const path = edit.path.slice(0, length);
    if (!isAlias(nodeAt(document.contents, path))) continue;
    return { path, value: valueAt(apply(before, edit), path) };
  }
  return edit;
}

function apply(before: unknown, edit: Edit): unknown {
  if ('remove' in edit) return withoutValue(before, edit.path);
  if (!('rename' in edit)) return withValue(before, edit.path, edit.value);
  const parent = valueAt(before, edit.path.slice(0, -1));
  const old = String(edit.path.at(-1));
  if (typeof parent !== 'object' || parent === null || !(old in parent) || edit.rename in parent)
    return before;
  const renamed = Object.entries(parent).map(([key, value]) => [key === old ? edit.rename : key, value]);
  return withValue(before, edit.path.slice(0, -1), Object.fromEntries(renamed));
}

function spliceOf(text: string, document: Document.Parsed, before: unknown, edit: Edit): Splice | undefined {
  if ('rename' in edit) return spliceKey(document, edit.path, edit.rename);
  if ('remove' in edit) return spliceRemoval(text, document, prune(before, edit.path));
  return spliceValue(text, document, edit.path, edit.value);
}

/**
 * Returns the path to remove in order to remove the value at `path`. It is the path of the outermost parent that would otherwise become
 * empty; `path` itself if no parent would.
 */
function prune(before: unknown, path: EditPath): EditPath {
  let outer = path;
  while (outer.length > 1) {
    const parent = valueAt(before, outer.slice(0, -1));
    if (typeof parent !== 'object' || parent === null || Object.keys(parent).length > 1) break;
    outer = outer.slice(0, -1);
  }
  return outer;
}

function says(text: string, wanted: unknown): boolean {
  const document = openDocument(text);
  return document.errors.length === 0 && sameValue(valueOf(document) ?? {}, wanted);
}

function rewritten(document: Document.Parsed, before: unknown, edit: Edit): string {
  if ('remove' in edit) document.deleteIn(prune(before, edit.path));
  else if ('rename' in edit) {
    const parent = edit.path.slice(0, -1);
    document.setIn(parent, document.createNode(valueAt(apply(before, edit), parent)));
  } else document.setIn(edit.path, document.createNode(edit.value));
  return document.toString({ lineWidth: 110 });
}
