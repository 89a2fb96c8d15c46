/** Options that several commands share. */
import { Option, type Command } from 'commander';
import { SCALES } from '../../../common/presets/scale';
import { COMPARISON_ENDINGS, endingOf, REPORT_ENDINGS } from '../report-endings';
import { collect, filesWith, numberOrZero, wholeNumber } from './values';

/**
 * Help text of an option that may contain a password or a key. It warns that other users of the machine can read it. `variables`:
 * environment variables to set instead.
 */
export const visibleToOthers = (...variables: string[]): string =>
  `other users of this machine can read a password in this option: set ${variables.join(' or ')} instead`;

export const TARGET_VISIBLE = visibleToOthers('DYNO_ELASTICSEARCH', 'DYNO_TARGET_API_KEY');
export const RESULTS_VISIBLE = visibleToOthers('DYNO_RESULTS', 'DYNO_RESULTS_API_KEY');

const SOURCE_VISIBLE = visibleToOthers('DYNO_FROM_TARGET', 'DYNO_FROM_TARGET_API_KEY');

const repeatable = (flags: string, description: string): Option =>
  new Option(flags, `${description}; repeatable`).default([]).argParser(collect);

export const setOption = (): Option =>
  repeatable('--set <path=value>', 'override the value at a path of the definition');

export const scaleOption = (): Option =>
  new Option('--scale <scale>', 'size of a preset: as published, or its short form').choices([...SCALES]);

export const environmentOption = (): Option =>
  repeatable(
    '--environment <name=value>',
    'environment that is set up now and in which the run begins; default: the first one',
  );

/** Returns the option for the cluster from which a run copies its documents. */
export const fromTargetOption = (): Option =>
  new Option(
    '--from-target <url>',
    `the cluster that preload.from-target names, from which trials copy documents; ${SOURCE_VISIBLE}`,
  );

/** Returns the option `--report` of commands that report one run. */
export const reportOption = (): Option =>
  new Option('--report <file>', 'write the report: .html, .md, .json, .csv or .xml (JUnit); repeatable')
    .default([])
    .argParser(filesWith((file) => endingOf(file, REPORT_ENDINGS)));

/** Returns the option `--report` of commands that compare runs. */
export const comparisonOption = (): Option =>
  new Option('--report <file>', 'write the comparison: .html, .md, .json or .csv; repeatable')
    .default([])
    .argParser(filesWith((file) => endingOf(file, COMPARISON_ENDINGS)));

export const failuresOption = (): Option =>
  new Option(
    '--allow-failed-trials <n>',
    'number of trials that may fail before the exit code is 5; default: 0',
  ).argParser(numberOrZero);

export const keepSamplesOption = (): Option =>
  new Option(
    '--keep-samples <rule>',
    'how long to keep the samples of runs: a time, a number of runs of each experiment, or both, such as "90d, 20 runs"; default: forever (DYNO_KEEP_SAMPLES)',
  );

export const jsonOption = (): Option => new Option('--json', 'print JSON on standard output');

export const withCollector = (command: Command): Command =>
  command.option('--no-collector', 'do not start a collector with the embedded Elasticsearch');

/** Adds options that select metrics and cells (combinations of factor levels) of an experiment's history. */
export const withSeries = (command: Command): Command =>
  command
    .addOption(
      repeatable('--metric <name>', 'only this metric, named as in claims or with the prefix `cluster.`'),
    )
    .addOption(repeatable('--cell <id or label>', 'only this cell'));

/** Adds options for the cluster that stores the results, and for the certificates of all clusters. */
export const withPlaces = (command: Command): Command =>
  command
    .option(
      '--results <url>',
      `cluster that stores the results, or \`embedded\`; default: the target; ${RESULTS_VISIBLE}`,
    )
    .option('--ca <file>', 'certificate authority, PEM')
    .option('--insecure', 'accept any certificate');

/** Returns the option that selects which distribution of Elasticsearch Dyno starts. */
export const distributionOption = (): Option =>
  new Option(
    '--distribution <kind>',
    'the embedded Elasticsearch: `full` has every module (600 MB to download), `reduced` is small (126 MB); default: `reduced` if a JDK is there',
  ).choices(['full', 'reduced']);

/** Adds the options for the clusters of a run and for the load threads. */
export const withTarget = (command: Command): Command =>
  withCollector(
    withPlaces(
      command.option(
        '--elasticsearch <url>',
        `the target: URLs separated by commas, or a cloud id; default: the embedded Elasticsearch; ${TARGET_VISIBLE}`,
      ),
    ),
  )
    .addOption(distributionOption())
    .option('--workers <n>', 'number of load threads', wholeNumber);
