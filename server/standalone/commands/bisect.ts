/**
 * `dyno bisect`: finds the first bad candidate in an ordered list of definitions, versions or runs. The first candidate counts as good, the
 * last one as bad. In each step, trials of one candidate alternate with trials of the first candidate.
 */
import path from 'node:path';
import { compareCells } from '../../../common/analysis/comparison';
import { figuresOf } from '../../../common/analysis/blocks';
import { metricReader } from '../../../common/analysis/metric-reader';
import { cellsOf } from '../../../common/experiment/cells';
import { engineOf } from '../../../common/elasticsearch/engine';
import type { Definition } from '../../../common/experiment/definition';
import { makePlan, resolvePlan } from '../../../common/experiment/plan';
import { RESUMABLE_STATES, type RunDocument } from '../../../common/experiment/run';
import { startProblems } from '../../../common/experiment/starting-environment';
import { untilDecided } from '../../../common/experiment/trial-counts';
import {
  answerWord,
  nextOfBisect,
  runsBetween,
  ratioText,
  type BisectNext,
  type BisectOutcome,
  type BisectStep,
  type Known,
} from '../../../common/history/bisect';
import { renderBisectMarkdown, type BisectResult } from '../../../common/history/bisect-result';
import { pairedDefinition } from '../../../common/history/confirm';
import { canonical, effective, hashOf } from '../../../common/history/history-run';
import { definitionOfCell, differencesOf, pairOf, VARIABLE } from '../../../common/history/pair';
import { parseClaim, parseCondition } from '../../../common/measurement/condition';
import { parseMetric } from '../../../common/measurement/metric';
import type { TrialDocument } from '../../../common/measurement/trial';
import { describeProblem, DynoError, inputError } from '../../../common/problem';
import type { Scale } from '../../../common/presets/scale';
import { formatDay } from '../../../common/units/format';
import { readChange } from '../../results/confirmation';
import { createHistories } from '../../results/histories';
import { identifyCluster } from '../../target-cluster/cluster';
import { loadDefinition } from '../definition-file';
import { isEmbeddedTarget, openPlaces, type PlaceOptions, type Places } from '../host';
import { recover } from '../recover';
import { BISECT_ENDINGS, endingOf, type BisectEnding } from '../report-endings';
import { writeReport } from '../report-file';
import { findExperiment } from './history';
import { planSummary } from './plan';
import { carry, EXIT, withCarrier, type Carrier, type CommandContext } from './run';

export interface BisectOptions extends PlaceOptions {
  /** Versions of the embedded Elasticsearch, the good one first. */
  versions?: string[];
  /** Id or name of the experiment whose runs are the candidates. */
  runs?: string;
  /** Id of a run that is good. Only later runs can be the first bad one. */
  good?: string;
  /** Id of a run that is bad. Only this run or earlier runs can be the first bad one. */
  bad?: string;
  metric?: string;
  cell?: string;
  /** Smallest relative difference of the metric that counts, as a fraction from 0 to 1. */
  margin?: number;
  /** Maximum number of trials for each of the two candidates of a step. */
  most: number;
  set: string[];
  scale?: Scale;
  /** Whether to measure every comparison of two candidates again, even if an earlier bisect has stored its run. */
  anew?: boolean;
  report: string[];
  json?: boolean;
  workers?: number;
}

const CODES: Readonly<Record<BisectOutcome['answer'], number>> = { found: 0, 'cannot tell': 1 };

/** Maximum number of stored runs of one bisect that are read. */
const MOST_RUNS = 1000;

interface Candidate {
  name: string;
  /** The definition, in which no factor varies. */
  definition: Definition;
}

interface Asked {
  candidates: Candidate[];
  /** Name of the metric, in the notation of claims. */
  metric: string;
  /** Folder to which paths in the definitions are relative. */
  folder: string;
}

/** Functions that create the report, by file extension. */
const REPORTS: Readonly<Record<BisectEnding, (told: BisectResult) => string>> = {
  '.md': renderBisectMarkdown,
  '.json': (told) => JSON.stringify(told, null, 2),
};

/**
 * Returns the definition of one cell (combination of factor levels). Throws an input error if there are several cells and `cell` does not
 * name one.
 */
function oneCell(definition: Definition, cell: string | undefined, name: string): Definition {
  const cells = cellsOf(definition);
  const found = definitionOfCell(definition, cell ?? cells[0]!.id);
  if (found !== undefined && (cell !== undefined || cells.length === 1)) return found;
  throw inputError(
    'command.cell',
    '--cell',
    `${name} ${found === undefined ? 'has no such cell' : 'has several cells: name the one to bisect'}`,
    {
      found: cell ?? 'nothing',
      allowed: cells.map(({ label }) => label).join('; '),
    },
  );
}

/**
 * Returns the requested metric. If none is requested, returns the metric of the first claim or threshold. Throws an input error if the
 * definition contains neither.
 */
function metricOf({ expect, thresholds }: Definition, asked: string | undefined): string {
  if (asked !== undefined) {
    if (parseMetric(asked) !== undefined) return asked;
    throw inputError('command.metric', '--metric', 'no such metric', {
      found: asked,
      allowed: 'a metric named as in claims, such as ingest.throughput or search.latency.p95',
    });
  }
  const judged = [
    ...expect.map((text) => ({ text, read: parseClaim(text) })),
    ...thresholds.map((text) => ({ text, read: parseCondition(text) })),
  ].find(({ read }) => !('message' in read));
  if (judged !== undefined) return judged.text.trim().split(/\s/)[0]!;
  throw inputError('command.metric', '--metric', 'the definition has no claim that names a metric', {
    allowed: 'a metric named as in claims, such as ingest.throughput or search.latency.p95',
  });
}

/** Does the same as {@link loadDefinition}, but problems begin with the name of the file, because there are several files. */
async function loadNamed(file: string, options: BisectOptions): ReturnType<typeof loadDefinition> {
  try {
    return await loadDefinition(file, options);
  } catch (error) {
    if (!(error instanceof DynoError)) throw error;
    const problems = error.problems.map((one) =>
      one.path.startsWith(file) || one.path.startsWith('--') ? one : { ...one, path: `${file}, ${one.path}` },
    );
    throw new DynoError(error.kind, problems);
  }
}

async function ofFiles(files: readonly string[], options: BisectOptions): Promise<Asked> {
  const loaded = await Promise.all(files.map((file) => loadNamed(file, options)));
  const names = files.map((file) => path.basename(file));
  return {
    candidates: loaded.map(({ definition }, at) => ({
      // If files in different folders have the same name, their paths are shown.
      name: new Set(names).size === names.length ? names[at]! : files[at]!,
      definition: oneCell(definition, options.cell, files[at]!),
    })),
    metric: metricOf(loaded[0]!.definition, options.metric),
    folder: loaded[0]!.folder,
  };
}

async function ofVersions(file: string, versions: readonly string[], options: BisectOptions): Promise<Asked> {
  if (!isEmbeddedTarget(options))
    throw inputError(
      'command.versions',
      '--versions',
      'Dyno can change only the version of the embedded Elasticsearch',
      {
        allowed: 'no --elasticsearch; or definitions as candidates',
      },
    );
  const { definition, folder } = await loadDefinition(file, options);
  const own = oneCell(definition, options.cell, file);
  return {
    candidates: versions.map((version) => ({
      name: version,
      definition: { ...own, environment: { ...own.environment, version } },
    })),
    metric: metricOf(definition, options.metric),
    folder,
  };
}

/**
 * Returns the definitions of the candidate runs: the runs `good` and `bad` and all runs between them. Without these options, takes a
 * detected change: the last run before it as `good`, and the run that confirmed it as `bad`. A definition contains the measured version of
 * Elasticsearch, if Dyno can start it. Skips a run with the same definition as the run before.
 */
async function ofRuns(named: string, options: BisectOptions, places: Places): Promise<Asked> {
  const histories = createHistories(places.results);
  const experiment = await findExperiment(histories, named);
  const { metric, cell, good, bad } = options;
  const isNamed = good !== undefined && bad !== undefined;
  const change = isNamed ? undefined : await readChange({ histories }, experiment, { metric, cell });
  const history = await histories.history(experiment);
  const between = runsBetween(history.nights, {
    good: good ?? change!.before.run,
    bad: bad ?? change!.confirmed.run,
  });
  const runs = new Map(
    (await places.reader.getRuns(between.map(({ run }) => run))).map((run) => [run.run.id, run]),
  );
  const candidates: Candidate[] = [];
  for (const { run, at } of between) {
    const document = runs.get(run);
    if (document === undefined) continue;
    const definition = withVersion(
      oneCell(document.definition, change?.cell ?? cell, `run ${run}`),
      document,
      places,
    );
    const last = candidates.at(-1);
    if (last !== undefined && differencesOf(last.definition, definition).length === 0) continue;
    candidates.push({ name: `run ${run} of ${formatDay(at)}`, definition });
  }
  if (candidates.length < 2)
    throw inputError(
      'command.runs',
      '--runs',
      'these runs do not differ in anything that can be run again here',
      {
        found: between.map(({ run }) => run).join(', '),
        allowed: '--good RUN and --bad RUN, between which the definition changed',
      },
    );
  const newest = runs.get(between.at(-1)!.run)!;
  return {
    candidates,
    metric: metricOf(newest.definition, metric ?? change?.metric),
    folder: process.cwd(),
  };
}

function withVersion(definition: Definition, { provenance }: RunDocument, { clusters }: Places): Definition {
  if (clusters === undefined || provenance === null || 'version' in definition.environment) return definition;
  const { cluster } = provenance;
  // An environment without an engine means Elasticsearch.
  const engine: Record<string, string> =
    engineOf(cluster) === 'elasticsearch' ? {} : { engine: engineOf(cluster) };
  return {
    ...definition,
    environment: { ...definition.environment, ...engine, version: cluster.version },
  };
}

/** Checks the arguments. Throws an input error if they do not name at least two candidates. */
function checkAsked(files: readonly string[], { versions, runs }: BisectOptions): void {
  const isRight =
    runs !== undefined
      ? files.length === 0 && versions === undefined
      : versions === undefined
        ? files.length >= 2
        : files.length === 1 && versions.length >= 2;
  if (isRight) return;
  throw inputError('command.bisect', '', 'needs at least a good and a bad candidate', {
    found: [...files, ...(versions ?? [])].join(', ') || 'nothing',
    allowed:
      'two or more definitions, the good one first; one definition with --versions GOOD,...,BAD; or --runs EXPERIMENT',
  });
}

/** Settings that all comparisons of one bisect share. */
interface Bisect extends Asked {
  /**
   * Experiment id of all runs of this bisect. It depends only on the arguments and the cluster. Therefore, a later bisect with the same
   * arguments finds these runs.
   */
  id: string;
  name: string;
  most: number;
  margin: number;
}

const tagOf = (candidate: number): string => `bisect step ${candidate}`;

/**
 * Returns the definition of the run that compares a candidate with the first candidate (the good one). Throws an input error if the two
 * candidates differ in settings that cannot vary within a run.
 */
function stepDefinition(bisect: Bisect, { candidate, relation, size }: BisectStep): Definition {
  const { candidates, metric, most, margin, name } = bisect;
  const [good, own] = [candidates[0]!, candidates[candidate]!];
  const pair = pairOf(good.definition, own.definition);
  if (pair === null || pair.leftOut.length > 0)
    throw inputError(
      'command.bisect',
      own.name,
      `differs from ${good.name} in settings that cannot vary within a run`,
      {
        found: (pair?.leftOut ?? differencesOf(good.definition, own.definition).map((one) => one.path)).join(
          ', ',
        ),
        allowed: `candidates that differ only in: ${VARIABLE.join(', ')}`,
      },
    );
  const { tags } = pair.definition;
  return pairedDefinition(
    { ...pair, definition: { ...pair.definition, margin, tags: [...tags, tagOf(candidate)] } },
    {
      name,
      hypothesis: `Bisect: the first cell is ${good.name}, the second ${own.name}.`,
      claim: { metric, relation, size },
      least: Math.min(LEAST, most),
      most,
    },
  );
}

const LEAST = 3;

/** Returns the comparison of the candidate with the first candidate, from the trials of their run. */
function answerIn(
  run: RunDocument,
  trials: readonly TrialDocument[],
  metric: string,
): Exclude<Known, string> {
  const plan = resolvePlan(run);
  const { read } = metricReader(parseMetric(metric)!, plan, trials);
  const { comparisons } = compareCells(figuresOf(plan, trials, read), [[1, 0]], run.definition);
  return comparisons[0]!;
}

interface StepRun {
  run: string;
  answer: Exclude<Known, string>;
}

/**
 * Executes `dyno bisect`. Resolves to the exit code: 0 if the first bad candidate was found, 1 if the result is undecided, 3 if a run did
 * not complete. Rejects with an input error for wrong arguments.
 */
export async function bisect(
  files: readonly string[],
  options: BisectOptions,
  context: CommandContext,
): Promise<number> {
  const { console } = context;
  checkAsked(files, options);
  const { versions, runs } = options;
  const given =
    runs !== undefined
      ? undefined
      : versions === undefined
        ? await ofFiles(files, options)
        : await ofVersions(files[0]!, versions, options);
  const places = await openPlaces(options, console, context);
  try {
    await recover(places, console);
    const asked = given ?? (await ofRuns(runs!, options, places));
    const { uuid } = await identifyCluster(places.target);
    const margin = options.margin ?? asked.candidates[0]!.definition.margin;
    const { metric, candidates } = asked;
    const identity = {
      metric,
      margin,
      most: options.most,
      uuid,
      of: candidates.map(({ definition }) => effective(definition)),
    };
    const own: Bisect = {
      ...asked,
      id: `bisect-${hashOf(canonical(identity))}`,
      name: `Bisect of ${candidates[0]!.definition.name}`.slice(0, 150),
      most: options.most,
      margin,
    };
    checkSteps(own, places);
    return await withCarrier(asked.folder, places, options, context, (carrier) =>
      search(own, carrier, places, options, context),
    );
  } finally {
    await places.close();
  }
}

/** Checks the runs of all comparisons before the first run starts. Throws an input error if one of these runs could not be executed. */
function checkSteps(own: Bisect, { clusters }: Places): void {
  for (let candidate = 1; candidate < own.candidates.length; candidate += 1) {
    if (knownWithoutRun(own, candidate) !== undefined) continue;
    const step: BisectStep = { candidate, relation: 'stays', size: '', from: 0, to: 0 };
    const definition = stepDefinition(own, step);
    const plan = makePlan(definition);
    const environments = new Set(plan.cells.map(({ definition: of }) => canonical(of.environment)));
    if (clusters === undefined && environments.size > 1)
      throw inputError(
        'command.bisect',
        own.candidates[candidate]!.name,
        'has another environment than the good end, and Dyno cannot change the environment of this target',
        {
          allowed:
            'definitions with the same environment, or the embedded Elasticsearch, whose version, nodes and heap Dyno sets',
        },
      );
    const problems = startProblems(plan.cells, {}, clusters !== undefined);
    if (problems.length > 0) throw new DynoError('input', problems);
  }
}

/**
 * Returns the result for a candidate if it is clear without a run: 'as good' if its definition equals that of the first candidate, 'as bad'
 * if it equals that of the last one. Undefined if a run is necessary.
 */
function knownWithoutRun({ candidates }: Bisect, at: number): Known | undefined {
  const isLike = (end: number): boolean =>
    differencesOf(candidates[end]!.definition, candidates[at]!.definition).length === 0;
  if (isLike(0)) return 'as good';
  return at < candidates.length - 1 && isLike(candidates.length - 1) ? 'as bad' : undefined;
}

async function search(
  own: Bisect,
  carrier: Carrier,
  places: Places,
  options: BisectOptions,
  { console }: CommandContext,
): Promise<number> {
  const begun = new Date().toISOString();
  const names = own.candidates.map(({ name }) => name);
  const steps = new Map<number, StepRun & { text: string }>();
  const answers = new Map<number, Known>(
    names.flatMap((_, at) => {
      const known = at === 0 ? undefined : knownWithoutRun(own, at);
      return known === undefined ? [] : [[at, known]];
    }),
  );
  console.say(`${own.name} by ${own.metric}, from ${names[0]} (good) to ${names.at(-1)} (bad): ${own.id}`);
  for (;;) {
    const next: BisectNext = nextOfBisect(names, answers, own);
    if ('outcome' in next) return await conclude(next.outcome);
    const { step } = next;
    const name = names[step.candidate]!;
    const open =
      step.relation === 'stays'
        ? 'do the ends differ?'
        : `the first bad one is one of ${names.slice(step.from, step.to + 1).join(', ')}`;
    console.say(`\nstep ${steps.size + 1}: ${name} against ${names[0]}: ${open}`);
    const found = await stepRun(step);
    if (found === null) {
      console.say('Run the same command again to continue with the remaining steps.');
      return EXIT.notCarriedOut;
    }
    const text = answerWord(step, found.answer);
    steps.set(step.candidate, { ...found, text });
    answers.set(step.candidate, found.answer);
    const { ratio, adjusted } = found.answer;
    console.say(`${name} against ${names[0]}: ${ratioText(ratio, adjusted)}: ${text} (run ${found.run})`);
  }

  /** Executes the run of one comparison, or reads the stored run of an earlier bisect. Resolves to null if the run did not complete. */
  async function stepRun(step: BisectStep): Promise<StepRun | null> {
    const definition = stepDefinition(own, step);
    const kept = (await places.reader.listRuns({ limit: MOST_RUNS, experiment: own.id })).filter(
      (document) =>
        document.definition.tags.includes(tagOf(step.candidate)) &&
        canonical(document.definition.expect) === canonical(definition.expect) &&
        (options.anew !== true || document.run.started >= begun),
    );
    const done = kept.find(({ run }) => run.state === 'completed');
    if (done !== undefined) {
      console.say(`already measured by run ${done.run.id}`);
      return stepOf(done, await places.reader.getTrials(done.run.id));
    }
    // Only the newest run is resumed. If it was cancelled, a new run starts.
    const [halfway] = kept.filter((_, at) => at === 0);
    const resumed =
      halfway !== undefined && RESUMABLE_STATES.includes(halfway.run.state) ? halfway : undefined;
    if (resumed === undefined)
      console.say(planSummary(makePlan(definition), untilDecided(definition.trials) !== null));
    else console.say(`resuming run ${resumed.run.id}`);
    const result = await carry(
      carrier,
      ({ queue, actor }, view) =>
        resumed === undefined
          ? queue.start({ definition, experimentId: own.id }, actor, view)
          : queue.resume(resumed.run.id, actor, {}, view),
      console,
    );
    const { run } = result.run;
    if (run.state === 'completed') return stepOf(result.run, result.trials);
    console.warn(`run ${run.id} ${run.state}: ${run.reason}`);
    return null;
  }

  function stepOf(run: RunDocument, trials: readonly TrialDocument[]): StepRun {
    return { run: run.run.id, answer: answerIn(run, trials, own.metric) };
  }

  async function conclude(outcome: BisectOutcome): Promise<number> {
    const told: BisectResult = {
      bisect: own.id,
      name: own.name,
      metric: own.metric,
      margin: own.margin,
      candidates: names.map((name, at) => {
        const step = steps.get(at);
        const known = answers.get(at);
        return {
          name,
          run: step?.run ?? null,
          ratio: step?.answer.ratio ?? null,
          interval: step?.answer.adjusted ?? null,
          trials: step?.answer.n ?? null,
          answer: at === 0 ? 'the good end' : (step?.text ?? (typeof known === 'string' ? known : 'not run')),
        };
      }),
      first: outcome.answer === 'found' ? outcome.first : null,
      between:
        outcome.answer === 'cannot tell' && outcome.why === 'between'
          ? { from: outcome.from, to: outcome.to }
          : null,
      answer: outcome.answer,
      sentence: outcome.sentence,
    };
    let isWritten = true;
    for (const file of options.report) {
      try {
        await writeReport(file, () => REPORTS[endingOf(file, BISECT_ENDINGS)](told));
        console.say(`report: ${path.resolve(file)}`);
      } catch (error) {
        if (!(error instanceof DynoError)) throw error;
        error.problems.forEach((problem) => console.warn(describeProblem(problem)));
        isWritten = false;
      }
    }
    console.print(options.json === true ? JSON.stringify(told) : `\n${outcome.sentence}`);
    return isWritten ? CODES[outcome.answer] : EXIT.notCarriedOut;
  }
}
