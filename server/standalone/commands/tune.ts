/**
 * `dyno tune`: proposes and runs experiments for an index or a definition within a time limit. Prints the best settings and the results
 * that support them.
 */
import { parseExact } from '../../../common/json/exact';
import { planLines, stageText, tuningLines } from '../../../common/tuning/wording';
import { GOAL_TITLES } from '../../../common/tuning/goal';
import type { TunedIndex } from '../../../common/tuning/template';
import { tuningOptionsSchema, type Tuning } from '../../../common/tuning/tuning';
import type { Definition } from '../../../common/experiment/definition';
import { problemsFrom } from '../../../common/experiment/problems';
import { readDefinitionText } from '../../../common/experiment/read';
import { describeProblem, DynoError, inputError, messageOf } from '../../../common/problem';
import { corporaFolder } from '../../host/files/corpora';
import { createRunService } from '../../run/queue/queue';
import { loadDefinition } from '../definition-file';
import { allowedHosts, dataFolder, openPlaces, type PlaceOptions } from '../host';
import { recover } from '../recover';
import { createExperimentStore } from '../store/experiments';
import { ONCE_MORE, onSignal } from '../terminal/signals';
import { canAsk, untilEnter } from '../terminal/enter';
import type { Tuner } from '../../tuning/tuner';
import { plural } from '../../../common/units/format';
import { createTuner, withConnection } from '../../host/tuner';
import { createTuningStore } from '../store/tunings';
import { createLeases } from '../../results/leases';
import { samplesIn } from '../../tuning/draft';
import { EXIT, withCarrier, type CommandContext } from './run';

export interface TuneOptions extends PlaceOptions {
  definition?: string;
  set: string[];
  goal: string;
  limit: string[];
  /** False if the recommended settings need not meet any limits, such as a maximum latency. */
  limits?: boolean;
  time: string;
  trial?: string;
  freshness: string;
  allow: string[];
  /** Price of the cluster per hour, in any currency. */
  price?: number;
  gigabyteMonth?: number;
  months?: number;
  documents: number;
  search?: string | boolean;
  /** Whether to show only the plan, without executing a run. */
  planOnly?: boolean;
  /** Id of a tuning to resume. */
  resume?: string;
  /**
   * Id of a tuning to delete. With `runs`, its experiments and runs are deleted too. With `yes`, the user is not asked for a confirmation.
   */
  delete?: string;
  runs?: boolean;
  yes?: boolean;
  json?: boolean;
  workers?: number;
}

/** Validates the options. Throws an input error with all problems. */
function optionsOf(options: TuneOptions): ReturnType<typeof tuningOptionsSchema.parse> {
  const { goal, limit, limits, time, trial, freshness, allow, price, gigabyteMonth, months } = options;
  const read = tuningOptionsSchema.safeParse(
    {
      goal,
      ...(limits === false ? { limits: [] } : limit.length === 0 ? {} : { limits: limit }),
      time,
      ...(trial === undefined ? {} : { trial }),
      freshness,
      allow,
      ...(price === undefined && gigabyteMonth === undefined
        ? {}
        : {
            prices: {
              ...(price === undefined ? {} : { hour: price }),
              ...(gigabyteMonth === undefined ? {} : { gigabyteMonth }),
              ...(months === undefined ? {} : { months }),
            },
          }),
    },
    { reportInput: true },
  );
  if (read.success) return read.data;
  throw new DynoError('input', problemsFrom(read.error.issues, tuningOptionsSchema));
}

function searchOf(search: string | boolean | undefined): boolean | Record<string, unknown> {
  if (typeof search !== 'string') return search ?? false;
  try {
    return parseExact(search) as Record<string, unknown>;
  } catch (error) {
    throw inputError('command.search', '--search', `is not JSON: ${messageOf(error)}`, { found: search });
  }
}

/** Executes `dyno tune`. Resolves to the exit code. */
export async function tune(
  index: string | undefined,
  options: TuneOptions,
  context: CommandContext,
): Promise<number> {
  const { console } = context;
  const asked = optionsOf(options);
  const given = [index, options.definition, options.resume, options.delete].filter(
    (one) => one !== undefined,
  );
  if (given.length !== 1)
    throw inputError('command.tune', '', 'needs exactly one thing to tune', {
      found: given.length === 0 ? 'nothing' : given.join(', '),
      allowed: 'the name of an index, --definition FILE, --resume ID, or --delete ID',
    });
  const loaded =
    options.definition === undefined
      ? undefined
      : await loadDefinition(options.definition, { set: options.set });
  const corpora = corporaFolder(dataFolder());
  const places = await openPlaces(options, console, context);
  try {
    await recover(places, console);
    const { reader, writer, results, target } = places;
    const folder = loaded?.folder ?? corpora;
    return await withCarrier(folder, places, options, context, async ({ queue, actor }) => {
      const runs = createRunService(queue, {
        reader,
        results,
        allowedHosts: allowedHosts(),
        becomeActor: () => Promise.resolve(actor),
        withWriter: (work) => work(writer),
        onProblem: (problem) => console.warn(describeProblem(problem)),
      });
      const { tuner, service, leave } = createTuner({
        store: createTuningStore(results),
        leases: createLeases(results),
        samples: samplesIn(corpora),
        runs,
        reader,
        experiments: createExperimentStore(results),
        connected: (_, work) => withConnection(() => Promise.resolve(target.to(target.urls)), work),
        checkFiles: () => Promise.resolve(),
        onProblem: (problem) => console.warn(describeProblem(problem)),
        onChange: (tuning) => sayStage(tuning, console),
      });
      const release = onSignal(
        (signal) => {
          console.say(`\n${signal}: ending the run; resume the tuning with --resume${ONCE_MORE[signal]}`);
          void tuner.close();
          void queue.close(`ended by ${signal}`);
        },
        () => process.exit(EXIT.notCarriedOut),
      );
      try {
        if (options.delete !== undefined) return await remove(tuner, options.delete, options, console);
        if (options.resume !== undefined) {
          const tuning = await tuner.resume(options.resume);
          return conclude(await tuner.ended(tuning.id), options, console);
        }
        const { definition, subject } = loaded
          ? { definition: loaded.definition, subject: undefined }
          : await drafted(index!);
        const { plan, limits } = await tuner.plan(definition, asked);
        console.say(`${definition.name}: ${GOAL_TITLES[asked.goal].toLowerCase()}`);
        for (const limit of limits) console.say(`limit: ${limit}`);
        const show = options.planOnly === true ? console.print : console.say;
        show(planLines(plan).join('\n'));
        if (options.planOnly === true) {
          if (loaded === undefined) await leave(definition);
          return EXIT.good;
        }
        const tuning = await tuner.start(definition, { ...asked, subject });
        console.say(`\n${tuning.id}`);
        return conclude(await tuner.ended(tuning.id), options, console);
      } finally {
        release();
        await tuner.close();
      }

      async function drafted(name: string): Promise<{ definition: Definition; subject: TunedIndex }> {
        const { text, documents, subject } = await service.draft({
          target: 'local',
          index: name,
          documents: options.documents,
          search: searchOf(options.search),
        });
        if (options.planOnly !== true)
          console.say(`a sample of ${documents} documents of ${name} is stored in ${corpora}`);
        return { definition: readDefinitionText(text, name), subject };
      }
    });
  } finally {
    await places.close();
  }
}

async function remove(
  tuner: Tuner,
  id: string,
  { runs, yes }: TuneOptions,
  console: CommandContext['console'],
): Promise<number> {
  const { name, stages } = await tuner.get(id);
  const also = runs === true ? `, ${plural(stages.length, 'experiment')} and all their results` : '';
  if (yes !== true) {
    if (!canAsk())
      throw inputError('command.yes', '--yes', 'deleting needs a confirmation, and this is not a terminal', {
        allowed: '--yes, to delete without confirmation',
      });
    const question = `This deletes ${name} with its sample of documents${also}. It cannot be undone. Press Enter to delete, Ctrl+C to keep it. `;
    if (!(await untilEnter(question))) return EXIT.notCarriedOut;
  }
  const { deletedRuns, sample } = await tuner.delete(id, runs === true ? 'delete' : 'keep');
  console.say(
    `deleted ${id}${sample ? ', with its sample of documents' : ''}${deletedRuns === 0 ? '' : `, with ${plural(deletedRuns, 'run')}`}`,
  );
  return EXIT.good;
}

function sayStage({ stages, state }: Tuning, console: CommandContext['console']): void {
  const last = stages.at(-1);
  if (state === 'running' && last !== undefined && last.run !== '')
    console.say(`${stageText(last)}: run ${last.run}`);
}

function conclude(tuning: Tuning, { json }: TuneOptions, console: CommandContext['console']): number {
  if (json === true) console.print(JSON.stringify(tuning, null, 2));
  else if (tuning.outcome !== null) console.print(tuningLines(tuning).join('\n'));
  if (tuning.state === 'completed') return EXIT.good;
  console.warn(
    tuning.state === 'running'
      ? `to resume the tuning: dyno tune --resume ${tuning.id}`
      : `the tuning is ${tuning.state}: ${tuning.reason}`,
  );
  return EXIT.notCarriedOut;
}
