/**
 * Finds misspelt names of index settings. Elasticsearch also refuses such names, but only when the first trial creates its index. An
 * unknown name is reported only if it is similar to a known name, because a plugin may have defined the setting.
 */
import { INDEX_SETTING_NAMES, isKnownSetting } from '../elasticsearch/index-settings';
import { settingName } from '../elasticsearch/settings';
import { plainKey } from '../json/exact';
import { nearest } from '../near';
import { showValue, type Problem } from '../problem';
import { factorLevels, factorPaths } from './cells';
import type { Definition } from './definition';
import { formatPath, type PathSegment } from './path';

/**
 * Maximum edit distance between a misspelt name and the known name that it probably means. Names with a larger distance are probably
 * different settings.
 */
const MOST_EDITS = 2;
const MOST_EDITS_SHORT = 1;
const SHORT = 8;

/**
 * Returns the known setting that the unknown `name` probably means. The result begins with `index.` if `name` does. Undefined if `name` is
 * known, or if no known setting is similar.
 */
function settingMeant(name: string): string | undefined {
  if (isKnownSetting(name)) return undefined;
  const own = settingName(name);
  const meant = nearest(own, INDEX_SETTING_NAMES, own.length < SHORT ? MOST_EDITS_SHORT : MOST_EDITS);
  return meant === undefined ? undefined : name.slice(0, name.length - own.length) + meant;
}

/**
 * Finds the key that must be changed to correct the name of a setting. `keys`: the keys that make up the wrong name; there are several if
 * the setting is nested. `name`: the correct name. Returns the position `at` of the key in `keys`, and the new key. Undefined if several
 * keys would have to change.
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
 * Returns the problems of the settings in an object. `path`: path of the object that contains all settings. `keys`: keys from there to
 * `settings`, with which the names of nested settings begin.
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
