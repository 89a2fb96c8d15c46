import type { Command } from 'commander';
import type { CommandLine, Register } from '../registration';
import { collect } from '../values';

interface Benchmark {
  /** Key of the benchmark in BENCHMARKS of `server/standalone/commands/import.ts`. */
  name: 'rally' | 'osb';
  product: string;
  /** The term of Rally or OpenSearch Benchmark for the folder that is imported, such as track or workload. */
  source: string;
  /**
   * The term of Rally or OpenSearch Benchmark for a schedule of the benchmark, such as challenge. The option that selects one of several
   * schedules has this name.
   */
  schedule: string;
}

const RALLY: Benchmark = { name: 'rally', product: 'Rally', source: 'track', schedule: 'challenge' };
const OSB: Benchmark = {
  name: 'osb',
  product: 'OpenSearch Benchmark',
  source: 'workload',
  schedule: 'test procedure',
};

const addBenchmark = (
  parent: Command,
  { name, product, source, schedule }: Benchmark,
  { context: { console }, expandScript, ends }: CommandLine,
): Command =>
  parent
    .command(`${name} <folder>`)
    .description(
      `convert a ${source} of ${product}: write a definition for each part of its schedule, and list what was not converted`,
    )
    .option(
      `--${schedule.replace(' ', '-')} <name>`,
      `the ${schedule} to convert; default: the ${source}'s default`,
    )
    .option('--set <name=value>', `set a parameter of the ${source}; repeatable`, collect, [])
    .option('--to <folder>', `folder for the definitions; default: a new folder named after the ${source}`)
    .option('--check', `count what can be converted in every ${source} below the folder; write nothing`)
    .action(
      ends(async (place, options) => {
        const { BENCHMARKS, importBenchmark } = await import('../../commands/import');
        return importBenchmark(place, options, BENCHMARKS[name], expandScript, console);
      }),
    );

export const importCommands: Register = (dyno, line) => {
  const parent = dyno.command('import').description('convert benchmarks of other tools to definitions');
  addBenchmark(parent, RALLY, line).option(
    '--python <path>',
    'a Python with esrally that runs the Python code of the track, so that its operations are converted; only for tracks that you trust',
  );
  addBenchmark(parent, OSB, line);
};
