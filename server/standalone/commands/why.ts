/** `dyno why`: explains the difference between two cells of a run. It repeats them in a few short alternating trials, with a profile. */
import { startProblems } from '../../../common/experiment/starting-environment';
import { formatYaml } from '../../../common/experiment/document';
import { makePlan } from '../../../common/experiment/plan';
import { readDefinition } from '../../../common/experiment/read';
import { DynoError } from '../../../common/problem';
import { withoutSecrets } from '../../../common/secrets/definition';
import type { ProfileSource } from '../../../common/profile/events';
import { usualSource, whyExperiment, whyPair } from '../../../common/tuning/why';
import { isEmbeddedTarget, openPlaces, type PlaceOptions } from '../host';
import { recover } from '../recover';
import { planSummary } from './plan';
import { readReport } from './reports';
import { carryOut, EXIT, type CommandContext } from './run';

export interface WhyOptions extends PlaceOptions {
  /** Ids or labels of the cells. Default: the two cells of the effect that the report shows first. */
  cell?: string;
  against?: string;
  /** How the nodes are profiled. Default: {@link usualSource}. */
  profile?: ProfileSource;
  /** Whether to print the definition only, without a run. */
  show?: boolean;
  report: string[];
  workers?: number;
}

/** Executes `dyno why`. Resolves to the exit code of the run, as `dyno run` does. */
export async function why(run: string, options: WhyOptions, context: CommandContext): Promise<number> {
  const { console } = context;
  const places = await openPlaces(options, console, options.show === true ? undefined : context);
  try {
    const report = await readReport(run, places.reader);
    const source = options.profile ?? usualSource(isEmbeddedTarget(options));
    const definition = readDefinition(whyExperiment(report, whyPair(report, options), source));
    console.say(definition.hypothesis);
    if (options.show === true) {
      console.print(formatYaml(withoutSecrets(definition, definition)).trimEnd());
      return EXIT.good;
    }
    const plan = makePlan(definition);
    console.say(planSummary(plan, false));
    const problems = startProblems(plan.cells, {}, places.clusters !== undefined);
    if (problems.length > 0) throw new DynoError('input', problems);
    await recover(places, console);
    const { code } = await carryOut(
      ({ queue, actor }, view) => queue.start({ definition }, actor, view),
      process.cwd(),
      places,
      options,
      context,
    );
    return code;
  } finally {
    await places.close();
  }
}
