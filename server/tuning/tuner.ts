/**
 * Carries tunings: starts the experiment that `common/advice` names, waits until its run has ended, and asks again. What is known lies in
 * one document, which is written before each step, so that a restart goes on where it was; each stage is an ordinary experiment
 * and run, carried by the same queue as any other.
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

/** A tuning as it is kept, with who carries it. */
export interface KeptTuning {
  tuning: Tuning;
  carrier: ProcessIdentity;
}

/** Keeps tunings. All reject as the host's storage does. */
export interface TuningStore {
  list(): Promise<KeptTuning[]>;
  get(id: string): Promise<KeptTuning | undefined>;
  /** False if there is one of that id. */
  create(kept: KeptTuning): Promise<boolean>;
  /** Changes the newest state of it; undefined if there is none. `change` gives undefined to leave it as it is. */
  update(id: string, change: (kept: KeptTuning) => KeptTuning | undefined): Promise<KeptTuning | undefined>;
  /** Nothing where there is none. */
  delete(id: string): Promise<void>;
}

export interface TunerParts {
  store: TuningStore;
  /** Of what processes carry in the results cluster: a tuning has one in its own name, beside those of its runs. */
  leases: Pick<Leases, 'take' | 'renew' | 'release'>;
  runs: Pick<RunService, 'start' | 'cancel' | 'resume' | 'progress' | 'delete'>;
  reader: Pick<ResultsReader, 'getRun' | 'getTrials' | 'listRuns'>;
  /** Keeps the experiment of a stage; its id. */
  keepExperiment(text: string, definition: Definition): Promise<string>;
  /** Removes the experiment of a stage, if it is there. */
  removeExperiment(id: string): Promise<void>;
  /** The sample of documents that was made for this definition, if there is one, is no draft's any more. */
  takeSample(definition: Definition): Promise<void>;
  /**
   * Removes the sample of documents that was made for this definition, unless an experiment that is none of `stages` reads it. Whether
   * there was one.
   */
  removeSample(definition: Definition, stages: readonly string[]): Promise<boolean>;
  /** What the target tells of itself. Rejects with a DynoError. */
  describe(target: string): Promise<TargetKnown>;
  /** Rejects with a DynoError where the definition may not run here. */
  check(definition: Definition): Promise<void>;
  onProblem(problem: Problem): void;
  /** Called when a stage begins, and when the tuning has ended. */
  onChange?(tuning: Tuning): void;
}

/** How often is looked whether a run has ended that this process does not carry, ms. */
const LOOK_MS = 2000;
/** How often the lease is renewed, ms: three times before another process may take it. */
const RENEW_MS = 15_000;
/** Reads of the results that fail in a row before a tuning gives up, some minutes in all. */
const PATIENCE = 100;

export const newTuningId = (now: Date): string =>
  `tuning-${now.toISOString().replaceAll(/[-:]/g, '').slice(0, 15).toLowerCase()}-${Math.random().toString(36).slice(2, 6)}`;

const isOwn = ({ carrier }: KeptTuning): boolean => {
  const own = thisProcess();
  return carrier.host === own.host && carrier.instance === own.instance;
};

const hasCode = (error: unknown, code: string): boolean => error instanceof DynoError && error.code === code;

/** Whether somebody else has taken the tuning. */
export const isClaimed = (error: unknown): boolean => hasCode(error, 'tuning.claimed');

/** Read a definition as a tuning takes it: its first cell, which is what is now. */
export function readAsked(definition: Definition, options: TuningOptions): TuningRequest {
  return withTrials(readRequest(definition, options, usualLimits(options.goal, definition)));
}

export class Tuner {
  private readonly going = new Map<string, Promise<void>>();
  private closed = false;

  constructor(private readonly parts: TunerParts) {}

  /** Rejects with a DynoError where it cannot be tuned here, or not within its time. */
  async plan(
    definition: Definition,
    options: TuningOptions,
  ): Promise<{ plan: TuningPlan; limits: string[] }> {
    const { plan, request } = await this.prepare(definition, options);
    return { plan, limits: request.limits };
  }

  /** Rejects as `plan` does. */
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
        throw inputError('tuning.twice', '', 'another tuning began at this moment: try again');
      await this.parts.takeSample(definition);
      return true;
    });
    return tuning;
  }

  /** Goes on with tunings whose process has ended. Resolves to sentences for the user. */
  async takeUp(): Promise<string[]> {
    const notes: string[] = [];
    for (const { tuning, carrier } of await this.parts.store.list()) {
      if (tuning.state !== 'running' || !isKnownGone(carrier)) continue;
      try {
        await this.resume(tuning.id);
        notes.push(`${tuning.name} goes on`);
      } catch (error) {
        if (!isClaimed(error)) throw error;
      }
    }
    return notes;
  }

  /** Rejects with a DynoError: `tuning.not-found`, `tuning.not-running`, or `tuning.claimed` where another process carries it. */
  async resume(id: string): Promise<Tuning> {
    const mayGoOn = ({ tuning: { state } }: KeptTuning): boolean =>
      state !== 'completed' && state !== 'cancelled';
    const found = await this.find(id);
    if (!mayGoOn(found)) throw notRunning(found);
    let resumed = found;
    await this.underLease(id, async () => {
      resumed =
        (await this.parts.store.update(id, (kept) =>
          mayGoOn(kept)
            ? {
                tuning: { ...kept.tuning, state: 'running', reason: '', ended: null },
                carrier: thisProcess(),
              }
            : undefined,
        )) ?? found;
      return mayGoOn(resumed);
    });
    return resumed.tuning;
  }

  /** Rejects with a DynoError: `tuning.not-found`, or `tuning.not-running`. */
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
   * Removes a tuning that does not go on, with the sample of documents that it kept; `runs`: with its experiments and their runs, too. The
   * tuning itself goes last, so that a removal which was cut off can be asked for again. Rejects with a DynoError: `tuning.not-found`,
   * `tuning.running`, or as the removal of a run does.
   */
  async delete(id: string, runs: 'keep' | 'delete'): Promise<{ deletedRuns: number; sample: boolean }> {
    const { tuning } = await this.find(id);
    if (tuning.state === 'running')
      throw inputError('tuning.running', '', 'the tuning goes on: cancel it first');
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

  /** Resolves when it goes on here no more. */
  async ended(id: string): Promise<Tuning> {
    await this.going.get(id);
    return this.get(id);
  }

  /** Starts nothing more; what goes on is taken up by the next process. */
  async close(): Promise<void> {
    this.closed = true;
    await Promise.all(this.going.values());
  }

  private async find(id: string): Promise<KeptTuning> {
    const found = await this.parts.store.get(id);
    if (found === undefined)
      throw inputError('tuning.not-found', 'id', 'there is no such tuning', { found: id });
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

  /** Has it carried from here on where `begin` says so, under its lease. */
  private async underLease(id: string, begin: () => Promise<boolean>): Promise<void> {
    const { leases } = this.parts;
    if (this.going.has(id)) throw claimed(id);
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

  /** Never rejects: a lease that stays is of no account once its process is gone. */
  private async release(id: string): Promise<void> {
    await this.parts.leases.release(id, thisProcess()).catch((error: unknown) => this.tell(id, error));
  }

  private tell(id: string, error: unknown): void {
    this.parts.onProblem({ code: 'tuning.failed', path: '', message: `${id}: ${messageOf(error)}` });
  }

  private carry(id: string): void {
    // Results that are away are looked for again; what another process has taken meanwhile, `own` tells.
    const renewing = setInterval(() => {
      this.parts.leases.renew(id, thisProcess()).catch(() => undefined);
    }, RENEW_MS);
    const work = this.goOn(id)
      .catch(async (error: unknown) => {
        if (this.closed) return;
        await this.end(id, { state: 'failed', reason: messageOf(error) });
      })
      .catch((error: unknown) => this.tell(id, error))
      .finally(() => clearInterval(renewing))
      .then(() => this.release(id))
      .finally(() => this.going.delete(id));
    this.going.set(id, work);
  }

  private async end(id: string, parts: Pick<Tuning, 'state' | 'reason'> & Partial<Tuning>): Promise<void> {
    const kept = await this.parts.store.update(id, (found) =>
      found.tuning.state !== 'running' || !isOwn(found)
        ? undefined
        : { ...found, tuning: { ...found.tuning, ...parts, ended: new Date().toISOString() } },
    );
    if (kept && isOwn(kept)) this.parts.onChange?.(kept.tuning);
  }

  /** Until it has ended, or goes on elsewhere. */
  private async goOn(id: string): Promise<void> {
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

  /** Starts the run of a stage whose experiment is kept, unless that was done before this process ended. */
  private async begin(tuning: Tuning, stage: StageRecord): Promise<void> {
    const { reader, runs } = this.parts;
    const [begun] = await reader.listRuns({ experiment: stage.experiment, limit: 1 });
    const before = { ...tuning, stages: tuning.stages.slice(0, -1) };
    const definition = readDefinitionText(this.textOf(before, stage), 'definition');
    const run =
      begun?.run.id ??
      (await runs.start({ definition, experimentId: stage.experiment, asked: 'by hand' })).run;
    const kept = await this.keepStages(tuning.id, [...before.stages, { ...stage, run }]);
    // Cancelled while it was being started.
    if (kept?.state !== 'running') await runs.cancel(run, 'its tuning was cancelled');
    else this.parts.onChange?.(kept);
  }

  /** Undefined where it has ended, or somebody else carries it. */
  private async own(id: string): Promise<Tuning | undefined> {
    if (this.closed) return undefined;
    const found = await this.parts.store.get(id);
    return found && isOwn(found) && found.tuning.state === 'running' ? found.tuning : undefined;
  }

  /** The run in its last state; undefined where the tuning goes on here no more. */
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
            // Its process has ended; the trials that are done stay as they are.
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
  inputError('tuning.claimed', '', 'another process carries the tuning', { found: id });

const notRunning = ({ tuning: { state } }: KeptTuning): Error =>
  inputError('tuning.not-running', '', `the tuning is ${state}`);

/** YAML has no word for a key that is not there. */
const withoutUndefined = (value: object): object =>
  Object.fromEntries(Object.entries(value).filter(([, inner]) => inner !== undefined));
