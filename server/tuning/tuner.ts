/**
 * Executes tunings. A tuning looks for better settings with a series of experiments, its *stages*. This class starts the experiment that
 * `common/tuning` decides on, waits until its run has ended, and then asks for the next decision.
 *
 * The state of a tuning is one document. The document is stored before each action, so that a restarted process continues with this action.
 * Each stage is an ordinary experiment with one run, in the same queue as all other runs.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { nextStep } from '../../common/tuning/decide';
import { usualLimits } from '../../common/tuning/goal';
import type { TargetKnown } from '../../common/tuning/knobs';
import { planTuning, stageDefinition, withTrials } from '../../common/tuning/plan';
import {
  readRequest,
  type StageRecord,
  type StoredRun,
  type Tuning,
  type TuningOptions,
  type TuningPlan,
  type TuningRequest,
} from '../../common/tuning/tuning';
import { FINAL_STATES, type RunDocument } from '../../common/experiment/run';
import { formatYaml } from '../../common/experiment/document';
import type { Definition } from '../../common/experiment/definition';
import { readDefinitionText } from '../../common/experiment/read';
import { DynoError, inputError, messageOf, type Problem } from '../../common/problem';
import { thisProcess, type ProcessIdentity } from '../process-life';
import { sampleIn } from './draft';
import type { Leases } from '../results/leases';
import { isGone, isKnownGone } from '../run/active-run/active-run';
import type { ResultsReader } from '../results/reader';
import type { RunService } from '../run/queue/queue';

/** A stored tuning, with the process that executes it. */
export interface KeptTuning {
  tuning: Tuning;
  carrier: ProcessIdentity;
}

/** Stores tunings. All methods reject with the errors of the storage. */
export interface TuningStore {
  list(): Promise<KeptTuning[]>;
  get(id: string): Promise<KeptTuning | undefined>;
  /** Creates a tuning. Returns false if a tuning with this id exists. */
  create(kept: KeptTuning): Promise<boolean>;
  /**
   * Applies `change` to the newest version of the tuning. `change` returns undefined if nothing is to be changed. Returns undefined if no
   * tuning has this id.
   */
  update(id: string, change: (kept: KeptTuning) => KeptTuning | undefined): Promise<KeptTuning | undefined>;
  /** Deletes a tuning if it exists. */
  delete(id: string): Promise<void>;
}

export interface TunerParts {
  store: TuningStore;
  /**
   * Leases in the results cluster, which show which process executes a run or a tuning. A tuning has its own lease, in addition to the
   * leases of its runs.
   */
  leases: Pick<Leases, 'take' | 'renew' | 'release'>;
  runs: Pick<RunService, 'start' | 'cancel' | 'resume' | 'progress' | 'delete'>;
  reader: Pick<ResultsReader, 'getRun' | 'getTrials' | 'listRuns'>;
  /**
   * Stores one experiment of a tuning. `text`: its definition as YAML. `definition`: the same definition, parsed. Returns the id of the
   * experiment.
   */
  keepExperiment(text: string, definition: Definition): Promise<string>;
  /** Removes an experiment of a tuning if it exists. */
  removeExperiment(id: string): Promise<void>;
  /**
   * If the definition uses a file with a sample of documents from an existing index, marks this file as used by a tuning. Without this
   * mark, the file would be removed after a day.
   */
  takeSample(definition: Definition): Promise<void>;
  /**
   * Removes the file with the sample of documents that this definition uses, unless another experiment needs it. `stages`: ids of the
   * tuning's own experiments, which no longer need the file. Returns whether a file was removed.
   */
  removeSample(definition: Definition, stages: readonly string[]): Promise<boolean>;
  /** Returns facts about the target. Rejects with a DynoError. */
  describe(target: string): Promise<TargetKnown>;
  /** Checks a definition. Rejects with a DynoError if this installation of Dyno does not allow it. */
  check(definition: Definition): Promise<void>;
  onProblem(problem: Problem): void;
  /** Called when an experiment of the tuning begins, and when the tuning has ended. */
  onChange?(tuning: Tuning): void;
}

/** Interval in ms at which the tuner checks whether a run in another process has ended. */
const LOOK_MS = 2000;
/**
 * Interval in ms at which the lease of a tuning (the right of one process to execute it) is renewed. Another process may take the lease
 * only after three intervals without a renewal.
 */
const RENEW_MS = 15_000;
/** Number of consecutive failed reads of the results after which the tuning gives up. This many reads take a few minutes. */
const PATIENCE = 100;

export const newTuningId = (now: Date): string =>
  `tuning-${now.toISOString().replaceAll(/[-:]/g, '').slice(0, 15).toLowerCase()}-${Math.random().toString(36).slice(2, 6)}`;

const isOwn = ({ carrier }: KeptTuning): boolean => {
  const own = thisProcess();
  return carrier.host === own.host && carrier.instance === own.instance;
};

const hasCode = (error: unknown, code: string): boolean => error instanceof DynoError && error.code === code;

/** Returns whether the error means that another process has taken the tuning. */
export const isClaimed = (error: unknown): boolean => hasCode(error, 'tuning.claimed');

/**
 * Converts a definition to the request for a tuning: which settings it may change, and with which goal. The definition contains the current
 * settings.
 */
export function readAsked(definition: Definition, options: TuningOptions): TuningRequest {
  return withTrials(readRequest(definition, options, usualLimits(options.goal, definition)));
}

export class Tuner {
  private readonly running = new Map<string, Promise<void>>();
  private closed = false;

  constructor(private readonly parts: TunerParts) {}

  /** Plans a tuning. Rejects with a DynoError if it is impossible on this target or needs more time than allowed. */
  async plan(
    definition: Definition,
    options: TuningOptions,
  ): Promise<{ plan: TuningPlan; limits: string[] }> {
    const { plan, request } = await this.prepare(definition, options);
    return { plan, limits: request.limits };
  }

  /** Starts a tuning. Rejects with the errors of `plan`. */
  async start(definition: Definition, options: TuningOptions, id = newTuningId(new Date())): Promise<Tuning> {
    const { plan, request, target } = await this.prepare(definition, options);
    const now = new Date();
    const tuning: Tuning = {
      id,
      name: `Tuning of ${definition.name}`.slice(0, 150),
      state: 'running',
      reason: '',
      created: now.toISOString(),
      ended: null,
      request,
      target,
      plan,
      stages: [],
      outcome: null,
    };
    await this.underLease(id, async () => {
      if (!(await this.parts.store.create({ tuning, carrier: thisProcess() })))
        throw inputError('tuning.twice', '', 'another tuning began at the same moment: try again');
      await this.parts.takeSample(definition);
      return true;
    });
    return tuning;
  }

  /** Resumes the tunings whose processes have ended. Returns a sentence for the user about each resumed tuning. */
  async takeUp(): Promise<string[]> {
    const notes: string[] = [];
    for (const { tuning, carrier } of await this.parts.store.list()) {
      if (tuning.state !== 'running' || !isKnownGone(carrier)) continue;
      try {
        await this.resume(tuning.id);
        notes.push(`${tuning.name} continues`);
      } catch (error) {
        if (!isClaimed(error)) throw error;
      }
    }
    return notes;
  }

  /** Resumes a tuning. Rejects with `tuning.not-found`, `tuning.not-running`, or `tuning.claimed` if another process executes it. */
  async resume(id: string): Promise<Tuning> {
    const isResumable = ({ tuning: { state } }: KeptTuning): boolean =>
      state !== 'completed' && state !== 'cancelled';
    const found = await this.find(id);
    if (!isResumable(found)) throw notRunning(found);
    let resumed = found;
    await this.underLease(id, async () => {
      resumed =
        (await this.parts.store.update(id, (kept) =>
          isResumable(kept)
            ? {
                tuning: { ...kept.tuning, state: 'running', reason: '', ended: null },
                carrier: thisProcess(),
              }
            : undefined,
        )) ?? found;
      return isResumable(resumed);
    });
    return resumed.tuning;
  }

  /** Cancels a tuning. Rejects with a DynoError: `tuning.not-found` or `tuning.not-running`. */
  async cancel(id: string): Promise<Tuning> {
    const { tuning } = await this.find(id);
    if (tuning.state !== 'running')
      throw inputError('tuning.not-running', '', `the tuning is ${tuning.state} by now`);
    const kept = await this.parts.store.update(id, (found) => ({
      ...found,
      tuning: { ...found.tuning, state: 'cancelled', reason: 'cancelled', ended: new Date().toISOString() },
    }));
    const run = kept?.tuning.stages.at(-1)?.run;
    if (run !== undefined && run !== '') {
      const found = await this.parts.reader.getRun(run);
      if (found !== undefined && !FINAL_STATES.includes(found.run.state))
        await this.parts.runs.cancel(run, 'its tuning was cancelled');
    }
    return kept?.tuning ?? tuning;
  }

  /**
   * Deletes a tuning that is not running, with its sample of documents. `runs`: whether the experiments of the tuning and their runs are
   * deleted too. An interrupted deletion can be repeated. Rejects with a DynoError: `tuning.not-found`, `tuning.running`, or an error of
   * deleting a run.
   */
  async delete(id: string, runs: 'keep' | 'delete'): Promise<{ deletedRuns: number; sample: boolean }> {
    const { tuning } = await this.find(id);
    if (tuning.state === 'running')
      throw inputError('tuning.running', '', 'the tuning is running: cancel it first');
    const { store, reader, removeExperiment, removeSample } = this.parts;
    const stages = tuning.stages.map(({ experiment }) => experiment);
    let deletedRuns = 0;
    if (runs === 'delete')
      for (const { run, experiment } of tuning.stages) {
        if (run !== '' && (await reader.getRun(run)) !== undefined) {
          await this.parts.runs.delete(run);
          deletedRuns += 1;
        }
        await removeExperiment(experiment);
      }
    const others = (await store.list()).filter((kept) => kept.tuning.id !== id);
    const file = sampleIn(tuning.request.definition);
    const isShared = others.some((kept) => sampleIn(kept.tuning.request.definition) === file);
    const sample = file !== undefined && !isShared && (await removeSample(tuning.request.definition, stages));
    await store.delete(id);
    return { deletedRuns, sample };
  }

  async list(): Promise<Tuning[]> {
    const all = (await this.parts.store.list()).map(({ tuning }) => tuning);
    return all.sort((a, b) => (a.created < b.created ? 1 : -1));
  }

  async get(id: string): Promise<Tuning> {
    return (await this.find(id)).tuning;
  }

  /** Waits until a tuning has ended. Also resolves when this process no longer executes the tuning. */
  async ended(id: string): Promise<Tuning> {
    await this.running.get(id);
    return this.get(id);
  }

  /** Ends the work of this process without cancelling tunings: no more experiments are started. The next process resumes the tunings. */
  async close(): Promise<void> {
    this.closed = true;
    await Promise.all(this.running.values());
  }

  private async find(id: string): Promise<KeptTuning> {
    const found = await this.parts.store.get(id);
    if (found === undefined)
      throw inputError('tuning.not-found', 'id', 'no such tuning exists', { found: id });
    return found;
  }

  private async prepare(
    definition: Definition,
    options: TuningOptions,
  ): Promise<{ request: TuningRequest; target: TargetKnown; plan: TuningPlan }> {
    await this.parts.check(definition);
    const request = readAsked(definition, options);
    const target = await this.parts.describe(definition.target);
    return { request, target, plan: planTuning(request, target) };
  }

  /**
   * Takes the lease of the tuning (the right of one process to execute it), calls `begin`, and executes the tuning if `begin` returns true.
   * Rejects with `tuning.claimed` if another process has the lease.
   */
  private async underLease(id: string, begin: () => Promise<boolean>): Promise<void> {
    const { leases } = this.parts;
    if (this.running.has(id)) throw claimed(id);
    try {
      await leases.take(id, thisProcess(), isGone);
    } catch (error) {
      throw hasCode(error, 'run.claimed') ? claimed(id) : error;
    }
    let begun = false;
    try {
      begun = await begin();
    } finally {
      if (begun) this.carry(id);
      else await this.release(id);
    }
  }

  /** Releases the lease of the tuning. Never rejects, because a lease that is not released has no effect once its process has ended. */
  private async release(id: string): Promise<void> {
    await this.parts.leases.release(id, thisProcess()).catch((error: unknown) => this.report(id, error));
  }

  private report(id: string, error: unknown): void {
    this.parts.onProblem({ code: 'tuning.failed', path: '', message: `${id}: ${messageOf(error)}` });
  }

  private carry(id: string): void {
    // A failed renewal is repeated at the next interval. `own` detects if another process has taken the tuning in the meantime.
    const renewing = setInterval(() => {
      this.parts.leases.renew(id, thisProcess()).catch(() => undefined);
    }, RENEW_MS);
    const work = this.execute(id)
      .catch(async (error: unknown) => {
        if (this.closed) return;
        await this.end(id, { state: 'failed', reason: messageOf(error) });
      })
      .catch((error: unknown) => this.report(id, error))
      .finally(() => clearInterval(renewing))
      .then(() => this.release(id))
      .finally(() => this.running.delete(id));
    this.running.set(id, work);
  }

  private async end(id: string, parts: Pick<Tuning, 'state' | 'reason'> & Partial<Tuning>): Promise<void> {
    const kept = await this.parts.store.update(id, (found) =>
      found.tuning.state !== 'running' || !isOwn(found)
        ? undefined
        : { ...found, tuning: { ...found.tuning, ...parts, ended: new Date().toISOString() } },
    );
    if (kept && isOwn(kept)) this.parts.onChange?.(kept.tuning);
  }

  /** Executes the tuning until it has ended or another process has taken it. */
  private async execute(id: string): Promise<void> {
    const { reader } = this.parts;
    const runs = new Map<string, StoredRun>();
    for (;;) {
      const tuning = await this.own(id);
      if (tuning === undefined) return;
      const last = tuning.stages.at(-1);
      if (last?.run === '') {
        await this.begin(tuning, last);
        continue;
      }
      if (last !== undefined) {
        const run = await this.untilEnded(id, last.run);
        if (run === undefined) return;
        if (run.run.state !== 'completed')
          return await this.end(id, {
            state: run.run.state === 'cancelled' ? 'cancelled' : 'failed',
            reason: `its run ${last.run} is ${run.run.state}${run.run.reason === '' ? '' : `: ${run.run.reason}`}`,
          });
      }
      for (const { run: runId } of tuning.stages) {
        if (runs.has(runId)) continue;
        const run = await reader.getRun(runId);
        if (run === undefined)
          return await this.end(id, { state: 'failed', reason: `its run ${runId} was removed` });
        runs.set(runId, { run, trials: await reader.getTrials(runId) });
      }
      const step = nextStep(tuning, runs);
      if (step.kind === 'end')
        return await this.end(id, { state: 'completed', reason: '', outcome: step.outcome });
      const definition = readDefinitionText(this.textOf(tuning, step.stage), 'definition');
      const experiment = await this.parts.keepExperiment(this.textOf(tuning, step.stage), definition);
      const kept = await this.keepStages(id, [...tuning.stages, { ...step.stage, run: '', experiment }]);
      if (kept) this.parts.onChange?.(kept);
    }
  }

  private textOf(tuning: Tuning, stage: Parameters<typeof stageDefinition>[1]): string {
    return formatYaml(withoutUndefined({ ...stageDefinition(tuning, stage), 'on-interruption': 'continue' }));
  }

  private async keepStages(id: string, stages: StageRecord[]): Promise<Tuning | undefined> {
    const kept = await this.parts.store.update(id, (found) =>
      isOwn(found) ? { ...found, tuning: { ...found.tuning, stages } } : undefined,
    );
    return kept?.tuning;
  }

  /** Starts the run of an experiment of the tuning, unless an earlier process has already started it. */
  private async begin(tuning: Tuning, stage: StageRecord): Promise<void> {
    const { reader, runs } = this.parts;
    const [begun] = await reader.listRuns({ experiment: stage.experiment, limit: 1 });
    const before = { ...tuning, stages: tuning.stages.slice(0, -1) };
    const definition = readDefinitionText(this.textOf(before, stage), 'definition');
    const run =
      begun?.run.id ??
      (await runs.start({ definition, experimentId: stage.experiment, asked: 'manually' })).run;
    const kept = await this.keepStages(tuning.id, [...before.stages, { ...stage, run }]);
    // The tuning was cancelled while its run was starting.
    if (kept?.state !== 'running') await runs.cancel(run, 'its tuning was cancelled');
    else this.parts.onChange?.(kept);
  }

  /** Returns the tuning if this process executes it. Undefined if the tuning has ended or another process executes it. */
  private async own(id: string): Promise<Tuning | undefined> {
    if (this.closed) return undefined;
    const found = await this.parts.store.get(id);
    return found && isOwn(found) && found.tuning.state === 'running' ? found.tuning : undefined;
  }

  /** Waits for the end of a run and returns it. Undefined if this process no longer executes the tuning. */
  private async untilEnded(id: string, runId: string): Promise<RunDocument | undefined> {
    const { reader, runs } = this.parts;
    let failures = 0;
    for (;;) {
      if (this.closed) return undefined;
      if (runs.progress(runId) === null) {
        try {
          const found = await reader.getRun(runId);
          failures = 0;
          const state = found?.run.state;
          if (found !== undefined && state !== undefined && FINAL_STATES.includes(state)) {
            if (state !== 'interrupted') return found;
            if (this.closed || (await this.own(id)) === undefined) return undefined;
            // The process of the run has ended. Resuming keeps the completed trials.
            await runs.resume(runId);
          }
        } catch (error) {
          failures += 1;
          if (failures >= PATIENCE) throw error;
        }
      }
      await sleep(LOOK_MS);
    }
  }
}

const claimed = (id: string): Error =>
  inputError('tuning.claimed', '', 'another process is executing the tuning', { found: id });

const notRunning = ({ tuning: { state } }: KeptTuning): Error =>
  inputError('tuning.not-running', '', `the tuning is ${state}`);

/** Removes keys with the value undefined, which YAML cannot express. */
const withoutUndefined = (value: object): object =>
  Object.fromEntries(Object.entries(value).filter(([, inner]) => inner !== undefined));
