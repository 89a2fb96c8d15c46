/**
 * Executes tunings on this Kibana node: series of experiments that look for better settings. Each tuning has the rights of the user who
 * started it.
 */
import type { Tuning, TuningOptions } from '../../../common/tuning/tuning';
import type { ElasticsearchClient } from '../../../common/elasticsearch/client';
import type { Definition } from '../../../common/experiment/definition';
import { FINAL_STATES } from '../../../common/experiment/run';
import { DynoError, describeProblem, inputError, messageOf } from '../../../common/problem';
import { checkFiles } from '../../host/files/corpora';
import { createTuner, withConnection } from '../../host/tuner';
import { createLeases } from '../../results/leases';
import { createResultsReader } from '../../results/reader';
import type { RunQueue } from '../../run/queue/queue';
import { isGone } from '../../run/active-run/active-run';
import { isClaimed, newTuningId, type Tuner, type TuningStore } from '../../tuning/tuner';
import { atTargets, becomeActor, clientOf, keptGrant } from '../actor';
import { createExperimentStore } from '../experiments';
import type { KibanaServices } from '../kibana-services';
import { authorizationOfKey, grantKey, invalidateKey, type Key } from '../keys';
import type { Recovery } from '../recovery';
import { runsActingBy } from '../request-runs';
import { unless } from '../saved-object-errors';
import { inNamespace, SAVED_OBJECT_TYPES, SECRET_TYPE } from '../saved-objects';
import type { KibanaRequest } from '../sdk';
import { createSecrets, type Secrets } from '../secrets';
import { forgetShared, openShared, shareKey } from '../seats/shared-key';
import { createTargetStore } from '../targets';
import { sharedSamples } from './samples';
import { TUNING_TASK, tuningTaskId, type TuningParams, type TuningWork } from './tasks';
import { createTuningStore } from './tuning-store';
import { parseTime } from '../../../common/units/time';

/** Lifetime of the API key of a tuning. It is long, because a tuning takes hours, and may first wait for other tunings. */
const KEY_EXPIRATION = '30d';
const KEY_MS = 30 * 24 * 3_600_000;
/** Interval in ms at which the task of a tuning checks whether the tuning has ended, and whether this node must continue it. */
const LOOK_MS = 30_000;
/** Time in ms for which the API key stays valid after the end of a tuning, because the last run may still write results. */
const AFTERWARDS_MS = 60_000;
/**
 * Maximum time in ms from scheduling the task of a tuning until the tuning is stored. If it is not stored by then, the start of the tuning
 * has failed, and the task invalidates the API key.
 */
const BEGIN_MS = 5 * 60_000;

export interface CarriedTuningsParts {
  kibana: KibanaServices;
  queue: RunQueue;
  /** Folder of the files that experiments may read. */
  corpora: string;
  recovery: Recovery;
}

/** A user's request to start a tuning. */
export interface TuningAsker {
  request: KibanaRequest;
  /** Namespace of the space of the tuning; undefined for the default space. */
  namespace: string | undefined;
  /** Store for the secrets of the user. It belongs to the request, because Kibana can encrypt only during a request. */
  secrets: Secrets;
}

export class CarriedTunings implements TuningWork {
  private readonly carried = new Map<string, { tuner: Tuner; results: ElasticsearchClient }>();
  private closed = false;

  constructor(private readonly parts: CarriedTuningsParts) {}

  /**
   * Starts a tuning. Rejects with the errors of the tuner, and with a DynoError `run.key` or `tuning.key` if the API key of the tuning
   * cannot be created or stored.
   */
  async start(
    { request, namespace, secrets }: TuningAsker,
    definition: Definition,
    options: TuningOptions,
  ): Promise<Tuning> {
    const { kibana } = this.parts;
    const key = await grantKey(kibana, request, `tuning of ${definition.name}`, KEY_EXPIRATION);
    const id = newTuningId(new Date());
    const params: TuningParams = {
      tuning: id,
      namespace: namespace ?? null,
      asked: Date.now(),
      key: key && { id: key.id, at: await keep(kibana, secrets, key) },
    };
    try {
      // The task is scheduled before the tuning is stored, so that every tuning has a task.
      await kibana.taskManager.schedule({
        id: tuningTaskId(id),
        taskType: TUNING_TASK,
        params: { ...params },
        state: {},
        runAt: new Date(Date.now() + LOOK_MS),
      });
      const { tuner, results } = this.acting(params, key);
      const tuning = await tuner.start(definition, options, id);
      this.hold(id, tuner, results);
      return tuning;
    } catch (error) {
      await this.settle(params);
      await kibana.taskManager.removeIfExists(tuningTaskId(id)).catch(() => undefined);
      throw error;
    }
  }

  carries(tuning: string): boolean {
    return this.carried.has(tuning);
  }

  async look(params: TuningParams): Promise<number | null> {
    try {
      if (this.closed) return LOOK_MS;
      const own = this.carried.get(params.tuning);
      if (own !== undefined) {
        // The node that executed the run of the tuning may be gone. Without this check, it could take hours until the run counts as
        // interrupted.
        await this.parts.recovery.look(own.results);
        return LOOK_MS;
      }
      return await this.lookAt(params);
    } catch (error) {
      if (!isClaimed(error))
        this.parts.kibana.log.info(`the tuning ${params.tuning} could not be checked: ${messageOf(error)}`);
      return LOOK_MS;
    }
  }

  /** Stops the execution of tunings on this node. Another node continues them, or this node after its restart. */
  async close(): Promise<void> {
    this.closed = true;
    await Promise.all([...this.carried.values()].map(({ tuner }) => tuner.close()));
  }

  private async lookAt(params: TuningParams): Promise<number | null> {
    const { kibana, recovery } = this.parts;
    const { store, secrets, objects } = this.place(params);
    const kept = await store.get(params.tuning);
    const age = Date.now() - params.asked;
    if (kept === undefined) return age < BEGIN_MS ? LOOK_MS : await this.settle(params);
    const { tuning } = kept;
    const { state, ended } = tuning;
    if (state !== 'running' && Date.now() - parseTime(ended ?? '') < AFTERWARDS_MS) return LOOK_MS;
    let key: Key | null;
    try {
      if (age >= KEY_MS) throw inputError('tuning.key', '', 'its API key has expired');
      // If Kibana's saved objects are temporarily unavailable, the error is not a DynoError, and the next check tries again. A DynoError
      // means that the secret is missing, and a missing secret never comes back.
      if (params.key && !(await unless([404], objects.get(SECRET_TYPE, params.key.at.secret))))
        throw inputError('tuning.key', '', 'its API key is no longer stored');
      key = params.key && (await openShared(secrets, params.key.at));
    } catch (error) {
      if (!(error instanceof DynoError)) throw error;
      await fail(store, tuning.id, `it cannot continue: ${messageOf(error)}`);
      return await this.settle(params);
    }
    const { tuner, samples, reader, results } = this.acting(params, key);
    if (state !== 'running') {
      const run = tuning.stages.at(-1)?.run ?? '';
      const found = run === '' ? undefined : await reader.getRun(run);
      const isActive = found !== undefined && !FINAL_STATES.includes(found.run.state);
      return isActive ? LOOK_MS : await this.settle(params);
    }
    const leases = createLeases(results);
    const lease = (await leases.read([tuning.id])).get(tuning.id);
    if (lease !== undefined && !isGone(lease, await leases.now())) return LOOK_MS;
    // If the node that executes the run is gone, the run is marked as interrupted here, so that the tuning can resume it.
    await recovery.look(results);
    await samples.fetch(tuning.request.definition);
    await tuner.resume(tuning.id);
    this.hold(tuning.id, tuner, results);
    kibana.log.info(`${tuning.name} (${tuning.id}) continues here`);
    return LOOK_MS;
  }

  private hold(id: string, tuner: Tuner, results: ElasticsearchClient): void {
    this.carried.set(id, { tuner, results });
    if (this.closed) void tuner.close();
    void tuner
      .ended(id)
      .catch(() => undefined)
      .finally(() => this.carried.delete(id));
  }

  /**
   * Invalidates the key of a tuning that has ended. Resolves to null if no further attempt is needed, otherwise to the time until the next
   * attempt in ms.
   */
  private async settle({ key, asked, ...params }: TuningParams): Promise<number | null> {
    const { kibana } = this.parts;
    if (key === null) return null;
    const given = await invalidateKey(kibana, key.id);
    if (!given && Date.now() - asked < KEY_MS) return LOOK_MS;
    await forgetShared(kibana, this.place({ key, asked, ...params }).secrets, key.at);
    return null;
  }

  /** Returns the stores of tunings and secrets in the space of the tuning, with Kibana's own rights. */
  private place({ namespace }: TuningParams) {
    const { core, encrypted } = this.parts.kibana;
    const repository = core.savedObjects.createInternalRepository([...SAVED_OBJECT_TYPES]);
    const objects = inNamespace(repository, namespace ?? undefined);
    const secrets = createSecrets(objects, encrypted, namespace ?? undefined);
    return { objects, secrets, store: createTuningStore(objects) };
  }

  private acting(params: TuningParams, key: Key | null) {
    const { kibana, queue, corpora } = this.parts;
    const { allowedHosts } = kibana.config.targets;
    const { objects, secrets, store } = this.place(params);
    const authorization = key ? authorizationOfKey(key) : undefined;
    const own = clientOf(kibana, authorization);
    const results = kibana.resultsOf(own);
    const reader = createResultsReader(results);
    const samples = sharedSamples(results, corpora);
    const local = kibana.elasticsearch();
    const targets = createTargetStore({ objects, secrets, client: own, local, allowedHosts });
    const at = params.key && { ...params.key.at, goesWithRun: false };
    const place = { space: params.namespace ?? undefined, corpora };
    const runs = runsActingBy({ kibana, queue, results, reader }, async () =>
      atTargets(await becomeActor(kibana, keptGrant(key, at), place), targets),
    );
    const { tuner } = createTuner({
      ...{ store, runs, reader, samples },
      leases: createLeases(results),
      experiments: createExperimentStore(objects),
      connected: (target, work) => withConnection(() => targets.connect(target, authorization), work),
      checkFiles: async (definition) => {
        await samples.fetch(definition);
        await checkFiles(definition, corpora);
      },
      onProblem: (problem) => kibana.log.warn(describeProblem(problem)),
    });
    return { tuner, samples, reader, results };
  }
}

/** Stores the key of a tuning in encrypted form. If this fails, invalidates the key and rejects with a DynoError `tuning.key`. */
async function keep(kibana: KibanaServices, secrets: Secrets, key: Key) {
  try {
    const at = await shareKey(secrets, key);
    if (typeof at !== 'string') return at;
    throw inputError('tuning.key', '', `a tuning needs an API key of yours, which must be stored: ${at}`);
  } catch (error) {
    await invalidateKey(kibana, key.id);
    throw error;
  }
}

const fail = (store: TuningStore, id: string, reason: string): Promise<unknown> =>
  store.update(id, ({ tuning, ...more }) =>
    tuning.state === 'running'
      ? { ...more, tuning: { ...tuning, state: 'failed', reason, ended: new Date().toISOString() } }
      : undefined,
  );
