/** How raw lines are parsed into documents: by Dyno's parser threads, or by an ingest pipeline of the target. */
import { stringifyPlain } from '../json/exact';
import * as z from 'zod';
import { writtenAt, type FormRow, type Written } from '../fields/form';
import { count, keysAtMost, LONGEST_LIST } from '../fields/schema';
import { LINE_GENERATORS } from '../generators/registry';
import { compileGrok } from '../grok/compile';
import { compileDateFormat, DATE_FORMS } from '../grok/date-format';
import { showValue, type Problem } from '../problem';
import { plural } from '../units/format';
import { generatorOf, givesLines, profileOf, type SourceDefinition } from './source';

/** Longest pattern, in characters. */
const LONGEST_PATTERN = 10_000;

/** Largest total length of the expressions of a task after expanding its custom patterns, in characters. */
const LONGEST_EXPANSION = 200_000;

const pattern = z.string().min(1).max(LONGEST_PATTERN);

export const parseSchema = z.strictObject({
  /**
   * Parser of the lines. `workers`: Dyno's parser threads. `pipeline`: an ingest pipeline of the target with the same patterns. Dyno
   * creates this pipeline for each trial and deletes it afterwards. If the process dies, Dyno deletes the pipeline at the next start.
   */
  by: z.enum(['workers', 'pipeline']).default('workers'),
  /**
   * Number of parser threads for all clients and load threads together. Only for `by: workers`. The default is 1.
   * @example 2
   */
  workers: count(1, 64).optional(),
  /**
   * A grok pattern, or a list of grok patterns. From a list, the first pattern that matches a line supplies the fields. Supported are
   * `%{NAME}`, `%{NAME:field}`, `%{NAME:field:type}` (type `int`, `long`, `float`, `double` or `boolean`), and `(?<field>...)`. Everything
   * else is interpreted as a JavaScript regular expression.
   * @example '%{COMBINEDAPACHELOG}'
   */
  pattern: z.union([pattern, z.array(pattern).min(1).max(20)], {
    error: 'a grok pattern, or a list of grok patterns',
  }),
  /**
   * Custom patterns by name. Custom patterns can use other custom patterns, and override built-in patterns of the same name.
   * @example { STORE: 'store-%{INT}' }
   */
  patterns: keysAtMost(
    pattern,
    LONGEST_LIST,
    z.string().regex(/^[A-Za-z0-9_]+$/, { error: 'letters, digits and _' }),
  ).default({}),
  /**
   * Field of the line that contains its time. By default, the time of a document is the time when the line is parsed.
   * @example { field: timestamp, format: 'dd/MMM/yyyy:HH:mm:ss Z' }
   */
  timestamp: z
    .strictObject({
      /**
       * Name of the field that contains the time. A pattern must define this field.
       * @example timestamp
       */
      field: z.string().min(1),
      /**
       * Format of the time: `ISO8601`, `UNIX`, `UNIX_MS`, or a date pattern of Java.
       * @example dd/MMM/yyyy:HH:mm:ss Z
       */
      format: z.string().min(1),
    })
    .optional(),
  /**
   * Handling of lines that match no pattern. `tag`: they are stored with `tags: _grokparsefailure`. `drop`: they are not sent (only with
   * `by: workers`). In both cases, the report shows their number.
   */
  'on-failure': z.enum(['tag', 'drop']).default('tag'),
});

export type ParseDefinition = z.output<typeof parseSchema>;

export const patternsOf = ({ pattern: given }: Pick<ParseDefinition, 'pattern'>): readonly string[] =>
  typeof given === 'string' ? [given] : given;

/** Returns the number of parser threads; null if an ingest pipeline of the target parses the lines. */
export const parsersOf = ({ by, workers }: Pick<ParseDefinition, 'by' | 'workers'>): number | null =>
  by === 'workers' ? (workers ?? 1) : null;

/** Returns a phrase for the plan: `parsed by 2 parser threads`. */
export const parseText = (parse: ParseDefinition): string => {
  const parsers = parsersOf(parse);
  return parsers === null
    ? 'parsed by an ingest pipeline of the target'
    : `parsed by ${plural(parsers, 'parser thread')}`;
};

/** Job of the parser threads, as plain data. */
export interface ParseJob {
  /** Number of parser threads, for all load threads together. */
  workers: number;
  /** Grok patterns in the order in which they are tried. */
  patterns: string[];
  /** Custom patterns by name. */
  definitions: Record<string, string>;
  timestamp: { field: string; format: string } | null;
  /** Handling of lines that match no pattern. */
  onFailure: 'tag' | 'drop';
}

/** Returns the job of the parser threads. Null if an ingest pipeline of the target parses the lines, or if they are not parsed. */
export function parseJob(parse: ParseDefinition | undefined): ParseJob | null {
  const workers = parse === undefined ? null : parsersOf(parse);
  if (parse === undefined || workers === null) return null;
  return {
    workers,
    patterns: [...patternsOf(parse)],
    definitions: parse.patterns,
    timestamp: parse.timestamp ?? null,
    onFailure: parse['on-failure'],
  };
}

interface ParsedWork {
  source: SourceDefinition;
  parse: ParseDefinition;
  pipeline?: string;
}

/** Returns problems with keys that cannot be combined with `parse`, and all errors in its patterns. */
export function parseProblems({ source, parse, pipeline }: ParsedWork, path: string): Problem[] {
  const problems: Problem[] = [];
  if (!givesLines(source)) {
    problems.push({
      code: 'definition.parse-source',
      path: `${path}.source`,
      message: 'the documents are not raw lines, so they cannot be parsed',
      found:
        source.vectors === undefined
          ? (generatorOf(source) ?? profileOf(source) ?? `format: ${source.format}`)
          : 'vectors',
      allowed: `format: lines, or generator: ${LINE_GENERATORS.join(', ')}`,
    });
  }
  if (parse.by === 'pipeline' && pipeline !== undefined) {
    problems.push({
      code: 'definition.parse-pipeline',
      path: `${path}.pipeline`,
      message: 'a document goes through one pipeline, and parsing already uses one',
      found: pipeline,
      allowed: 'parse by: workers, or no other pipeline',
    });
  }
  if (parse.by === 'pipeline' && parse['on-failure'] === 'drop') {
    problems.push({
      code: 'definition.parse-drop',
      path: `${path}.parse.on-failure`,
      message: 'a dropped document is acknowledged, so Dyno could not verify the number of stored documents',
      found: 'drop',
      allowed: 'tag, or parse by: workers',
    });
  }
  return [...problems, ...checkPatterns(parse, `${path}.parse`)];
}

/**
 * Results of checks. The key is made of the patterns. All combinations of factor levels need the same checks, so their results are cached.
 */
const checked = new Map<string, readonly Problem[]>();
const MOST_CHECKED = 100;

function checkPatterns(parse: ParseDefinition, path: string): readonly Problem[] {
  const key = stringifyPlain([parse.pattern, parse.patterns, parse.timestamp, path]);
  const known = checked.get(key);
  if (known) return known;
  if (checked.size >= MOST_CHECKED) checked.clear();
  const problems = findWrongPatterns(parse, path);
  checked.set(key, problems);
  return problems;
}

function findWrongPatterns(parse: ParseDefinition, path: string): Problem[] {
  const problems = new Map<string, Problem>();
  const patterns = patternsOf(parse);
  const allowance = { left: LONGEST_EXPANSION };
  const fields = new Set<string>();
  patterns.forEach((pattern, place) => {
    const own = `${path}.pattern${typeof parse.pattern === 'string' ? '' : `[${place}]`}`;
    const { compiled, problems: found } = compileGrok(pattern, parse.patterns, allowance);
    for (const { pattern: name, ...problem } of found) {
      const where = name === '' ? own : name in parse.patterns ? `${path}.patterns.${name}` : own;
      problems.set(`${where} ${problem.message} ${problem.found}`, {
        code: 'definition.pattern',
        path: where,
        ...problem,
      });
    }
    for (const { name } of compiled?.fields ?? []) fields.add(name);
  });
  // Unused patterns can have errors, too.
  for (const [name, pattern] of Object.entries(parse.patterns)) {
    if (allowance.left < 0) {
      const message = 'the patterns are too long after expanding each other';
      const allowed = `${LONGEST_EXPANSION} characters in total`;
      return [{ code: 'definition.pattern', path: `${path}.patterns`, message, allowed }];
    }
    const { problems: found } = compileGrok(`(?<probe>${pattern})`, parse.patterns, allowance);
    for (const { pattern: within, ...problem } of found) {
      const where = `${path}.patterns.${within === '' || !(within in parse.patterns) ? name : within}`;
      const key = `${where} ${problem.message} ${problem.found}`;
      if (!problems.has(key)) problems.set(key, { code: 'definition.pattern', path: where, ...problem });
    }
  }
  const ownProblems = [...problems.values()];
  return ownProblems.length > 0 ? ownProblems : checkTimestamp(parse, [...fields], path);
}

function checkTimestamp({ timestamp }: ParseDefinition, fields: readonly string[], path: string): Problem[] {
  if (timestamp === undefined) return [];
  const problems: Problem[] = [];
  if (!fields.includes(timestamp.field)) {
    problems.push({
      code: 'definition.parse-timestamp',
      path: `${path}.timestamp.field`,
      message: 'no pattern has this field',
      found: showValue(timestamp.field),
      allowed: fields.join(', '),
    });
  }
  if (compileDateFormat(timestamp.format) === undefined) {
    problems.push({
      code: 'definition.parse-timestamp',
      path: `${path}.timestamp.format`,
      message: 'not a time format',
      found: showValue(timestamp.format),
      allowed: DATE_FORMS,
    });
  }
  return problems;
}

const FIRST_PATTERN = '%{COMBINEDAPACHELOG}';

/** Returns the choice in the form that matches the parser of the lines: the value of the key `by`. Undefined if lines are not parsed. */
const parserOf = (work: Written): unknown =>
  work['parse'] === undefined ? undefined : (writtenAt(work, 'parse')['by'] ?? 'workers');

const isParsed = (work: Written): boolean => work['parse'] !== undefined;
const isByWorkers = (work: Written): boolean => parserOf(work) === 'workers';

/** Returns whether the source generates lines that can be parsed. */
function hasLines(work: Written): boolean {
  const { format, generator } = writtenAt(work, 'source');
  return format === 'lines' || LINE_GENERATORS.includes(String(generator));
}

const parsedBy = (by: 'workers' | 'pipeline') => (work: Written) =>
  isParsed(work)
    ? [
        // A pipeline has no threads, and the form would no longer show their number.
        ...(by === 'pipeline' && 'workers' in writtenAt(work, 'parse') ? [{ key: 'parse.workers' }] : []),
        { key: 'parse.by', value: by },
      ]
    : [{ key: 'parse', value: { by, pattern: FIRST_PATTERN } }];

export const PARSE_ROWS: readonly FormRow[] = [
  {
    kind: 'ways',
    key: 'parse',
    shown: (work) => hasLines(work) || isParsed(work),
    label: { id: 'dyno.editor.parse.by', text: 'Lines are parsed by' },
    ways: [
      {
        value: 'nobody',
        text: { id: 'dyno.editor.parse.nobody', text: 'Not parsed: each line is stored unchanged' },
        is: (work) => !isParsed(work),
        writes: () => [{ key: 'parse' }],
      },
      {
        value: 'workers',
        text: { id: 'dyno.editor.parse.workers', text: 'Dyno’s parser threads' },
        is: isByWorkers,
        writes: parsedBy('workers'),
      },
      {
        value: 'pipeline',
        text: { id: 'dyno.editor.parse.pipeline', text: 'An ingest pipeline on the target' },
        is: (work) => parserOf(work) === 'pipeline',
        writes: parsedBy('pipeline'),
      },
    ],
  },
  {
    kind: 'group',
    shown: isParsed,
    rows: [
      {
        kind: 'lines',
        key: 'parse.pattern',
        alone: true,
        placeholder: FIRST_PATTERN,
        label: { id: 'dyno.editor.parse.pattern', text: 'Grok patterns' },
        help: {
          id: 'dyno.editor.parse.patternHelp',
          text: 'One per line. The first pattern that matches supplies the fields.',
        },
      },
      [
        {
          kind: 'number',
          key: 'parse.workers',
          shown: isByWorkers,
          min: 1,
          max: 64,
          placeholder: '1',
          label: { id: 'dyno.editor.parse.threads', text: 'Parser threads' },
        },
        {
          kind: 'choice',
          key: 'parse.on-failure',
          shown: (work) => isByWorkers(work) || writtenAt(work, 'parse')['on-failure'] !== undefined,
          fallback: 'tag',
          label: { id: 'dyno.editor.parse.onFailure', text: 'Lines that do not match' },
          options: [
            { value: 'tag', text: { id: 'dyno.editor.parse.tag', text: 'are stored with a tag' } },
            { value: 'drop', text: { id: 'dyno.editor.parse.drop', text: 'are skipped' } },
          ],
        },
      ],
      [
        {
          kind: 'text',
          key: 'parse.timestamp.field',
          placeholder: 'timestamp',
          label: { id: 'dyno.editor.parse.timeField', text: 'Field with the time' },
          help: { id: 'dyno.editor.parse.timeHelp', text: 'The default is the time of parsing.' },
        },
        {
          kind: 'text',
          key: 'parse.timestamp.format',
          code: true,
          placeholder: 'dd/MMM/yyyy:HH:mm:ss Z',
          label: { id: 'dyno.editor.parse.timeFormat', text: 'Time format' },
        },
      ],
      {
        kind: 'structure',
        key: 'parse.patterns',
        lines: 2,
        optional: true,
        placeholder: "ORDER: '[A-Z]{2}-%{INT}'",
        label: { id: 'dyno.editor.parse.own', text: 'Your own patterns by name, as YAML or JSON' },
      },
    ],
  },
];
