/**
 * Runs trials until the claims of the experiment (`expect`) are confirmed or refuted. After each repetition, this module decides which
 * trials are still needed, and whether the run ends.
 */
import { openCells } from '../../../common/analysis/claim';
import { judge } from '../../../common/analysis/verdict';
import { durationMs } from '../../../common/experiment/definition';
import type { PlannedTrial } from '../../../common/experiment/plan';
import { untilDecided } from '../../../common/experiment/trial-counts';
import { parseClaim } from '../../../common/measurement/condition';
import { formatDuration, plural } from '../../../common/units/format';
import type { ActiveRun } from '../active-run/active-run';
import { parseTime } from '../../../common/units/time';

type Looked = Pick<ActiveRun, 'document' | 'plan' | 'trials' | 'note' | 'leaveOut' | 'save'>;

/**
 * Must be called before each trial. Only acts before the first trial of a repetition, once the minimum number of repetitions is complete.
 *
 * Judges the claims. Then removes the trials of combinations of factor levels that no undecided claim compares. If the time of the run is
 * over, removes all trials. A run that is resumed makes the same decisions.
 */
export async function lookBefore(activeRun: Looked, next: PlannedTrial): Promise<void> {
  const { definition, run } = activeRun.document;
  const looks = untilDecided(definition.trials);
  const done = next.repetition;
  const isFirst = activeRun.plan.trials.find(({ repetition }) => repetition === done)?.order === next.order;
  if (looks === null || done < looks.least || !isFirst) return;
  reportAnswers(activeRun, done);
  const ranMs = Date.now() - parseTime(run.started);
  const isOver = looks.time !== undefined && ranMs >= durationMs(looks.time);
  const open = new Set(isOver ? [] : openCellsOf(activeRun));
  const later = activeRun.plan.trials.filter(({ repetition }) => repetition >= done);
  const needless = later.filter(({ cell }) => !open.has(cell));
  if (needless.length === 0) return await save(activeRun);
  activeRun.leaveOut(needless);
  const why = isOver
    ? `the time for the run (${looks.time}) is over`
    : open.size === 0
      ? 'every claim is decided'
      : 'no open claim needs them';
  const cells = [...new Set(needless.map(({ cell }) => cell))].map(
    (cell) => activeRun.plan.cells[cell]!.label,
  );
  const whose = open.size === 0 ? '' : ` of ${cells.join('; ')}`;
  activeRun.note(
    `after ${plural(done, 'repetition')} (${formatDuration(ranMs)}) the other ${plural(needless.length, 'trial')}${whose} ${needless.length === 1 ? 'is' : 'are'} not run: ${why}`,
  );
  await save(activeRun);
}

const save = async (activeRun: Looked): Promise<void> => void (await activeRun.save());

function openCellsOf({ document: { definition }, plan, trials }: Looked): number[] {
  return definition.expect.flatMap((text) => {
    const claim = parseClaim(text);
    return 'message' in claim ? [] : openCells(definition, plan, trials, claim);
  });
}

/** Stores and reports the current result for each claim: confirmed, refuted or undecided. */
function reportAnswers(activeRun: Looked, repetitions: number): void {
  const { claims } = judge(activeRun.document.definition, activeRun.plan, activeRun.trials);
  activeRun.document.progress.look = { repetitions, claims };
  for (const { claim, answer, why } of claims)
    activeRun.note(`after ${plural(repetitions, 'repetition')}, “${claim}” is ${answer}: ${why}`);
}
