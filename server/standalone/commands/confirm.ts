/**
 * `dyno confirm`: tests whether a change in the history of an experiment is real. It compares the definitions from before and after the
 * change in alternating trials.
 */
import { startProblems } from '../../../common/experiment/starting-environment';
import { makePlan } from '../../../common/experiment/plan';
import { formatYaml, parseText } from '../../../common/experiment/document';
import { readDefinitionText } from '../../../common/experiment/read';
import { untilDecided } from '../../../common/experiment/trial-counts';
import { DynoError, inputError } from '../../../common/problem';
import { withoutSecrets } from '../../../common/secrets/definition';
import { readConfirmation } from '../../results/confirmation';
import { createHistories } from '../../results/histories';
import { clustersOf, openPlaces, type PlaceOptions } from '../host';
import { recover } from '../recover';
import { findExperiment } from './history';
import { planSummary } from './plan';
import { carryOut, EXIT, type CommandContext } from './run';

export interface ConfirmOptions extends PlaceOptions {
  metric?: string;
  cell?: string;
  since?: string;
  /** Whether to print only the definition of the comparison, without executing a run. */
  show?: boolean;
  report: string[];
  workers?: number;
}

/** Exit code if the run refuted the change or was undecided. */
const NOT_CONFIRMED = 1;

/** Executes `dyno confirm`. Resolves to exit code 0 if the change is confirmed, 1 if it is not confirmed, 3 if the run did not complete. */
export async function confirm(
  named: string,
  options: ConfirmOptions,
  context: CommandContext,
): Promise<number> {
  const { console } = context;
  const places = await openPlaces(options, console, options.show === true ? undefined : context);
  try {
    const { reader, results } = places;
    const histories = createHistories(results);
    const { text, sentence, notes } = await readConfirmation(
      { histories, reader },
      await findExperiment(histories, named),
      options,
      (target) => clustersOf(places, target) !== undefined,
    );
    if (text === null) {
      throw inputError('history.not-repeatable', 'experiment', [sentence, ...notes].join(' '));
    }
    console.say([sentence, ...notes].join('\n'));
    if (options.show === true) {
      const shown: unknown = parseText(text, 'confirmation');
      const without = withoutSecrets(shown, shown);
      console.print((without === shown ? text : formatYaml(without)).trimEnd());
      return EXIT.good;
    }
    const definition = readDefinitionText(text, 'confirmation');
    const plan = makePlan(definition);
    console.say(planSummary(plan, untilDecided(definition.trials) !== null));
    const problems = startProblems(plan.cells, {}, places.clusters !== undefined);
    if (problems.length > 0) throw new DynoError('input', problems);
    await recover(places, console);
    const { result, code } = await carryOut(
      ({ queue, actor }, view) => queue.start({ definition }, actor, view),
      process.cwd(),
      places,
      options,
      context,
    );
    if (result?.run.run.state !== 'completed' || code === EXIT.notCarriedOut) return code;
    return result.run.verdict?.answer === 'confirmed' ? EXIT.good : NOT_CONFIRMED;
  } finally {
    await places.close();
  }
}
