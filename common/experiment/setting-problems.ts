/**
 * Finds misspelt names of index settings. Elasticsearch refuses these too, but only when the first trial creates its index. An unknown name
 * that is not similar to a known one is not reported, because a plugin may define it.
 */
import { INDEX_SETTING_NAMES, isKnownSetting } from '../elasticsearch/index-settings';
import { settingName } from '../elasticsearch/settings';
import { plainKey } from '../json/exact';
import { nearest } from '../near';
import { showValue, type Problem } from '../problem';
import { factorLevels, factorPaths } from './cells';
import type { Definition } from './definition';
import { formatPath, type PathSegment } from './path';

/** Maximum edit distance between a misspelt name and a known name. With a larger distance, the two are probably different settings. */
const MOST_EDITS = 2;
const MOST_EDITS_SHORT = 1;
const SHORT = 8;

/** Returns the known setting that `name` probably means. The result begins with `index.` if `name` does. */
function settingMeant(name: string): string | undefined {
  if (isKnownSetting(name)) return undefined;
  const own = settingName(name);
  const meant = nearest(own, INDEX_SETTING_NAMES, own.length < SHORT ? MOST_EDITS_SHORT : MOST_EDITS);
  return meant === undefined ? undefined : name.slice(0, name.length - own.length) + meant;
}

/**
 * Returns the key on a setting's path that must change so that the setting is called `name`: its position `at`, and the new key. Settings
 * may be nested, so the path consists of several keys. Undefined if several keys would have to change.
 */
function keyToChange(keys: readonly string[], name: string): { at: number; key: string } | undefined {
  const parts = name.split('.');
  const wanted = keys.map((key) => parts.splice(0, key.split('.').length).join('.'));
  const changed = wanted.flatMap((key, at) => (key === keys[at] ? [] : [{ at, key }]));
  return parts.length === 0 && changed.length === 1 ? changed[0] : undefined;
}

const problem = (path: string, value: unknown, meant: Problem['meant'], name: string): Problem => ({
  code: 'definition.unknown-setting',
  path,
  message: 'Elasticsearch has no index setting of this name',
  found: showValue(value),
  ...(meant === undefined ? { allowed: name } : { meant }),
});

/**
 * Returns the problems of the settings in an object. `path`: path of the object. `keys`: keys on the path that belong to the name of a
 * nested setting.
 */
function within(settings: unknown, path: readonly PathSegment[], keys: readonly string[] = []): Problem[] {
  if (typeof settings !== 'object' || settings === null || Array.isArray(settings)) return [];
  return Object.entries(settings).flatMap(([written, value]) => {
    const own = [...keys, plainKey(written)];
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return within(value, path, own);
    const meant = settingMeant(own.join('.'));
    if (meant === undefined) return [];
    const change = keyToChange(own, meant);
    const to = change === undefined ? own.length : change.at + 1;
    return [problem(formatPath([...path, ...own.slice(0, to)]), value, change && { key: change.key }, meant)];
  });
}

const SETTINGS = 'index.settings';

function ofFactor(definition: Definition, path: string): Problem[] {
  const levels = factorLevels(definition, path);
  if (path === SETTINGS) return levels.flatMap((level, at) => within(level, ['factors', path, at]));
  if (!path.startsWith(`${SETTINGS}.`)) return [];
  const meant = settingMeant(path.slice(SETTINGS.length + 1));
  if (meant === undefined) return [];
  const key = `${SETTINGS}.${meant}`;
  return [problem(`factors.${path}`, levels, { key }, key)];
}

export const settingProblems = (definition: Definition): Problem[] => [
  ...within(definition.index.settings, ['index', 'settings']),
  ...(definition.measure.recipe ?? []).flatMap(({ settings }, at) =>
    within(settings, ['measure', 'recipe', at, 'settings']),
  ),
  ...factorPaths(definition).flatMap((path) => ofFactor(definition, path)),
];
