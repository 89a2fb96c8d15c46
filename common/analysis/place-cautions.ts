/** Warnings about where a run was measured: its machines, where its results are stored, and how its shards were assigned. */
import type { CellDefinition } from '../experiment/cell-definition';
import { expandsReplicas } from '../elasticsearch/settings';
import { datasetKey } from '../experiment/shared-dataset';
import { definitionOf, type Plan } from '../experiment/plan';
import { areInTurn } from '../experiment/environment-blocks';
import { placeAt, type Provenance } from '../experiment/run';
import { shardsIn } from '../measurement/server';
import type { TrialDocument } from '../measurement/trial';
import { environmentWarnings, startedWarnings } from './environments';
import { nodeChangeWarnings } from './node-changes';
import { OTHERS_FROM } from './limiting-factor-rules';
import { trialFigures } from './limiting-factor-trial';
import { counts, trialsOf } from './validity';
import type { Caution } from './trust';
import { listed } from './wording';
import { formatPercent, plural } from '../units/format';

const note = (cause: string, text: string): Caution => ({
  cause,
  level: 'note',
  text,
  brief: firstSentence(text),
});
const limits = (cause: string, text: string): Caution => ({
  cause,
  level: 'limited',
  text,
  brief: firstSentence(text),
});

const REPLICAS = 'index.settings.number_of_replicas';

const firstSentence = (text: string): string => text.split(/\.(?= |$)/)[0]!;

/**
 * Returns warnings about the machines, the storage of results and the assignment of shards of a run. Some lower the trust in its results.
 */
export function placeCautions(
  plan: Plan,
  provenance: Provenance | null,
  trials: readonly TrialDocument[],
): Caution[] {
  const cautions: Caution[] = [];
  if (provenance?.sharedMachine)
    cautions.push(
      note(
        'shared-machine',
        'The cluster and the load generator share the cores, memory and disk of one machine. Absolute figures are lower than those of the cluster alone.',
      ),
    );
  if (provenance?.resultsInTarget)
    cautions.push(
      note('results-in-target', 'The results are stored in the cluster under test, which adds load to it.'),
    );
  if (provenance === null && trials.length > 0)
    cautions.push(
      limits(
        'provenance-unknown',
        'It is unknown on which machines this run was measured. It cannot be compared with others.',
      ),
    );
  cautions.push(
    ...otherWork(plan, provenance, trials),
    ...loadedOnce(plan),
    ...startedWarnings(provenance).map((text) => note('started-clusters', text)),
    ...environmentWarnings(provenance).map((text) => limits('environments-differ', text)),
  );
  const versions = new Set(provenance?.nodes.map(({ version }) => version));
  if (versions.size > 1)
    cautions.push(
      limits('node-versions', `The nodes run different versions: ${[...versions].sort().join(', ')}.`),
    );
  cautions.push(...nodeChangeWarnings(provenance, trials).map((text) => limits('nodes-changed', text)));
  // If a cluster does not report its nodes, it does not report their restarts either.
  const partial = provenance?.nodes.length === 0 ? 0 : trials.filter(({ server }) => server?.partial).length;
  if (partial > 0)
    cautions.push(
      limits(
        'server-figures-missing',
        `A node, or a copy of a shard, came, left or restarted in ${plural(partial, 'trial')}. Figures of the cluster are missing there.`,
      ),
    );
  const unassigned = plan.cells.filter((cell) =>
    hasUnassigned(cell.definition, trialsOf(trials, cell.index)),
  );
  if (unassigned.length > 0) {
    const which = listed(unassigned.map(({ label }) => label));
    // Missing replica shards lower the trust only if the experiment varies the number of replicas.
    const say = plan.cells.some(({ levels }) => REPLICAS in levels) ? limits : note;
    cautions.push(
      say(
        'replicas-unassigned',
        `Not all replicas were assigned (${which}). A replica without its own node neither costs nor protects anything.`,
      ),
    );
  }
  return cautions;
}

/**
 * Returns a warning if cells that are compared search different indices, each of which was loaded only once. How the segments of an index
 * turn out is partly chance. The trials of a cell share this chance, so the intervals do not contain it. Indices with one segment per shard,
 * or from one snapshot, do not differ in this way.
 */
function loadedOnce(plan: Plan): Caution[] {
  const { cells } = plan;
  // If clusters take turns, each trial loads its documents into a new cluster.
  if (areInTurn(plan)) return [];
  const shared = cells.flatMap(({ definition }) => {
    const { preload } = definition;
    const isOnce =
      preload !== undefined &&
      preload.reuse !== 'never' &&
      preload['force-merge'] !== 1 &&
      preload['from-snapshot'] === undefined;
    return isOnce ? [datasetKey(definition)] : [];
  });
  if (new Set(shared).size < 2) return [];
  return [
    note(
      'loaded-once',
      'Each index was filled only once, and all trials of its cells use the same segments. How segments turn out is partly chance, so a difference between cells with different indices may be chance. Set preload.force-merge: 1 or preload.reuse: never.',
    ),
  ];
}

/** Returns a warning if a collector measured that other processes used the CPU of a node's machine. */
function otherWork(plan: Plan, provenance: Provenance | null, trials: readonly TrialDocument[]): Caution[] {
  const counted = trials.filter(counts);
  const shares = counted.map((document) => {
    const place = placeAt(provenance, document.times.started);
    const { nodes } = trialFigures(definitionOf(plan, document), place, document);
    return Math.max(0, ...nodes.map(({ othersCpuShare }) => othersCpuShare ?? 0));
  });
  const disturbed = shares.filter((share) => share >= OTHERS_FROM);
  if (disturbed.length === 0) return [];
  const which =
    disturbed.length === counted.length
      ? counted.length === 1
        ? 'the only trial'
        : `all ${plural(counted.length, 'trial')}`
      : `${disturbed.length} of ${plural(counted.length, 'trial')}`;
  const most = formatPercent(Math.round(Math.max(...disturbed) * 100) / 100);
  return [
    limits(
      'nodes-shared',
      `Other processes used up to ${most} of the CPU of a node’s machine in ${which}. The cluster could do more without them.`,
    ),
  ];
}

function hasUnassigned(
  { index: { settings, replicas, existing } }: CellDefinition,
  trials: readonly TrialDocument[],
): boolean {
  // The definition does not contain the number of replicas of an index that existed before.
  if (existing !== undefined) return false;
  if (replicas === 0 || expandsReplicas(settings)) return false;
  return trials.some(
    ({ index }) => index !== null && shardsIn(index.shards) < shardsIn(index.primaries) * (1 + replicas),
  );
}
