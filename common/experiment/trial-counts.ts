/** Number of trials of each cell. The number is fixed, or trials are repeated until the claims are decided (`until-decided`). */
import type { Problem } from '../problem';
import { plural } from '../units/format';
import { countCells } from './cells';
import type { Definition } from './definition';

type Trials = Definition['trials'];

/** Returns the settings of `until-decided`; null if the number of trials is fixed. */
export const untilDecided = (trials: Trials): Exclude<Trials, number>['until-decided'] | null =>
  typeof trials === 'number' ? null : trials['until-decided'];

/** Returns the maximum number of trials of each cell. */
export const mostTrials = (trials: Trials): number =>
  typeof trials === 'number' ? trials : trials['until-decided'].most;

/** Returns the number of trials as text: `5 trials`, `3 to 20 trials`. */
export function trialsText(trials: Trials): string {
  const looks = untilDecided(trials);
  return looks === null
    ? plural(mostTrials(trials), 'trial')
    : `${looks.least} to ${plural(looks.most, 'trial')}`;
}

/**
 * Maximum number of cells with `until-decided`. The widths of the confidence intervals come from a simulation with the same cells and
 * comparisons. For more cells, the simulation would take too long.
 */
const MOST_CELLS = 12;

/** Returns a problem for each key that cannot be combined with `until-decided`. */
export function checkTrials(definition: Definition): Problem[] {
  const looks = untilDecided(definition.trials);
  if (looks === null) return [];
  const path = 'trials.until-decided';
  const problem = (message: string, found: string, allowed: string, at = path): Problem => ({
    code: 'definition.until-decided',
    path: at,
    message,
    found,
    allowed,
  });
  const cells = countCells(definition);
  return [
    ...(looks.most < looks.least
      ? [problem('is less than “least”', String(looks.most), `at least ${looks.least}`, `${path}.most`)]
      : []),
    ...(definition.expect.length === 0
      ? [problem('there is nothing to decide', 'no claim', 'a claim in “expect”, or a number of trials')]
      : []),
    ...(definition.order === 'sequential'
      ? [
          problem(
            'the cells cannot be compared after each repetition because they run one after another',
            'order: sequential',
            'order: interleaved, order: randomised, or a number of trials',
          ),
        ]
      : []),
    ...(cells > MOST_CELLS
      ? [problem('too many cells', String(cells), `at most ${MOST_CELLS} cells, or a number of trials`)]
      : []),
  ];
}

/**
 * Returns a problem if the cells have several environments. With `until-decided`, all cells must be compared after each repetition.
 * Environments, however, are measured one after the other.
 */
export function checkOneEnvironment(definition: Definition, environments: number): Problem[] {
  if (environments < 2 || untilDecided(definition.trials) === null) return [];
  return [
    {
      code: 'definition.until-decided',
      path: 'trials.until-decided',
      message:
        'cells of several environments run one after another, so they cannot be compared after each repetition',
      found: `${environments} environments`,
      allowed: 'one environment, or a number of trials',
    },
  ];
}
