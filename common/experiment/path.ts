/**
 * Paths of values in a definition, which factors, `--set` and problems use.
 *
 * No published package is used, because none supports list elements that are identified by their `name`, or names of settings that contain
 * dots.
 */
import { flattenSettings, settingName } from '../elasticsearch/settings';
import type { ExecutorDescription } from '../executors/executor';
import { EXECUTOR_NAMES, EXECUTORS } from '../executors/registry';

export type PathSegment = string | number;

/**
 * Splits a path such as `index.settings.refresh_interval`, `tasks[0].executor` or `tasks.0.executor` into segments. Numbers remain texts,
 * because they are positions only inside lists.
 */
export function parsePath(text: string): string[] {
  return text
    .replaceAll(/\[(\d+)\]/g, '.$1')
    .split('.')
    .filter((segment) => segment !== '');
}

/** Formats segments for people: `tasks[0].executor`. */
export function formatPath(segments: readonly (PathSegment | symbol)[]): string {
  return segments.reduce<string>((text, segment) => {
    if (typeof segment === 'number') return `${text}[${segment}]`;
    return text === '' ? String(segment) : `${text}.${String(segment)}`;
  }, '');
}

type Tree = Record<string, unknown> | unknown[];

/** Groups of keys of which a definition can contain only one. Setting one key of a group removes the others. */
const EXCLUSIVE: readonly (readonly string[])[] = [
  ['duration', 'documents'],
  ['docs', 'bytes'],
  ['generator', 'file', 'vectors'],
  ['set', 'requests'],
  EXECUTOR_NAMES,
  ...EXECUTORS.flatMap(({ exclusive }: ExecutorDescription) => exclusive ?? []),
];

function takeAwayOthers(parent: Record<string, unknown>, key: string): void {
  for (const group of EXCLUSIVE) {
    if (group.includes(key))
      for (const other of group) if (other !== key) Reflect.deleteProperty(parent, other);
  }
}

const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null;

/**
 * Returns the position of an element in a list; -1 if the list does not contain the element. `segment`: the position as text, or the `name`
 * of the element (`ingest` in `tasks.ingest`).
 */
function positionIn(list: readonly unknown[], segment: string): number {
  if (/^\d+$/.test(segment)) return Number(segment) < list.length ? Number(segment) : -1;
  return list.findIndex((element) => isTree(element) && (element as { name?: unknown }).name === segment);
}

/** Returns the value at a path. Returns undefined if the path does not exist. */
export function valueAt(root: unknown, segments: readonly PathSegment[]): unknown {
  let value = root;
  for (const segment of segments) {
    if (Array.isArray(value)) value = value[positionIn(value, String(segment))];
    else if (isTree(value)) value = (value as Record<string, unknown>)[String(segment)];
    else return undefined;
  }
  return value;
}

/**
 * Sets a value in `root` like {@link setAt}, but first copies every object on the path. If `root` shares such objects with other
 * definitions, these definitions remain unchanged. Returns the reason if the value cannot be set, otherwise undefined.
 */
export function setShared(root: Record<string, unknown>, path: string, value: unknown): string | undefined {
  let node: Tree = root;
  for (const segment of parsePath(path)) {
    const key: string | number = Array.isArray(node) ? positionIn(node, segment) : segment;
    const parent = node as Record<string, unknown>;
    const child: unknown = Object.hasOwn(parent, key) ? parent[String(key)] : undefined;
    if (!isTree(child)) break;
    node = Array.isArray(child) ? [...(child as unknown[])] : { ...child };
    parent[String(key)] = node;
  }
  return setAt(root, path, value);
}

/**
 * Sets the value at `path` in `root`, and creates missing objects. A key that cannot be combined with the new one is removed: `documents`
 * removes `duration`. Returns the reason as text if the value cannot be set, otherwise undefined.
 *
 * Below `index.settings` and `cluster.settings`, the rest of the path is the name of one setting, such as `translog.durability`. Below
 * `factors` and `baseline`, the rest is the path of a factor.
 */
export function setAt(root: Record<string, unknown>, path: string, value: unknown): string | undefined {
  const segments = parsePath(path);
  if (segments.length === 0) return 'the path is empty';
  const [owner] = segments;
  if ((owner === 'index' || owner === 'cluster') && segments[1] === 'settings' && segments.length > 2) {
    const own = (root[owner] ??= {}) as Record<string, unknown>;
    const settings = flattenSettings((own['settings'] ?? {}) as Record<string, unknown>);
    own['settings'] = { ...settings, [settingName(segments.slice(2).join('.'))]: value };
    return undefined;
  }
  // Below `factors` and `baseline`, the rest of the path is one key, because it is itself a path.
  if ((segments[0] === 'factors' || segments[0] === 'baseline') && segments.length > 1) {
    const paths = (root[segments[0]] ??= {}) as Record<string, unknown>;
    if (Array.isArray(paths)) return 'factors is a list of cells: set it as a whole';
    paths[path.slice(segments[0].length + 1)] = value;
    return undefined;
  }
  let node: Tree = root;
  for (const [depth, segment] of segments.entries()) {
    const key: string | number = Array.isArray(node) ? positionIn(node, segment) : segment;
    if (key === -1) {
      const names = (node as { name?: unknown }[]).map(({ name }) => String(name)).join(', ');
      return `there is no ${formatPath(segments.slice(0, depth + 1))}, only ${names}`;
    }
    if (['__proto__', 'constructor', 'prototype'].includes(segment)) return `a definition has no ${segment}`;
    const parent = node as Record<string, unknown>;
    takeAwayOthers(parent, segment);
    if (depth === segments.length - 1) {
      parent[String(key)] = value;
      return undefined;
    }
    const child: unknown = parent[String(key)] ?? (parent[String(key)] = {});
    if (!isTree(child)) return `${formatPath(segments.slice(0, depth + 1))} is a value and has no keys`;
    node = child;
  }
  return undefined;
}
