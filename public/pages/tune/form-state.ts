/** State of the form for an automatic tuning, and the request that the form sends. */
import { parseExact, stringifyExact } from '../../../common/json/exact';
import { GOALS, type Concession, type Goal } from '../../../common/tuning/choices';
import type { tuningOptionsSchema } from '../../../common/tuning/tuning';
import type * as z from 'zod';
import { GENERATOR_NAMES } from '../../../common/generators/registry';
import { messageOf, type Problem } from '../../../common/problem';

export const SUBJECTS = ['index', 'experiment', 'own'] as const;
export type Subject = (typeof SUBJECTS)[number];

export interface TuneForm {
  subject: Subject;
  target: string;
  /** Name of an index in the target. */
  index: string;
  /** Whether the tuning also measures searches while documents are indexed. */
  searches: boolean;
  /** Body of the search as JSON; '' for a default search. */
  search: string;
  /** Id of a saved experiment. */
  experiment: string;
  /** The user's own mapping as JSON. '' for the default mapping of the chosen generator. */
  mapping: string;
  settings: string;
  /** Name of a generator of documents; '' if the documents come from a file. */
  generator: string;
  file: string;
  goal: Goal;
  /** Limits for other metrics, one per line, such as `queries.latency.p95 at most +10%`. '' for the default limits of the goal. */
  limits: string;
  time: string;
  trial: string;
  freshness: string;
  allow: Concession[];
  hourPrice: string;
}

export const emptyForm = (): TuneForm => ({
  subject: 'index',
  target: 'local',
  index: '',
  searches: false,
  search: '',
  experiment: '',
  mapping: '',
  settings: '{ "number_of_shards": 1, "number_of_replicas": 0 }',
  generator: GENERATOR_NAMES[0]!,
  file: '',
  goal: GOALS[0],
  limits: '',
  time: '30m',
  trial: '',
  freshness: '30s',
  allow: [],
  hourPrice: '',
});

const lines = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);

export type AskedOptions = z.input<typeof tuningOptionsSchema>;

export function optionsOf({
  goal,
  limits,
  time,
  trial,
  freshness,
  allow,
  hourPrice,
}: TuneForm): AskedOptions {
  const named = lines(limits);
  return {
    goal,
    ...(named.length === 0 ? {} : { limits: named }),
    time,
    ...(trial === '' ? {} : { trial }),
    freshness,
    allow,
    ...(goal !== 'cost' || hourPrice === '' ? {} : { prices: { hour: Number(hourPrice) } }),
  };
}

/** Parses the JSON in the field `path` of the form. The value of an empty text is undefined. For an invalid text, returns a problem. */
export function jsonOf(text: string, path: string): { value: unknown } | { problem: Problem } {
  if (text.trim() === '') return { value: undefined };
  try {
    return { value: parseExact(text) };
  } catch (error) {
    return { problem: { code: 'tuning.json', path, message: `is no JSON: ${messageOf(error)}` } };
  }
}

/**
 * Returns the text of a definition that uses the user's own mapping, settings and documents. If a field contains invalid JSON, returns the
 * problems.
 */
export function ownText(form: TuneForm): { text: string } | { problems: Problem[] } {
  const mapping = jsonOf(form.mapping, 'mapping');
  const settings = jsonOf(form.settings, 'settings');
  const search = jsonOf(form.searches ? form.search : '', 'search');
  const problems = [mapping, settings, search].flatMap((one) => ('problem' in one ? [one.problem] : []));
  if ('problem' in mapping || 'problem' in settings || 'problem' in search) return { problems };
  const definition = {
    version: 1,
    name: form.generator === '' ? form.file : form.generator,
    target: form.target,
    index: {
      name: 'dyno-tuning',
      settings: settings.value ?? {},
      ...(mapping.value === undefined ? {} : { mapping: mapping.value }),
    },
    tasks: [
      {
        name: 'ingest',
        ingest: {
          source: form.generator === '' ? { file: form.file, repeat: true } : { generator: form.generator },
          bulk: { docs: 1000 },
        },
        executor: { 'constant-clients': { clients: 2 } },
      },
      ...(form.searches
        ? [
            {
              name: 'queries',
              search: { requests: [{ name: 'search', body: search.value ?? { size: 10 } }] },
              executor: { 'constant-clients': { clients: 1 } },
            },
          ]
        : []),
    ],
  };
  return { text: stringifyExact(definition, 2) };
}
