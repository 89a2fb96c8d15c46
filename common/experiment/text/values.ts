/**
 * Changes values at a path without changing the original object. After each edit of a text, Dyno compares the edited text with the result
 * of these functions. No package for immutable values is used, because these four functions are small.
 */
import type { PathSegment } from '../path';

type Tree = Record<PathSegment, unknown>;

const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null;

/** Returns the value at `path`. Returns undefined if the path does not exist. */
export const valueAt = (root: unknown, path: readonly PathSegment[]): unknown =>
  path.reduce<unknown>(
    (value, segment) => (isTree(value) && Object.hasOwn(value, segment) ? value[segment] : undefined),
    root,
  );

/**
 * Returns `root` with `value` at `path`. Creates missing objects and lists: a list if the next segment of the path is a number, otherwise
 * an object.
 */
export function withValue(root: unknown, path: readonly PathSegment[], value: unknown): unknown {
  const [segment, ...rest] = path;
  if (segment === undefined) return value;
  if (Array.isArray(root) || (!isTree(root) && typeof segment === 'number')) {
    const list: unknown[] = Array.isArray(root) ? [...(root as unknown[])] : [];
    list[Math.min(Number(segment), list.length)] = withValue(list[Number(segment)], rest, value);
    return list;
  }
  const own = isTree(root) ? root : {};
  return { ...own, [segment]: withValue(own[segment], rest, value) };
}

/** Returns `root` without the value at `path`, and without objects and lists that become empty. */
export function withoutValue(root: unknown, path: readonly PathSegment[]): unknown {
  const [segment, ...rest] = path;
  if (segment === undefined || !isTree(root) || !(segment in root)) return root;
  const child = rest.length === 0 ? undefined : withoutValue(root[segment], rest);
  const stays = rest.length > 0 && (!isTree(child) || Object.keys(child).length > 0);
  if (Array.isArray(root)) {
    return root.flatMap((element: unknown, at) =>
      at === Number(segment) ? (stays ? [child] : []) : [element],
    );
  }
  if (stays) return { ...root, [segment]: child };
  return Object.fromEntries(Object.entries(root).filter(([key]) => key !== String(segment)));
}

/** Returns whether two plain values are equal, whatever the order of their keys. */
export function sameValue(left: unknown, right: unknown): boolean {
  if (Object.is(left, right)) return true;
  if (!isTree(left) || !isTree(right) || Array.isArray(left) !== Array.isArray(right)) return false;
  const keys = Object.keys(left);
  return (
    keys.length === Object.keys(right).length &&
    keys.every((key) => Object.hasOwn(right, key) && sameValue(left[key], right[key]))
  );
}
