/** `dyno run`, `dyno start`, `dyno resume`: an experiment from its definition to its report. */
import path from 'node:path';
import { parseStartingEnvironment, startProblems } from '../../../common/experiment/starting-environment';
import { makePlan } from '../../../common/experiment/plan';
import { findPreset } from '../../../common/presets';
import type { Scale } from '../../../common/presets/preset';
import { describeProblem, DynoError, messageOf } from '../../../common/problem';
import { buildReport } from '../../../common/report/model/build';
import { renderTerminal } from '../../../common/report/render/terminal';
import { inTime } from '../../results/patience';
import { RunQueue, type Actor, type RunResult, type Started } from '../../run/queue/queue';
import type { CollectorFiles } from '../collector/files';
import { loadDefinition } from '../definition-file';
import { allowedHosts, isEmbeddedTarget, openPlaces, type PlaceOptions, type Places } from '../host';
import { recover } from '../recover';
import { writeReport } from '../report-file';
import type { Console } from '../terminal/console';
import { plainView, terminalView, type LiveView } from '../terminal/live-view';
import { askForEnvironment, findResumable, keptWhere } from './next-environment';
import { clusterSentences, planSummary } from './plan';

export interface RunCommandOptions extends PlaceOptions {
  set: string[];
  scale?: Scale;
  /** `name=value`: labels of the environment that stands now. */
  environment: string[];
  report: string[];
  workers?: number;
}

export interface CommandContext extends CollectorFiles {
  console: Console;
  version: string;
  workerFile: string;
}

const EXIT = { good: 0, thresholdFailed: 1, notCarriedOut: 3, waits: 4 } as const;

/** Ctrl-C once: orderly; twice: at once. Returns what takes the handlers away. */
function onInterrupt(cancel: (reason: string) => void, console: Console): () => void {
  let asked = false;
  const handler = (signal: NodeJS.Signals): void => {
    if (asked) process.exit(EXIT.notCarriedOut);
    asked = true;
    console.say(`\n${signal}: ending the run and cleaning up; press again to end at once`);
    cancel(`cancelled by ${signal}`);
  };
  process.on('SIGINT', handler);
  process.on('SIGTERM', handler);
  return () => {
    process.off('SIGINT', handler);
    process.off('SIGTERM', handler);
  };
}

async function report(
  { run, trials }: RunResult,
  places: Places,
  files: readonly string[],
  console: Console,
): Promise<void> {
  const read = places.reader.getSamples({ run: run.run.id });
  const samples = await (places.writer.isAway() ? inTime(read) : read).catch((error: unknown) => {
    console.warn(`the report has no timeline: ${messageOf(error)}`);
    return [];
  });
  const published = findPreset(run.experiment.preset ?? '')?.published ?? null;
  const built = buildReport(run, trials, { published, samples });
  console.print(renderTerminal(built, { width: console.width, colour: console.colour }));
  for (const file of files) {
    await writeReport(file, built);
    console.say(`report: ${path.resolve(file)}`);
  }
}

type Options = Pick<RunCommandOptions, 'report' | 'workers' | 'elasticsearch' | 'results'>;

/** The queue of one run, and as whom it is carried. */
interface Carrier {
  queue: RunQueue;
  actor: Actor;
}

type Begin = (carrier: Carrier, view: LiveView) => Promise<Started>;

/** Carries a run until it ends, or waits for its next environment. */
async function carry(carrier: Carrier, begin: Begin, console: Console): Promise<RunResult> {
  const view: LiveView = console.interactive ? terminalView(process.stderr) : plainView(console.say);
  let run = '';
  let asked = '';
  const cancel = (): void => {
    if (run === '' || asked === '') return;
    carrier.queue.cancel(run, asked).catch((error: unknown) => console.warn(messageOf(error)));
  };
  const release = onInterrupt((reason) => {
    asked = reason;
    cancel();
  }, console);
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

/** Carries a run out in opened places, as far as it gets without somebody; resolves to the exit code. */
async function carryOut(
  begin: Begin,
  folder: string,
  places: Places,
  options: Options,
  { console, version, workerFile }: CommandContext,
): Promise<number> {
  const { reader, writer, results, resultsUuid, target, clusters } = places;
  const queue = new RunQueue({
    workerFile,
    workers: options.workers,
    version,
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
    clusters: () => clusters,
    close: () => Promise.resolve(),
  };
  try {
    const result = await untilItsEnd({ queue, actor }, begin, places, options, console);
    return result === null ? EXIT.waits : await conclude(result, places, options, console);
  } finally {
    await queue.close('the command ends');
  }
}

/** Null where the run waits for an environment that nobody sets up now. */
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
      // Nothing has begun there: the user can fix it.
      if (!(error instanceof DynoError)) throw error;
      for (const problem of error.problems) console.warn(describeProblem(problem));
    }
  }
  return result;
}

/** Reports what was found; resolves to the exit code. */
async function conclude(
  result: RunResult,
  places: Places,
  options: Options,
  console: Console,
): Promise<number> {
  await report(result, places, options.report, console);
  const { spooled, dropped } = places.writer.stats();
  if (spooled > 0)
    console.warn(`${spooled} documents wait in the spool and will be stored by the next start`);
  if (dropped > 0) console.warn(`${dropped} samples were lost: the spool was full`);
  console.say(`\nAgain: npm run dyno -- report ${result.run.run.id}${keptWhere(options)}`);
  if (result.run.run.state !== 'completed') {
    console.warn(`run ${result.run.run.state}: ${result.run.run.reason}`);
    return EXIT.notCarriedOut;
  }
  const failed = result.run.verdict?.thresholds.some(({ passed }) => !passed) ?? false;
  return failed ? EXIT.thresholdFailed : EXIT.good;
}

export async function run(
  file: string,
  options: RunCommandOptions,
  context: CommandContext,
): Promise<number> {
  const { definition, folder } = await loadDefinition(file, options);
  const begins = parseStartingEnvironment(options.environment);
  const plan = makePlan(definition, begins);
  context.console.say(`${definition.name}: ${planSummary(plan)}`);
  const isEmbedded = isEmbeddedTarget(options);
  // The queue would say the same, once the embedded Elasticsearch is up.
  const problems = startProblems(plan.cells, begins, isEmbedded);
  if (problems.length > 0) throw new DynoError('input', problems);
  if (isEmbedded) {
    for (const sentence of clusterSentences(plan)) context.console.say(sentence);
  }
  const places = await openPlaces(options, context.console, context);
  try {
    await recover(places, context.console);
    const begin: Begin = ({ queue, actor }, view) => queue.start({ definition, begins }, actor, view);
    return await carryOut(begin, folder, places, options, context);
  } finally {
    await places.close();
  }
}

/** Goes on with a run that was interrupted or waits for an environment: the trials that are done stay as they are. */
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
    return await carryOut(begin, process.cwd(), places, options, context);
  } finally {
    await places.close();
  }
}
