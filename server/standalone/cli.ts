/**
 * The `dyno` command: reads the command line, calls one command, turns its outcome into an exit code. Each command is loaded when
 * it is called, all of it at once: nothing is left to be loaded while it runs, when a new build may have replaced the files.
 */
import nodeModule from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { CONCESSIONS, GOALS } from '../../common/tuning/choices';
import { KEPT_FROM } from '../../common/generators/profile/kept-from';
import { parseAttribute, type NodeAttribute } from '../../common/experiment/node-attribute';
import { SCALES } from '../../common/presets/scale';
import { DynoError, describeProblem } from '../../common/problem';
import { shownAddresses } from '../../common/secrets/address';
import { withoutAddressSecrets } from '../../common/secrets/redact';
import { LOG_FORMATS } from '../../common/replay/formats/registry';
import { collectGarbageSeldom } from '../load/instrument/garbage';
import { collectorFiles } from './collector/files';
import type { ServeContext } from './commands/serve';
import { BISECT_ENDINGS, COMPARISON_ENDINGS, endingOf, REPORT_ENDINGS } from './report-endings';
import { asDiskError } from './disk-error';
import { cacheFolder } from './downloads/cache-folder';
import { WEBHOOK_SETTING } from './webhook-setting';
import { tellSourceLines } from './source-lines';
import { processConsole } from './terminal/console';
import { usageErrorWithoutValues } from './terminal/usage-error';
import { parseTime, TIME_FORM } from '../../common/units/time';

declare const DYNO_VERSION: string;

const EXIT_INPUT = 2;
const EXIT_RUN = 3;

collectGarbageSeldom();
tellSourceLines();
// Later starts need not compile it again; Node.js has this from 22.8 on. Where the folder cannot be written, nothing is kept.
(nodeModule as { enableCompileCache?: (folder: string) => void }).enableCompileCache?.(
  path.join(cacheFolder(), 'compiled'),
);

/** What is built beside this file. */
const BUILD = path.dirname(fileURLToPath(import.meta.url));

/** Has Rally expand a track: `server/import/rally-expand.py`. */
const EXPAND_SCRIPT = path.join(BUILD, 'rally-expand.py');

const console = processConsole();
const context: ServeContext = {
  console,
  version: DYNO_VERSION,
  workerFile: path.join(BUILD, 'worker.js'),
  targetFile: path.join(BUILD, 'certify-target.js'),
  analysisFile: path.join(BUILD, 'analysis.js'),
  appFolder: path.join(BUILD, 'app'),
  ...collectorFiles(BUILD),
};

const collect = (value: string, all: string[]): string[] => [...all, value];

const filesWith =
  (check: (file: string) => unknown) =>
  (value: string, all: string[]): string[] => {
    check(value);
    return [...all, value];
  };

const wholeNumber = (value: string): number => {
  if (!/^\d+$/.test(value) || Number(value) < 1) throw new InvalidArgumentError('a whole number from 1');
  return Number(value);
};

const keptFrom = (value: string): number => {
  const found = wholeNumber(value);
  if (found < 2 || found > 999) throw new InvalidArgumentError('a whole number from 2 to 999');
  return found;
};

const ratePerSecond = (value: string): number => {
  const rate = Number(value.replaceAll(/[_,](?=\d{3})/g, ''));
  if (!(rate > 0) || !Number.isFinite(rate)) throw new InvalidArgumentError('a number above 0');
  return rate;
};

const positiveNumber = (value: string): number => {
  if (!/^\d+(\.\d+)?$/.test(value)) throw new InvalidArgumentError('a number from 0');
  return Number(value);
};

const amount = (value: string): number => (value === '0' ? 0 : wholeNumber(value));

const share = (value: string): number => {
  const found = positiveNumber(value);
  if (found > 1) throw new InvalidArgumentError('a share from 0 to 1');
  return found;
};

const names = (written: string): string[] =>
  written
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean);

const portNumber = (value: string): number => {
  const port = wholeNumber(value);
  if (port > 65_535) throw new InvalidArgumentError('a port from 1 to 65535');
  return port;
};

const nodeAttribute = (written: string): NodeAttribute => {
  const attribute = parseAttribute(written);
  if (attribute === undefined) throw new InvalidArgumentError('a name and values, such as zone=a,b');
  return attribute;
};

/** A day is its first moment in UTC. */
const moment = (written: string): string => {
  const ms = parseTime(written);
  if (Number.isNaN(ms)) throw new InvalidArgumentError(TIME_FORM);
  return new Date(ms).toISOString();
};

const machineLabel = (written: string, all: string[]): string[] => {
  if (!/^[\w.-]+=.+$/.test(written)) throw new InvalidArgumentError('a name and a value, such as zone=a');
  return [...all, written];
};

/** 0 is any free one. */
const listeningPort = (value: string): number => (value === '0' ? 0 : portNumber(value));

const setOption = (): Option =>
  new Option('--set <path=value>', 'override a path of the definition; repeatable')
    .default([])
    .argParser(collect);
const scaleOption = (): Option =>
  new Option('--scale <scale>', 'of a preset: as published, or its short form').choices([...SCALES]);
const environmentOption = (): Option =>
  new Option(
    '--environment <name=value>',
    'current environment, in which the run begins; by default the first; repeatable',
  )
    .default([])
    .argParser(collect);
const comparisonOption = (): Option =>
  new Option('--report <file>', 'write the comparison: .html, .md, .json or .csv; repeatable')
    .default([])
    .argParser(filesWith((file) => endingOf(file, COMPARISON_ENDINGS)));

const reportOption = (): Option =>
  new Option('--report <file>', 'write the report: .html, .md, .json, .csv or .xml (JUnit); repeatable')
    .default([])
    .argParser(filesWith((file) => endingOf(file, REPORT_ENDINGS)));

const failuresOption = (): Option =>
  new Option(
    '--allow-failed-trials <n>',
    'number of trials that may fail before the exit code is 5; 0 by default',
  ).argParser(amount);

const withCollector = (command: Command): Command =>
  command.option('--no-collector', 'start no collector beside the embedded Elasticsearch');

const withSeries = (command: Command): Command =>
  command
    .option(
      '--metric <name>',
      'only this one, as claims write it, `cluster.` ones too; repeatable',
      collect,
      [],
    )
    .option('--cell <id or label>', 'only this one; repeatable', collect, []);

/** `variables`: those to use in place of a password or key in an option. */
const seenByOthers = (...variables: string[]): string =>
  `other users of this machine see a password in this option in the process list: set ${variables.join(' or ')} instead`;

const OF_TARGET = seenByOthers('DYNO_ELASTICSEARCH', 'DYNO_TARGET_API_KEY');

const withPlaces = (command: Command): Command =>
  command
    .option(
      '--results <url>',
      `cluster that keeps the results, or \`embedded\`; by default the target; ${seenByOthers('DYNO_RESULTS', 'DYNO_RESULTS_API_KEY')}`,
    )
    .option('--ca <file>', 'certificate authority, PEM')
    .option('--insecure', 'accept any certificate');

const withTarget = (command: Command): Command =>
  withCollector(
    withPlaces(
      command.option(
        '--elasticsearch <url>',
        `the target, several URLs separated by commas or a cloud id; by default an embedded one; ${OF_TARGET}`,
      ),
    ),
  ).option('--workers <n>', 'number of load threads', wholeNumber);

const keepSamplesOption = (): Option =>
  new Option(
    '--keep-samples <rule>',
    'how long samples of runs are kept: a time, a number of runs of each experiment, or both, such as "90d, 20 runs"; for ever without (DYNO_KEEP_SAMPLES)',
  );

/** What a command resolves to, so that the process ends with it once everything is closed. */
let exitCode = 0;
const ends =
  <A extends unknown[]>(command: (...args: A) => Promise<number> | number) =>
  async (...args: A): Promise<void> => {
    exitCode = await command(...args);
  };

function program(): Command {
  const dyno = new Command('dyno')
    .description('The dynamometer for Elasticsearch')
    .version(DYNO_VERSION)
    .showHelpAfterError()
    .configureOutput({ writeErr: (text) => process.stderr.write(shownError(usageErrorWithoutValues(text))) })
    // `dyno baseline --version` is no question for Dyno's own.
    .enablePositionalOptions()
    .exitOverride();
  withTarget(
    dyno.command('run <file>').description('run an experiment: a definition file or the name of a preset'),
  )
    .option(
      '--seats <n>',
      'machines that generate the load, each with `dyno worker` (load.seats)',
      wholeNumber,
    )
    .addOption(setOption())
    .addOption(scaleOption())
    .addOption(environmentOption())
    .addOption(reportOption())
    .addOption(failuresOption())
    .action(ends(async (file, options) => (await import('./commands/run')).run(file, options, context)));
  withTarget(
    dyno
      .command('resume <run>')
      .description('resume a run that was interrupted or waits for its next environment'),
  )
    .addOption(reportOption())
    .addOption(failuresOption())
    .action(ends(async (id, options) => (await import('./commands/run')).resume(id, options, context)));
  withTarget(
    dyno
      .command('tune [index]')
      .description(
        'find better settings for an index of the target, or for a definition: experiments within a time, and settings with their evidence',
      ),
  )
    .option('--definition <file>', 'a definition with the settings of now, in place of an index')
    .addOption(
      new Option('--goal <goal>', 'what is to become better').choices([...GOALS]).default('throughput'),
    )
    .option(
      '--limit <limit>',
      'what must not become worse, such as "queries.latency.p95 at most +10%"; repeatable; by default the usual ones of the goal',
      collect,
      [],
    )
    .option('--no-limits', 'no limit at all')
    .option('--time <duration>', 'what all experiments together may take', '30m')
    .option('--trial <duration>', 'how long each trial is measured; by default what suits the time')
    .option('--freshness <duration>', 'longest time until a document may be found', '30s')
    .addOption(
      new Option('--allow <what>', 'what may be given up; repeatable')
        .choices([...CONCESSIONS])
        .default([])
        .argParser(collect),
    )
    .option(
      '--price <amount>',
      'of the cluster for an hour, for --goal cost; by default environment.price',
      positiveNumber,
    )
    .option('--gigabyte-month <amount>', 'of a gigabyte kept for a month, every copy counted', positiveNumber)
    .option('--months <n>', 'how long documents are kept', positiveNumber)
    .option('--documents <n>', 'documents of the sample of an index, at most', wholeNumber, 2000)
    .option('--search [body]', 'search an index while it is indexed: its newest documents, or this body')
    .option('--plan-only', 'show what would be tried, and how long it takes; run nothing')
    .option('--resume <id>', 'go on with a tuning that was cut off')
    .option('--delete <id>', 'remove a tuning with the sample of documents that it kept')
    .option('--runs', 'with --delete: its experiments and runs with all their results, too')
    .option('--yes', 'with --delete: without a question')
    .option('--json', 'as JSON on standard output')
    .addOption(setOption())
    .action(ends(async (index, options) => (await import('./commands/tune')).tune(index, options, context)));
  withTarget(
    dyno.command('start').description('Dyno in the browser: pages and HTTP interface, until interrupted'),
  )
    .option('--port <p>', 'port, 5605 by default; 0 takes a free one', listeningPort)
    .option('--host <address>', 'address, 127.0.0.1 by default; others need DYNO_PASSWORD')
    .addOption(keepSamplesOption())
    .action(ends(async (options) => (await import('./commands/serve')).serve(options, context)));
  withPlaces(
    dyno
      .command('worker')
      .description('lend this machine to runs that are carried elsewhere (load.seats), until interrupted'),
  )
    .option(
      '--join <url>',
      `cluster that keeps the results of the runs; the same as --results; ${seenByOthers('DYNO_RESULTS', 'DYNO_RESULTS_API_KEY')}`,
    )
    .option(
      '--elasticsearch <url>',
      `a target with a user and a password, where DYNO_TARGET_API_KEY is not used; ${OF_TARGET}`,
    )
    .option('--run <id>', 'only seats of this run')
    .option('--once', 'end after the first run')
    .addOption(
      new Option('--label <name=value>', 'of this machine, such as zone=a; repeatable')
        .default([])
        .argParser(machineLabel),
    )
    .action(ends(async (options) => (await import('./commands/worker')).workerCommand(options, context)));
  dyno
    .command('validate <file>')
    .description('check a definition; touches nothing')
    .addOption(setOption())
    .addOption(scaleOption())
    .action(
      ends(async (file, options) => (await import('./commands/plan')).validate(file, options, console)),
    );
  withPlaces(
    dyno
      .command('plan <file>')
      .description(
        'cells, order, estimated time and documents, and how many trials it takes; touches nothing',
      ),
  )
    .option('--noise-of <run>', 'a run before it, of which the noise tells how many trials it takes')
    .addOption(setOption())
    .addOption(scaleOption())
    .addOption(environmentOption())
    .action(
      ends(async (file, options) => (await import('./commands/plan')).showPlan(file, options, console)),
    );
  dyno
    .command('inspect <log>')
    .description(
      'show what a log of searches contains: types, pace, malformed and old lines; touches nothing',
    )
    .addOption(
      new Option('--format <format>', 'of its lines; by default the first ones tell').choices([
        ...LOG_FORMATS,
      ]),
    )
    .option('--type <type>', 'only this type; repeatable', collect, [])
    .option('--every-shard', 'slow logs: every line is a search', false)
    .option('--rewrite', 'by all rules for old versions', false)
    .option('--lines <n>', 'number of lines to read; by default all', wholeNumber)
    .action(
      ends(async (file, options) => (await import('./commands/inspect')).inspect(file, options, console)),
    );
  withPlaces(
    dyno
      .command('learn <source> [profile]')
      .description(
        'make a profile of the documents of an index or a file that holds no value of them, and a definition that loads documents like them',
      ),
  )
    .option('--elasticsearch <url>', `the cluster of the index; by default the embedded one; ${OF_TARGET}`)
    .option('--to <file>', 'the profile; by default NAME.profile.json in this folder')
    .option('--documents <n>', 'at most so many are read', wholeNumber, 50_000)
    .option(
      '--mapping <file>',
      'of a file: the mapping of its documents, YAML or JSON; by default as Elasticsearch would guess it',
    )
    .addOption(
      new Option(
        '--keep-values <field,...>',
        'keep the values of these fields as they are that many documents have, such as status codes',
      )
        .default([])
        .argParser((written: string) =>
          written
            .split(',')
            .map((field) => field.trim())
            .filter(Boolean),
        ),
    )
    .option(
      '--keep-from <n>',
      'documents that have a value before --keep-values keeps it; 2 to 999',
      keptFrom,
      KEPT_FROM,
    )
    .option(
      '--compare',
      'compare an index of as many documents of PROFILE with the original; removes what it makes',
    )
    .action(
      ends(async (source, profile, options) =>
        (await import('./commands/learn')).learnCommand(source, profile, options, console),
      ),
    );
  const imports = dyno.command('import').description('make definitions of what another benchmark does');
  const importCommand = (
    name: 'rally' | 'osb',
    of: string,
    what: string,
    challenge: string,
    option: string,
  ): void => {
    const command = imports
      .command(`${name} <folder>`)
      .description(`of ${of}: a definition for each part of its schedule, and what could not be carried over`)
      .option(`--${option} <name>`, `which one of its ${challenge}s; by default its default`)
      .option('--set <name=value>', `a parameter of the ${what}; repeatable`, collect, [])
      .option('--to <folder>', 'where the definitions are written; by default a new folder named after it')
      .option('--check', `count what can be converted, of every ${what} below the folder; write nothing`);
    if (name === 'rally')
      command.option(
        '--python <path>',
        'a Python with esrally that runs the Python code of the track, so that its operations are carried over; only for tracks that you trust',
      );
    command.action(
      ends(async (place, options) => {
        const { BENCHMARKS, importBenchmark } = await import('./commands/import');
        return importBenchmark(place, options, BENCHMARKS[name], EXPAND_SCRIPT, console);
      }),
    );
  };
  importCommand('rally', 'a track of Rally', 'track', 'challenge', 'challenge');
  importCommand('osb', 'a workload of OpenSearch Benchmark', 'workload', 'test procedure', 'test-procedure');
  dyno
    .command('presets [name]')
    .description('list the published experiments, or print one as a definition')
    .addOption(scaleOption().default('full'))
    .action(
      ends(async (name, { scale }) => (await import('./commands/presets')).presets(name, scale, console)),
    );
  dyno
    .command('certify')
    .description(
      'hold the load generator of this machine against targets of known behaviour: two minutes; exit code 0 certified, 1 not, 4 too busy to tell',
    )
    .option('--json', 'as JSON on standard output')
    .action(ends(async (options) => (await import('./commands/certify')).certifyCommand(options, context)));
  withPlaces(
    dyno
      .command('support')
      .description(
        'write a zip for those who are to help: how Dyno does, settings, ends of logs, last runs, without secrets; starts nothing',
      ),
  )
    .option(
      '--elasticsearch <url>',
      `a target that keeps the results, where --results is not used; ${OF_TARGET}`,
    )
    .option('--file <file>', 'the zip; by default dyno-support-DATE.zip in this folder')
    .option('--list', 'say how Dyno does and what the zip would contain; write nothing')
    .action(ends(async (options) => (await import('./commands/support')).support(options, context)));
  withPlaces(dyno.command('runs').description('list what was run'))
    .option('--limit <n>', 'at most so many', wholeNumber, 20)
    .action(ends(async (options) => (await import('./commands/results')).listRuns(options, console)));
  withPlaces(dyno.command('report <run>').description('show the report of a run, by its id or its file'))
    .addOption(reportOption())
    .option('--json', 'as JSON on standard output')
    .action(
      ends(async (id, options) => (await import('./commands/results')).showReport(id, options, console)),
    );
  withPlaces(dyno.command('compare <runs...>').description('show two or more runs side by side'))
    .option('--baseline', 'the baseline of the experiment of the first one goes before them')
    .addOption(comparisonOption())
    .action(
      ends(async (ids, options) => {
        const [{ compareRuns }, { baselineRunOf }] = await Promise.all([
          import('./commands/results'),
          import('./commands/history'),
        ]);
        return compareRuns(ids, options, console, baselineRunOf);
      }),
    );
  withSeries(
    withPlaces(
      dyno
        .command('history <experiment>')
        .description('show what became of an experiment over all its runs: an id, or its whole name'),
    ),
  )
    .option('--from <time>', 'only runs that began then or later', moment)
    .option('--to <time>', 'only runs that began then or before', moment)
    .option('--csv', 'as CSV on standard output, a row for each night and series')
    .option('--json', 'as JSON on standard output')
    .option('--note <text>', 'add a note in place of showing anything')
    .option('--at <run or time>', 'what the note is about; by default the newest night')
    .action(
      ends(async (experiment, options) =>
        (await import('./commands/history')).showHistory(experiment, options, console),
      ),
    );
  withPlaces(
    dyno
      .command('baseline <experiment> [run]')
      .description(
        'what the newest nights of an experiment are held against: a run, or all nights of a version; without either, say what it is',
      ),
  )
    .option(
      '--version <version>',
      'all nights with it, such as 9.4.0 of Elasticsearch, or any trait of the place, such as "Dyno 0.2.0"',
    )
    .option('--since <time>', 'with --version: only nights from then on', moment)
    .option('--remove', 'hold them against nothing any more')
    .action(
      ends(async (experiment, run, options) =>
        (await import('./commands/history')).baselineCommand(experiment, run, options, console),
      ),
    );
  withSeries(
    withPlaces(
      dyno
        .command('watch <experiment>')
        .description(
          'look for regressions in the history of an experiment; exit code 0 none, 1 a confirmed one, 4 undecided',
        ),
    ),
  )
    .option('--since <time>', 'accept changes of nights before it', moment)
    .option(
      '--against-baseline',
      'fail where a series is worse than the baseline by more than the margin, too',
    )
    .option('--junit <file>', 'write the answer as JUnit XML')
    .option('--markdown <file>', 'write the answer as Markdown, for a pull request')
    .option(
      '--webhook [url]',
      `POST JSON there when the newest night confirmed a change; without URL to the address in ${WEBHOOK_SETTING}; ${seenByOthers(WEBHOOK_SETTING)}`,
    )
    .option('--json', 'as JSON on standard output')
    .action(
      ends(async (experiment, options) =>
        (await import('./commands/history')).watchExperiment(experiment, options, console),
      ),
    );
  withTarget(
    dyno
      .command('confirm <experiment>')
      .description(
        'run the definition before a change of the history against the one since, interleaved; exit code 0 confirmed, 1 not',
      ),
  )
    .option('--metric <name>', 'whose change; by default the newest for the worse')
    .option('--cell <id or label>', 'in which it changed')
    .option('--since <run or day>', 'the first night after it')
    .option('--show', 'print the definition, and run nothing')
    .addOption(reportOption())
    .action(
      ends(async (experiment, options) =>
        (await import('./commands/confirm')).confirm(experiment, options, context),
      ),
    );
  withTarget(
    dyno
      .command('bisect [definitions...]')
      .description(
        'find the first bad one of several definitions, versions or nights, the good one first; exit code 0 found, 1 cannot tell',
      ),
  )
    .option(
      '--versions <list>',
      'of the embedded Elasticsearch, separated by commas, with one definition',
      names,
    )
    .option('--runs <experiment>', 'what the nights of its history ran, before and since its newest change')
    .option('--good <run>', 'with --runs: the good end')
    .option('--bad <run>', 'with --runs: the bad end')
    .option('--metric <name>', 'as claims write it; by default that of the first claim')
    .option('--cell <id or label>', 'of definitions with several')
    .option(
      '--margin <share>',
      'below it a difference is none, such as 0.05; by default the definition’s',
      share,
    )
    .option('--most <n>', 'at most so many trials of each side of a step, from 3 to 50', wholeNumber, 20)
    .option('--anew', 'measure again what an earlier bisect of the same has measured')
    .addOption(setOption())
    .addOption(scaleOption())
    .addOption(
      new Option('--report <file>', 'write the answer: .md or .json; repeatable')
        .default([])
        .argParser(filesWith((file) => endingOf(file, BISECT_ENDINGS, 'bisect'))),
    )
    .option('--json', 'as JSON on standard output')
    .action(
      ends(async (definitions, options) =>
        (await import('./commands/bisect')).bisect(definitions, options, context),
      ),
    );
  withPlaces(
    dyno
      .command('capacity <run>')
      .description('how many nodes, clients or shards a rate takes, by the scalability law of a run'),
  )
    .requiredOption('--rate <per second>', 'documents, searches or transactions per second', ratePerSecond)
    .option('--limit <condition>', 'an upper limit, such as "ingest.p95 < 200ms"; repeatable', collect, [])
    .option('--task <name>', 'whose rate it is; by default each task is answered')
    .option('--factor <path>', 'what is counted; by default each factor that has a law')
    .option('--json', 'as JSON on standard output')
    .action(
      ends(async (id, options) => (await import('./commands/results')).showCapacity(id, options, console)),
    );
  const results = dyno
    .command('results')
    .description('take runs to another results cluster, as files, and remove old samples');
  withPlaces(
    results.command('export [runs...]').description('write runs with all that is kept of them to one file'),
  )
    .requiredOption('--file <file>', 'the file, such as runs.dyno-runs.gz')
    .option('--experiment <experiment>', 'all runs of an experiment that have ended, by its id or name')
    .action(
      ends(async (ids, options) =>
        (await import('./commands/run-files')).exportFile(ids, options, DYNO_VERSION, console),
      ),
    );
  withPlaces(
    results
      .command('import <files...>')
      .description('store runs of such files, and results that Dyno wrote where it could store nothing'),
  )
    .option('--replace', 'replace runs that are there with another content')
    .action(
      ends(async (files, options) =>
        (await import('./commands/run-files')).importFiles(
          files,
          options,
          collectorFiles(BUILD).metricsTemplateFile,
          console,
        ),
      ),
    );
  withPlaces(
    results
      .command('retention')
      .description(
        'remove the samples of old runs; runs, trials and nights stay, as do the samples of baselines',
      ),
  )
    .addOption(keepSamplesOption())
    .option('--dry-run', 'say what would be removed, and remove nothing')
    .option('--json', 'as JSON on standard output')
    .action(ends(async (options) => (await import('./commands/retention')).applyRetention(options, console)));
  withCollector(
    dyno
      .command('elasticsearch')
      .description('the embedded Elasticsearch and its collector alone, until interrupted'),
  )
    .option('--nodes <n>', 'nodes of the cluster', wholeNumber, 1)
    .option('--port <p>', 'HTTP port of the first node', portNumber)
    .option('--heap <size>', 'heap of each node, such as 1g')
    .option('--attribute <name=value,...>', 'node.attr.NAME of the nodes, the values in turn', nodeAttribute)
    .option('--data <folder>', 'its data folder')
    .action(
      ends(async (options) =>
        (await import('./elasticsearch/command')).elasticsearchCommand(options, context),
      ),
    );
  return dyno;
}

/** An error may repeat an argument, and an argument in the wrong place may be an address with a password. */
const shownError = (text: string): string =>
  withoutAddressSecrets(
    process.argv
      .slice(2)
      .map((argument) => argument.replace(/^--[\w-]+=/, ''))
      .filter((argument) => /:.*@/s.test(argument))
      .reduce((out, argument) => out.replaceAll(argument, shownAddresses(argument)), text),
  );

function codeOf(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT_INPUT;
  const known = asDiskError(error);
  if (known instanceof DynoError) {
    for (const problem of known.problems) console.warn(shownError(describeProblem(problem)));
    return known.kind === 'input' ? EXIT_INPUT : EXIT_RUN;
  }
  console.warn(shownError(error instanceof Error ? (error.stack ?? error.message) : String(error)));
  return EXIT_RUN;
}

try {
  await program().parseAsync();
} catch (error) {
  exitCode = codeOf(error);
}
process.exitCode = exitCode === 0 && console.isLost ? EXIT_RUN : exitCode;
