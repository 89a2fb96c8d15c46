/** `dyno inspect`: shows the contents of recorded traffic or of a log of searches, before an experiment replays it. */
import { stringifyPlain } from '../../../common/json/exact';
import type { LineExample } from '../../../common/measurement/replay';
import { REWRITE_NAMES, REWRITES, type Construct } from '../../../common/replay/constructs';
import type { LogFormat } from '../../../common/replay/formats/registry';
import { renderSearches } from '../../../common/survey/render';
import { formatDuration, formatNumber, formatPercent, plural } from '../../../common/units/format';
import { detectFormat } from '../../load/sources/detect-format';
import { inspectLog, lostNote, otherKindNote, type LogFacts } from '../../load/sources/inspect-log';
import { recordedFormat } from '../../traffic-file/read-traffic';
import type { Console } from '../terminal/console';
import { inspectTraffic, surveyWithProgress } from './inspect-traffic';

export interface InspectOptions {
  /** Format of the log; by default, detected from the first lines. */
  format?: LogFormat;
  /** Types of searches to count; all by default. */
  type: string[];
  everyShard: boolean;
  rewrite: boolean;
  /** Number of lines or requests to read; the whole file by default. */
  lines?: number;
  /** Whether the result is printed as JSON. */
  json: boolean;
}

const timesOf = ({ first, last, busiestSecond, account }: LogFacts): string[] => {
  if (account.sent === 0) return ['No search was read.'];
  if (first === null || last === null) return ['No line has a time, so there is no recorded pace.'];
  const seconds = (last - first) / 1000;
  const mean = seconds === 0 ? '' : `, ${formatNumber(account.sent / seconds)} per second on average`;
  return [
    `Recorded from ${new Date(first).toISOString()} to ${new Date(last).toISOString()}: ` +
      `${formatDuration(last - first)}${mean}, at most ${formatNumber(busiestSecond)} in one second.`,
  ];
};

const section = (title: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : ['', title, ...lines.map((line) => `  ${line}`)];

const examplesOf = (examples: readonly LineExample[]): string[] =>
  examples.map(({ line, reason, text }) => `line ${line} ${reason}: ${text}`);

const isRewrite = (name: string): name is keyof typeof REWRITES => name in REWRITES;

/** Returns one text line for each entry of `counts`, with its share of `lines`. The highest count comes first. */
const countsOf = (counts: Readonly<Record<string, number>>, lines: number): string[] =>
  Object.entries(counts)
    .sort(([, a], [, b]) => b - a)
    .map(([name, count]) => {
      const text = `${formatNumber(count).padStart(12)}  ${formatPercent(count / lines).padStart(6)}  ${name === '' ? '(none)' : name}`;
      return isRewrite(name) ? `${text}: ${REWRITES[name]}` : text;
    });

export async function inspect(file: string, options: InspectOptions, console: Console): Promise<number> {
  const { format: given, type, everyShard, rewrite, lines, json } = options;
  if (given === undefined && (await recordedFormat(file)) !== null)
    return inspectTraffic(file, options, console);
  const format = given ?? (await detectFormat(file));
  const facts = await inspectLog(
    { kind: 'file', file },
    {
      format,
      types: type.length === 0 ? null : new Set(type),
      everyShard,
      timed: false,
      route: null,
      rewrite: new Set<Construct>(rewrite ? REWRITE_NAMES : []),
      accept: new Set<Construct>(),
    },
    lines,
  );
  // The summary reads the log in the detected format and describes all searches as they were recorded. So it is only made without options
  // that name another format, or that select or change searches.
  const isWhole = given === undefined && type.length === 0 && !everyShard && !rewrite;
  const found = isWhole && facts.account.sent > 0 ? await surveyWithProgress(file, lines, console) : null;
  if (json) {
    console.print(stringifyPlain({ file, format, log: facts, survey: found?.survey ?? null }));
    return 0;
  }
  const { account } = facts;
  const output = [
    `${file}: ${plural(account.lines, 'line')}${facts.ended ? '' : ' read so far; the log has more'}, ` +
      `format ${format}${given === undefined ? ' (detected)' : ''}`,
    `${formatNumber(account.sent)} would be sent, ${formatNumber(account.otherType)} of other types, ` +
      `${formatNumber(account.repeated)} of other shards, indices and phases, ${formatNumber(account.malformed)} malformed, ` +
      `${formatNumber(account.refused)} refused; ${formatNumber(account.rewritten)} rewritten.`,
    ...timesOf(facts),
    ...[lostNote(facts), otherKindNote(facts)].filter(Boolean).map((note) => `Warning: ${note}.`),
    ...(account.outOfOrder === 0
      ? []
      : [`${plural(account.outOfOrder, 'line is', 'lines are')} out of order.`]),
    ...section('Types', countsOf(facts.types, account.lines)),
    ...section('Rewritten by these rules', countsOf(account.rules, account.lines)),
    ...section('Refused for', countsOf(account.refusals, account.lines)),
    ...section('The first malformed lines', examplesOf(account.malformedExamples)),
    ...section('The first refused lines', examplesOf(account.refusedExamples)),
  ];
  for (const line of output) console.print(line);
  if (found !== null) {
    console.print('');
    console.print(
      renderSearches(found.survey, {
        width: console.width,
        colour: console.colour,
        isTimed: facts.first !== null,
      }),
      true,
    );
  }
  return 0;
}
