/**
 * Plain values changed at a path without touching the original: what a change of text must come out as.
 *
 * By hand: packages for values that never change bring proxies for what is four functions here.
 */
import type { PathSegment } from '../path';

type Tree = Record<PathSegment, unknown>;

const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null;

/** The value at `path`; undefined where there is none. */
export const valueAt = (root: unknown, path: readonly PathSegment[]): unknown =>
  path.reduce<unknown>(
    (value, segment) => (isTree(value) && Object.hasOwn(value, segment) ? value[segment] : undefined),
    root,
  );

/** `root` with `value` at `path`; objects (or a list, before a position) on the way are made. */
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

/** `root` without what stands at `path`, and without what that leaves empty around it. */
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

/** Whether two plain values say the same; the order of keys says nothing. */
export function sameValue(left: unknown, right: unknown): boolean {
  if (Object.is(left, right)) return true;
  if (!isTree(left) || !isTree(right) || Array.isArray(left) !== Array.isArray(right)) return false;
  const keys = Object.keys(left);
  return (
    keys.length === Object.keys(right).length &&
    keys.every((key) => Object.hasOwn(right, key) && sameValue(left[key], right[key]))
  );
}
