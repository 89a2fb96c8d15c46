/** `dyno inspect` for recorded traffic: prints a summary of the requests in a file. */
import type { Problem } from '../../../common/problem';
import { DynoError } from '../../../common/problem';
import { stringifyPlain } from '../../../common/json/exact';
import { renderSurvey } from '../../../common/survey/render';
import { lossText } from '../../../common/traffic/loss';
import { formatNumber, formatPercent } from '../../../common/units/format';
import { surveyFile, type FileSurvey } from '../../traffic/inspect/survey-file';
import type { Console } from '../terminal/console';

/** Time between two lines about the progress, in ms. */
const EVERY_MS = 5000;

/** Options of `dyno inspect` that are refused for recorded traffic, because they only apply to logs of searches. */
const OF_LOGS = { type: '--type', everyShard: '--every-shard', rewrite: '--rewrite' } as const;

export interface TrafficOptions {
  type: string[];
  everyShard: boolean;
  rewrite: boolean;
  lines?: number;
  json: boolean;
}

/** Reads a file for its summary, and prints the progress if the file is long. */
export function surveyWithProgress(
  file: string,
  most: number | undefined,
  console: Console,
): Promise<FileSurvey> {
  let said = performance.now();
  return surveyFile(
    file,
    (read, of) => {
      if (performance.now() - said < EVERY_MS) return;
      said = performance.now();
      console.say(`${formatNumber(read)}${of === null ? '' : ` of ${formatNumber(of)}`} requests read`);
    },
    most,
  );
}

/** Returns the summary of a file as an object, for the output of `--json`. */
export const surveyDocument = ({ header, format, survey, losses, ended }: FileSurvey): object => ({
  format,
  header,
  ended,
  losses,
  survey,
});

/** Returns warnings about the summary: what is missing in the file or was not read. */
export function surveyWarnings({ header, losses, ended }: FileSurvey): string[] {
  return [
    ...(header.share < 1
      ? [
          `only ${formatPercent(header.share)} of the connections were recorded; shares and latency are unaffected, rates are lower`,
        ]
      : []),
    ...losses.map(lossText),
    ...(ended ? [] : ['the file has more requests: without --lines, all are read']),
  ].map((note) => `Warning: ${note}.`);
}

export async function inspectTraffic(
  file: string,
  options: TrafficOptions,
  console: Console,
): Promise<number> {
  checkOptions(options);
  const found = await surveyWithProgress(file, options.lines, console);
  if (options.json) {
    console.print(stringifyPlain({ file, ...surveyDocument(found) }));
    return 0;
  }
  console.print(`${file}: recorded traffic, format ${found.format}`);
  for (const warning of surveyWarnings(found)) console.print(warning);
  console.print(renderSurvey(found.survey, console), true);
  return 0;
}

function checkOptions(options: TrafficOptions): void {
  const problems = (Object.keys(OF_LOGS) as (keyof typeof OF_LOGS)[])
    .filter((name) => (name === 'type' ? options.type.length > 0 : options[name]))
    .map((name): Problem => ({
      code: 'inspect.option',
      path: OF_LOGS[name],
      message: 'applies only to logs of searches, and the file contains recorded traffic',
      allowed: '--lines and --json',
    }));
  if (problems.length > 0) throw new DynoError('input', problems);
}
