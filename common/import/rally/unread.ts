/** Reports the keys of a track that are not converted. The same key in many objects is reported in one line. */
import { stringifyPlain } from '../../json/exact';
import { nearest } from '../../near';
import { plural } from '../../units/format';
import { BENCHMARKS, type Benchmark } from './benchmark';
import { PARALLEL_KEYS, TASK_KEYS } from './track';
import type { UnreadKey } from './tracked';

interface Kind {
  one: string;
  many: string;
}

const kind = (one: string, many = `${one}s`): Kind => ({ one, many });

const OPERATION = kind('operation');
const TASK = kind('task');
const PARALLEL = kind('parallel element');
const CHALLENGE = kind('challenge');
const PROCEDURE = kind('test procedure');
const TEMPLATE = kind('template');

/**
 * Kinds of objects in a track. The key is the path of the object without indices, such as `corpora.documents`, or only the last part of
 * this path. The whole path is looked up first.
 */
const KINDS: Readonly<Record<string, Kind>> = {
  corpora: kind('corpus', 'corpora'),
  'corpora.documents': kind('document set'),
  indices: kind('index', 'indices'),
  'data-streams': kind('data stream'),
  templates: TEMPLATE,
  'composable-templates': TEMPLATE,
  'component-templates': kind('component template'),
  challenge: CHALLENGE,
  challenges: CHALLENGE,
  test_procedure: PROCEDURE,
  test_procedures: PROCEDURE,
  parallel: PARALLEL,
  operation: OPERATION,
  operations: OPERATION,
  schedule: TASK,
  tasks: TASK,
};

const article = (noun: string): string => `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`;

function kindOf(owner: string, { track }: Benchmark): Kind {
  if (owner === '') return { one: `the ${track}`, many: `${track}s` };
  const parts = owner.replaceAll(/\[\d+\]/g, '').split('.');
  const known = KINDS[parts.join('.')] ?? KINDS[parts.at(-1)!];
  if (known !== undefined) return known;
  // The object is inside an operation, such as the operation's condition.
  const from = parts.findLastIndex((part) => KINDS[part] !== undefined);
  const inner = parts.slice(from + 1).join('.');
  const outer = KINDS[parts[from] ?? ''];
  return outer === undefined
    ? { one: `${inner} of the ${track}`, many: `parts of ${track}s` }
    : { one: `${inner} of ${article(outer.one)}`, many: `parts of ${outer.many}` };
}

/** Keys that do not change the requests to the cluster, with the reason. */
const WITHOUT_EFFECT: readonly {
  keys: readonly string[];
  of: readonly Kind['one'][] | 'any';
  why(benchmark: Benchmark): string;
}[] = [
  { keys: ['meta'], of: 'any', why: ({ name }) => `labels that ${name} adds to its metrics` },
  { keys: ['version'], of: ['the track', 'the workload'], why: () => 'the version of the file format' },
  {
    keys: ['parameters'],
    of: ['the track', 'the workload', CHALLENGE.one, PROCEDURE.one],
    why: ({ name }) => `values that ${name} only stores with its results`,
  },
  {
    keys: ['compressed-bytes', 'uncompressed-bytes'],
    of: ['document set'],
    why: ({ name }) => `sizes with which ${name} checks a download`,
  },
  { keys: ['tags'], of: [TASK.one], why: () => 'names that select tasks on the command line' },
  { keys: ['name'], of: [TASK.one], why: () => 'the name of a parallel element' },
  { keys: ['description'], of: 'any', why: () => 'descriptions' },
  {
    keys: ['run-on-serverless'],
    of: [TASK.one, OPERATION.one],
    why: () => 'whether it is skipped on Elastic Cloud Serverless',
  },
  {
    keys: ['include-in-reporting', 'include-in-results_publishing'],
    of: [OPERATION.one],
    why: ({ name }) => `whether ${name} prints its metrics`,
  },
  {
    keys: ['ignore-response-error-level'],
    of: [TASK.one],
    why: () => 'whether an error ends the benchmark: Dyno counts errors and continues',
  },
  {
    keys: ['batch-size'],
    of: [OPERATION.one],
    why: () => 'number of documents that are read from the file at a time',
  },
];

/** Matches keys that are comments. JSON has no comments, so authors of tracks write them as keys. */
const COMMENT = /^(?:#|\/\/|_?comment)/i;

function whyHarmless(key: string, { one }: Kind, benchmark: Benchmark): string | undefined {
  if (COMMENT.test(key)) return 'comments';
  return WITHOUT_EFFECT.find(({ keys, of }) => keys.includes(key) && (of === 'any' || of.includes(one)))?.why(
    benchmark,
  );
}

/** Keys of the benchmarks that have no counterpart in definitions, with the consequence for the converted load. */
const NOT_CARRIED: readonly { keys: readonly string[]; what(benchmark: Benchmark): string }[] = [
  { keys: ['dependencies'], what: () => 'Python packages; the import installs none' },
  { keys: ['detailed-results'], what: ({ name }) => `metrics that ${name} reads from responses` },
  {
    keys: [
      'retries',
      'retry-until-success',
      'retry-wait-period',
      'retry-on-timeout',
      'retry-on-error',
      'retries_on_429',
    ],
    what: () => 'failed requests are not repeated; bulks are, according to `retries` of their task',
  },
  { keys: ['ignore'], what: () => 'these statuses count as failed' },
  { keys: ['response-compression-enabled'], what: () => 'compressed responses are never requested' },
  { keys: ['looped'], what: () => 'the documents are read once' },
];
const OF_OSB: typeof NOT_CARRIED = [
  {
    keys: ['ramp-down-time-period'],
    what: () => 'all clients run until the end',
  },
];

export interface KeyGroup {
  key: string;
  kind: Kind;
  keys: UnreadKey[];
  /** Suggestion for the user, such as a similar key. Messages append it to their text. '' if Dyno has no suggestion. */
  hint: string;
  /** Reason why the key does not change the load. Undefined if it may change the load. */
  why?: string;
}

function hintOf({ key, asked }: UnreadKey, { one }: Kind, benchmark: Benchmark): string {
  const known = [...NOT_CARRIED, ...(benchmark === BENCHMARKS.osb ? OF_OSB : [])];
  const explained = known.find(({ keys }) => keys.includes(key));
  if (explained !== undefined) return explained.what(benchmark);
  const own = nearest(key, asked);
  const elsewhere = (keys: readonly string[]): string | undefined =>
    keys.includes(key) ? key : nearest(key, keys);
  if (one === TASK.one && asked.includes('parallel') && TASK_KEYS.includes(key))
    return `it belongs inside \`parallel\``;
  if (own !== undefined) return `did you mean \`${own}\`?`;
  const of = (keys: readonly string[], place: string): string => {
    const meant = elsewhere(keys);
    if (meant === undefined) return '';
    return meant === key ? `it belongs to ${place}` : `did you mean \`${meant}\`, which belongs to ${place}?`;
  };
  if (one === TASK.one) return of(PARALLEL_KEYS, 'a `parallel` element');
  if (one === PARALLEL.one) return of(TASK_KEYS, 'each task');
  if (one === OPERATION.one) return of(TASK_KEYS, 'the task') || of(PARALLEL_KEYS, 'a `parallel` element');
  return '';
}

/** Groups the keys that have the same name and are in the same kind of object. Groups are in the order in which they first occur. */
export function keyGroups(unread: readonly UnreadKey[], benchmark: Benchmark): KeyGroup[] {
  const groups = new Map<string, KeyGroup>();
  for (const one of unread) {
    const own = kindOf(one.owner, benchmark);
    const hint = hintOf(one, own, benchmark);
    const id = stringifyPlain([one.key, own.one, hint]);
    const known = groups.get(id);
    if (known !== undefined) {
      known.keys.push(one);
      continue;
    }
    const why = whyHarmless(one.key, own, benchmark);
    groups.set(id, { key: one.key, kind: own, keys: [one], hint, ...(why === undefined ? {} : { why }) });
  }
  return [...groups.values()];
}

const placeOf = ({ owner, key }: UnreadKey): string =>
  owner === '' ? key : key.startsWith('[') ? `${owner}${key}` : `${owner}.${key}`;

/** Maximum number of places that a line lists. If there are more, their number follows. */
const MOST_PLACES = 3;

const isMaterial = ({ why }: KeyGroup): boolean => why === undefined;

/** Returns a line for each group of keys that were not converted although they may change the load. */
export const lostKeyLines = (groups: readonly KeyGroup[]): string[] =>
  groups.filter(isMaterial).map(({ key, kind: { one, many }, keys, hint }) => {
    const named = keys.slice(0, keys.length > MOST_PLACES ? MOST_PLACES - 1 : MOST_PLACES);
    const places = named.map((item) => `\`${placeOf(item)}\``).join(', ');
    const more = keys.length > named.length ? ` and ${keys.length - named.length} more` : '';
    const [{ name, file }] = keys as [UnreadKey];
    // The name of an object inside another one is omitted, because the path already contains it.
    const isInner = one.includes(' of ') || one.startsWith('the ');
    const single = isInner ? one : name === undefined ? article(one) : `${one} ${name}`;
    const owner = keys.length > 1 ? plural(keys.length, one, many) : single;
    return `\`${key}\` of ${owner} (${file}: ${places}${more})${hint === '' ? '' : `: ${hint}`}`;
  });

/** Returns a line for each reason why keys do not change the load, with these keys. */
export function harmlessKeyLines(groups: readonly KeyGroup[]): string[] {
  const reasons = new Map<string, { keys: Set<string>; places: number }>();
  for (const { key, keys, why } of groups) {
    if (why === undefined) continue;
    const known = reasons.get(why) ?? { keys: new Set(), places: 0 };
    known.keys.add(`\`${key}\``);
    known.places += keys.length;
    reasons.set(why, known);
  }
  return [...reasons].map(
    ([why, { keys, places }]) => `${[...keys].join(', ')} (${plural(places, 'place')}): ${why}`,
  );
}

/**
 * Returns a line for each key that was not converted although it may change the load, with the number of its occurrences. The most frequent
 * key comes first.
 */
export function lostKeyCounts(groups: readonly KeyGroup[]): string[] {
  const counts = new Map<string, number>();
  for (const {
    key,
    kind: { one },
    keys,
  } of groups.filter(isMaterial)) {
    const what = `${one}: ${key}`;
    counts.set(what, (counts.get(what) ?? 0) + keys.length);
  }
  return [...counts]
    .sort(([, one], [, other]) => other - one)
    .map(([what, count]) => `${String(count).padStart(6)}  ${what}`);
}
