/** `dyno run` and `dyno resume`: run an experiment and print its report. */
import { parseStartingEnvironment, startProblems } from '../../../common/experiment/starting-environment';
import { failedTrials, type RunDocument } from '../../../common/experiment/run';
import { makePlan, resolvePlan } from '../../../common/experiment/plan';
import { untilDecided } from '../../../common/experiment/trial-counts';
import type { Scale } from '../../../common/presets/scale';
import { describeProblem, DynoError, messageOf } from '../../../common/problem';
import { profiledIn } from '../../../common/profile/events';
import { plural } from '../../../common/units/format';
import { renderTerminal } from '../../../common/report/render/terminal';
import { inTime } from '../../results/patience';
import { neighboursFolder } from '../../host/files/neighbours';
import { RunQueue, type Actor, type RunResult, type Started } from '../../run/queue/queue';
import type { CollectorFiles } from '../collector/files';
import { loadDefinition } from '../definition-file';
import { quotedCertification } from '../../certify/kept';
import {
  allowedHosts,
  dataFolder,
  isEmbeddedTarget,
  openPlaces,
  type PlaceOptions,
  type Places,
} from '../host';
import { COMMAND } from '../how-called';
import { recover } from '../recover';
import { sayReports, writeReports } from '../report-file';
import type { Console } from '../terminal/console';
import { ONCE_MORE, onSignal } from '../terminal/signals';
import { plainView, terminalView, type LiveView } from '../terminal/live-view';
import { askForEnvironment, findResumable, keptWhere, resumption } from './next-environment';
import { clusterSentences, planSummary } from './plan';
import { reportOf, shownProfiles } from './reports';

export interface RunCommandOptions extends PlaceOptions {
  set: string[];
  scale?: Scale;
  /** Labels of the current environment, as `name=value`. */
  environment: string[];
  report: string[];
  workers?: number;
  /** Number of processes that together generate the load; shorthand for `--set load.seats=`. */
  seats?: number;
  /** Maximum number of trials that may fail without an effect on the exit code. Default: 0. */
  allowFailedTrials?: number;
}

export interface CommandContext extends CollectorFiles {
  console: Console;
  version: string;
  workerFile: string;
}

export const EXIT = { good: 0, thresholdFailed: 1, notCarriedOut: 3, waits: 4, trialsFailed: 5 } as const;

/** Writes the report files, then prints the report. Returns whether all files were written. */
async function report(
  { run, trials }: RunResult,
  places: Places,
  files: readonly string[],
  console: Console,
): Promise<boolean> {
  const { id } = run.run;
  const isAway = places.writer.isAway();
  const readOr = async <T>(otherwise: T, lacks: string, read: Promise<T>): Promise<T> =>
    (isAway ? inTime(read) : read).catch((error: unknown) => {
      console.warn(`the report has no ${lacks}: ${messageOf(error)}`);
      return otherwise;
    });
  const samples = await readOr([], 'timeline', places.reader.getSeriesSamples(id));
  const isProfiled = resolvePlan(run).cells.some(
    ({ definition }) => profiledIn(definition.measure) !== undefined,
  );
  const profiles = isProfiled
    ? await readOr(undefined, 'flame chart', shownProfiles(places.reader, id))
    : undefined;
  const built = reportOf(run, trials, samples, profiles);
  const reports = await writeReports(files, built);
  console.print(renderTerminal(built, { width: console.width, colour: console.colour }), true);
  return sayReports(reports, run.run.id, console);
}

type Options = Pick<
  RunCommandOptions,
  'report' | 'workers' | 'elasticsearch' | 'results' | 'fromTarget' | 'allowFailedTrials'
>;

/** The queue that executes runs, and the identity with which runs access clusters. */
export interface Carrier {
  queue: RunQueue;
  actor: Actor;
}

export type Begin = (carrier: Carrier, view: LiveView) => Promise<Started>;

/**
 * Starts a run with `begin`, and shows its progress. Resolves when the run has ended or waits for its next environment. A signal, such as
 * Ctrl-C, cancels the run.
 */
export async function carry(carrier: Carrier, begin: Begin, console: Console): Promise<RunResult> {
  const view: LiveView = console.interactive ? terminalView(process.stderr) : plainView(console.say);
  let run = '';
  let asked = '';
  const cancel = (): void => {
    if (run === '' || asked === '') return;
    carrier.queue.cancel(run, asked).catch((error: unknown) => console.warn(messageOf(error)));
  };
  const release = onSignal(
    (signal) => {
      console.say(`\n${signal}: ending the run and cleaning up${ONCE_MORE[signal]}`);
      asked = `cancelled by ${signal}`;
      cancel();
    },
    () => process.exit(EXIT.notCarriedOut),
  );
  try {
    const started = await begin(carrier, view);
    run = started.run;
    cancel();
    return await started.done;
  } finally {
    view.close();
    release();
  }
}

/** Creates a queue that executes runs one after the other, and calls `use` with it. Closes the queue afterwards. */
export async function withCarrier<T>(
  folder: string,
  places: Places,
  { workers }: Pick<RunCommandOptions, 'workers'>,
  { console, version, workerFile }: CommandContext,
  use: (carrier: Carrier) => Promise<T>,
): Promise<T> {
  const { reader, writer, results, resultsUuid, target, connectSource, clusters } = places;
  const queue = new RunQueue({
    workerFile,
    neighboursFolder: neighboursFolder(dataFolder()),
    workers,
    version,
    certification: () => quotedCertification(dataFolder()),
    allowedHosts: allowedHosts(),
    onProblem: (problem) =>
      (problem.code === 'run.leftovers' ? console.say : console.warn)(describeProblem(problem)),
  });
  const actor: Actor = {
    reader,
    writer,
    results,
    resultsUuid,
    folder,
    connect: () => Promise.resolve(target.to(target.urls)),
    connectSource,
    clusters: () => clusters,
    close: () => Promise.resolve(),
  };
  try {
    return await use({ queue, actor });
  } finally {
    await queue.close('the command ends');
  }
}

/** Outcome of a run. */
export interface CarriedOut {
  /** Result of the run. Null if the run waits for an environment and no user sets up this environment now. */
  result: RunResult | null;
  /** Exit code of `dyno run`. */
  code: number;
}

/** Executes a run and reports it. Resolves to its result and the exit code. */
export const carryOut = (
  begin: Begin,
  folder: string,
  places: Places,
  options: Options,
  context: CommandContext,
): Promise<CarriedOut> =>
  withCarrier(folder, places, options, context, async (carrier) => {
    const result = await untilItsEnd(carrier, begin, places, options, context.console);
    const code = result === null ? EXIT.waits : await conclude(result, places, options, context.console);
    return { result, code };
  });

/**
 * Executes a run in all its environments. Resolves to null if the run waits for an environment and no user sets up this environment now.
 */
async function untilItsEnd(
  carrier: Carrier,
  begin: Begin,
  places: Places,
  options: Options,
  console: Console,
): Promise<RunResult | null> {
  let result = await carry(carrier, begin, console);
  while (result.run.run.state === 'waiting') {
    if (!(await askForEnvironment(result.run, places, options, console))) return null;
    const { id } = result.run.run;
    try {
      result = await carry(carrier, ({ queue, actor }, view) => queue.resume(id, actor, {}, view), console);
    } catch (error) {
      // No trial has started in this environment yet, so the user can correct the environment and try again.
      if (!(error instanceof DynoError)) throw error;
      for (const problem of error.problems) console.warn(describeProblem(problem));
    }
  }
  return result;
}

/** Writes and prints the report, with warnings and advice. Resolves to the exit code. */
async function conclude(
  result: RunResult,
  places: Places,
  options: Options,
  console: Console,
): Promise<number> {
  const isWritten = await report(result, places, options.report, console);
  const { spooled, dropped } = places.writer.stats();
  if (spooled > 0)
    console.warn(`${plural(spooled, 'document')} wait in the spool: the next start of Dyno stores them`);
  if (dropped > 0) console.warn(`${dropped} samples were lost: the spool was full`);
  console.say(`\nTo show this report again: ${COMMAND} report ${result.run.run.id}${keptWhere(options)}`);
  const { state, reason } = result.run.run;
  if (state !== 'completed') console.warn(`run ${state}: ${reason}`);
  if (state === 'failed' || state === 'interrupted')
    console.say(`To resume with the remaining trials: ${resumption(result.run.run.id, options)}`);
  const failed = failedTrials(result.run);
  if (failed > 0)
    console.warn(
      `run completed with failures: ${failed} of ${plural(result.run.progress.trials, 'trial')} failed; --allow-failed-trials ${failed} accepts that`,
    );
  const code = exitCodeOf(result.run, options.allowFailedTrials);
  return code === EXIT.good && !isWritten ? EXIT.notCarriedOut : code;
}

/**
 * Returns the exit code of a run that has ended. The code for failed trials takes precedence over the code for a threshold that is not met.
 */
export function exitCodeOf(
  run: Pick<RunDocument, 'run' | 'progress' | 'verdict'>,
  allowedFailures = 0,
): number {
  if (run.run.state !== 'completed') return EXIT.notCarriedOut;
  if (failedTrials(run) > allowedFailures) return EXIT.trialsFailed;
  const broken = run.verdict?.thresholds.some(({ passed }) => !passed) ?? false;
  return broken ? EXIT.thresholdFailed : EXIT.good;
}

export async function run(
  file: string,
  options: RunCommandOptions,
  context: CommandContext,
): Promise<number> {
  const { definition, folder } = await loadDefinition(file, {
    ...options,
    set: [...options.set, ...(options.seats === undefined ? [] : [`load.seats=${options.seats}`])],
  });
  const begins = parseStartingEnvironment(options.environment);
  const plan = makePlan(definition, begins);
  context.console.say(`${definition.name}: ${planSummary(plan, untilDecided(definition.trials) !== null)}`);
  const isEmbedded = isEmbeddedTarget(options);
  // The problems are reported before the embedded Elasticsearch starts. The queue would find the same problems only after this start.
  const problems = startProblems(plan.cells, begins, isEmbedded);
  if (problems.length > 0) throw new DynoError('input', problems);
  if (isEmbedded) {
    for (const sentence of clusterSentences(plan)) context.console.say(sentence);
  }
  const places = await openPlaces(options, context.console, context);
  try {
    await recover(places, context.console);
    const begin: Begin = ({ queue, actor }, view) => queue.start({ definition, begins }, actor, view);
    return (await carryOut(begin, folder, places, options, context)).code;
  } finally {
    await places.close();
  }
}

/** Resumes a run that was interrupted or waits for an environment. Completed trials are not repeated. */
export async function resume(
  id: string,
  options: Omit<RunCommandOptions, 'set' | 'scale' | 'environment'>,
  context: CommandContext,
): Promise<number> {
  const places = await openPlaces(options, context.console, context);
  try {
    await recover(places, context.console);
    const { run: found } = await findResumable(places.reader, id);
    const begin: Begin = ({ queue, actor }, view) => queue.resume(found.id, actor, {}, view);
    return (await carryOut(begin, process.cwd(), places, options, context)).code;
  } finally {
    await places.close();
  }
}
