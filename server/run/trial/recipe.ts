/** Executes the recipe of a trial (steps after the load, such as a refresh or a force merge), and measures the duration of each step. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { CellDefinition } from '../../../common/experiment/cell-definition';
import type { RecipeStep } from '../../../common/experiment/recipe';
import { flattenSettings } from '../../../common/elasticsearch/settings';
import { RECIPE_LOAD, RECIPE_TOTAL, type RecipeTimes } from '../../../common/measurement/recipe';
import { formatNumber } from '../../../common/units/format';
import * as api from '../../elasticsearch/api';
import { ask } from '../../target-cluster/answer';
import type { TargetConnection } from '../../target-cluster/connection';
import { forceMerge, refresh } from '../../target-cluster/maintenance';
import { waitUntilReady } from '../../target-cluster/readiness';
import { countDocuments } from '../../target-cluster/snapshot';

/** Maximum duration of a step, in ms. Copying the replica shards of a large index takes long. */
const LONGEST_WAIT_MS = 2 * 3600_000;
/** Interval between two counts of documents, in ms. It limits the precision of the measured duration. */
const COUNT_EVERY_MS = 50;

interface RecipeInput {
  connection: TargetConnection;
  definition: Pick<CellDefinition, 'measure'>;
  names: readonly string[];
  /**
   * Number of documents that the indices should contain: all that the target acknowledged in this trial, and those that were in the index
   * before. A step can wait until searches find all of them.
   */
  documents: number;
  /** Duration of the load, in ms. */
  loadMs: number;
  signal: AbortSignal;
  /** Called with the current step; '' at the end. */
  onDoing: (doing: string) => void;
  onNote: (message: string) => void;
}

/** Executes the recipe. Returns undefined if the definition contains none. Rejects with a DynoError, or with the signal's reason. */
export async function carryOutRecipe(input: RecipeInput): Promise<RecipeTimes | undefined> {
  const { recipe } = input.definition.measure;
  if (recipe === undefined) return undefined;
  const times: RecipeTimes = { [RECIPE_LOAD]: input.loadMs };
  let total = input.loadMs;
  for (const step of recipe) {
    input.signal.throwIfAborted();
    input.onDoing(`runs ${step.name}, after the load`);
    const since = performance.now();
    const missing = await carryOut(step, input);
    const tookMs = performance.now() - since;
    total += tookMs;
    if (missing === '') times[step.name] = Math.round(tookMs);
    else {
      input.onNote(`the step ${step.name} did not finish: ${missing}`);
      total = NaN;
    }
  }
  input.onDoing('');
  // If a step did not finish, there is no total.
  if (!Number.isNaN(total)) times[RECIPE_TOTAL] = Math.round(total);
  return times;
}

/** Executes one step. Returns a description of what is still missing after the maximum time. Returns '' if the step is complete. */
async function carryOut(step: RecipeStep, input: RecipeInput): Promise<string> {
  const { connection, names, signal } = input;
  if (step.settings !== undefined) {
    const change = api.putSettings(names, { index: flattenSettings(step.settings) });
    await ask(connection, change, 'change the settings of the indices');
  } else if (step['force-merge'] !== undefined)
    await forceMerge(connection, names, step['force-merge'], signal);
  else if (step.refresh) await refresh(connection, names.join());
  else if (step.wait === 'green')
    return (await waitUntilReady(connection, names, LONGEST_WAIT_MS, signal)).join('; ');
  else return await untilSearchable(input);
  return '';
}

async function untilSearchable({ connection, names, documents, signal }: RecipeInput): Promise<string> {
  const until = performance.now() + LONGEST_WAIT_MS;
  for (;;) {
    signal.throwIfAborted();
    const found = await countDocuments(connection, names, { refreshed: false });
    if (found >= documents) return '';
    if (performance.now() >= until)
      return `searches find ${formatNumber(found)} of ${formatNumber(documents)} documents`;
    await sleep(COUNT_EVERY_MS);
  }
}
