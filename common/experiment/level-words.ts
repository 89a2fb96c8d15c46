/** Describes levels of factors in words: `bulks of 1,000 documents`, `a refresh interval of 30s`, `5 primary shards`. */
import { isSecretPath } from '../secrets/definition';
import type { LevelText } from './cells';
import { parsePath } from './path';

type Say = (level: string, count: number | null) => string;

/**
 * Returns a function that describes a level as a number with a noun: `5 primary shards`. For a level that is not a number, the noun comes
 * first: `primary shards auto`.
 */
const counted =
  (one: string, many = `${one}s`): Say =>
  (level, count) =>
    count === null ? `${many} ${level}` : `${level} ${count === 1 ? one : many}`;

const after =
  (words: string): Say =>
  (level) =>
    `${words} ${level}`;

/**
 * Patterns of paths, each with a function that describes a level at such a path. The first pattern that matches is used. The words do not
 * contain the name of the task, because the metric in the same sentence does.
 */
const WORDS: readonly (readonly [path: RegExp, say: Say])[] = [
  [/\.bulk\.docs$/, (level, count) => `bulks of ${counted('document')(level, count)}`],
  [/\.bulk\.bytes$/, after('bulks of')],
  [/\.parse\.workers$/, counted('parser')],
  [/\.source\.generator$/, (level) => `${level} documents`],
  [/\.executor\.constant-clients\.clients$/, counted('client')],
  [/\.executor\.constant-rate\.rate$/, (level) => `${level} requests/s`],
  [/\.executor\.constant-rate\.every$/, after('one request every')],
  [/\.executor\.[^.]+\.max-clients$/, (level, count) => `at most ${counted('client')(level, count)}`],
  [/\.executor\.recorded\.speed$/, after('a replay speed of')],
  [/^index\.settings\.refresh_interval$/, after('a refresh interval of')],
  [/^index\.settings\.number_of_shards$/, counted('primary shard')],
  [/^index\.settings\.number_of_replicas$/, counted('replica')],
  [/^index\.settings\.codec$/, after('codec')],
  [/^index\.settings\.mode$/, after('index mode')],
  [/^index\.settings\.translog\.durability$/, after('translog durability')],
  [/^index\.settings\.translog\.flush_threshold_size$/, after('a translog flush threshold of')],
  [/^index\.settings\.translog\.sync_interval$/, after('a translog sync interval of')],
  [/^index\.settings\.merge\.scheduler\.max_thread_count$/, counted('merge thread')],
  [/^index\.settings\.query\.default_field$/, after('default field')],
  [/^index\.shards$/, counted('primary shard')],
  [/^index\.replicas$/, counted('replica')],
  [/^index\.mapping$/, after('mapping')],
  [/^measure\.caches$/, (level) => `${level} caches`],
  [/^environment\.nodes$/, counted('node')],
  [/^environment\.heap$/, after('a heap of')],
  [/^environment\.index-buffer$/, after('an indexing buffer of')],
  [/^environment\.write-queue$/, after('a write queue of')],
  [/^environment\.write-threads$/, counted('write thread')],
  [/^environment\.version$/, after('Elasticsearch')],
];

/** Returns a short name for a path that is not in WORDS: the path without a prefix such as `index.settings.` or `tasks.ingest.`. */
const nameOf = (path: string): string =>
  path.replace(/^(index\.settings|cluster\.settings|environment)\./, '').replace(/^tasks\.[^.]+\./, '');

const WHOLE = new Intl.NumberFormat('en-US', { maximumFractionDigits: 20 });

const textOf = (path: string, level: unknown, text: LevelText): string =>
  typeof level === 'number' && !isSecretPath(path) ? WHOLE.format(level) : text(path, level);

const isNumber = (level: unknown): level is number => typeof level === 'number';

/**
 * Returns a level together with the name of its factor: `bulks of 1,000 documents`. If WORDS contains no words for the factor, its path is
 * used: `search.idle.after = 30s`. `text`: see `levelTexts`.
 */
export function levelWords(path: string, level: unknown, text: LevelText): string {
  const plain = parsePath(path).join('.');
  const own = textOf(path, level, text);
  const count = isNumber(level) ? level : /^\d+$/.test(own) ? Number(own) : null;
  const say = WORDS.find(([pattern]) => pattern.test(plain))?.[1];
  if (say !== undefined && level !== undefined && level !== null) return say(own, count);
  return `${nameOf(plain)} = ${level === undefined ? 'not set' : own}`;
}

/**
 * Returns a level for a sentence that already contains another level of the same factor: the `10` in `with bulks of 1,000 documents than
 * with 10`.
 */
export const levelAlone = (path: string, level: unknown, text: LevelText): string =>
  level === undefined ? 'not set' : textOf(path, level, text);

/** Returns the levels of several factors in words: `5 primary shards and 1 replica`. */
export const levelsWords = (
  levels: readonly (readonly [path: string, level: unknown])[],
  text: LevelText,
): string => {
  const words = levels.map(([path, level]) => levelWords(path, level, text));
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
};
