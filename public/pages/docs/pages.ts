/** The pages of docs/ for people who use Dyno, grouped by kind, such as `learn`. The bundles contain each `docs/*.md` as text. */
import alerts from '../../../docs/alerts.md';
import bulkImport from '../../../docs/bulk-import.md';
import caches from '../../../docs/caches.md';
import capacity from '../../../docs/capacity.md';
import changeDetection from '../../../docs/change-detection.md';
import commands from '../../../docs/commands.md';
import confirm from '../../../docs/confirm.md';
import counting from '../../../docs/counting.md';
import dataStreams from '../../../docs/data-streams.md';
import definition from '../../../docs/definition.md';
import editor from '../../../docs/editor.md';
import environments from '../../../docs/environments.md';
import existingData from '../../../docs/existing-data.md';
import experiments from '../../../docs/experiments.md';
import figures from '../../../docs/figures.md';
import files from '../../../docs/files.md';
import firstExperiment from '../../../docs/first-experiment.md';
import glossary from '../../../docs/glossary.md';
import highestRate from '../../../docs/highest-rate.md';
import history from '../../../docs/history.md';
import howWeMeasure from '../../../docs/how-we-measure.md';
import importing from '../../../docs/import.md';
import install from '../../../docs/install.md';
import kibana from '../../../docs/kibana.md';
import kibanaSearches from '../../../docs/kibana-searches.md';
import learn from '../../../docs/learn.md';
import machines from '../../../docs/machines.md';
import mask from '../../../docs/mask.md';
import movingRuns from '../../../docs/moving-runs.md';
import opensearch from '../../../docs/opensearch.md';
import outages from '../../../docs/outages.md';
import parsing from '../../../docs/parsing.md';
import presets from '../../../docs/presets.md';
import readme from '../../../docs/README.md';
import profiling from '../../../docs/profiling.md';
import record from '../../../docs/record.md';
import replay from '../../../docs/replay.md';
import requests from '../../../docs/requests.md';
import results from '../../../docs/results.md';
import schedules from '../../../docs/schedules.md';
import server from '../../../docs/server.md';
import statistics from '../../../docs/statistics.md';
import timing from '../../../docs/timing.md';
import traffic from '../../../docs/traffic.md';
import tuning from '../../../docs/tuning.md';
import undecided from '../../../docs/undecided.md';
import updatesAndDeletes from '../../../docs/updates-and-deletes.md';
import vectors from '../../../docs/vectors.md';
import watch from '../../../docs/watch.md';
import { withoutDiagrams } from './links';

export type DocsKind = 'start' | 'learn' | 'do' | 'lookUp' | 'understand';

/** The kinds of pages in the order of the navigation. Each kind maps the names of its files to their Markdown. */
export const DOCS_BY_KIND: Readonly<Record<DocsKind, Readonly<Record<string, string>>>> = {
  start: { README: readme },
  learn: {
    'first-experiment': firstExperiment,
  },
  do: {
    experiments,
    editor,
    'updates-and-deletes': updatesAndDeletes,
    'existing-data': existingData,
    'data-streams': dataStreams,
    opensearch,
    'bulk-import': bulkImport,
    caches,
    profiling,
    requests,
    vectors,
    traffic,
    record,
    mask,
    replay,
    parsing,
    learn,
    import: importing,
    'highest-rate': highestRate,
    capacity,
    environments,
    tuning,
    machines,
    schedules,
    history,
    watch,
    confirm,
    undecided,
    'moving-runs': movingRuns,
    install,
    kibana,
    'kibana-searches': kibanaSearches,
    alerts,
  },
  lookUp: {
    definition,
    figures,
    commands,
    server,
    results,
    files,
    presets,
    glossary,
  },
  understand: {
    'how-we-measure': howWeMeasure,
    counting,
    timing,
    statistics,
    'change-detection': changeDetection,
    outages,
  },
};

/** Markdown of all pages by the name of the file, in the order of the navigation. */
export const DOCS: Readonly<Record<string, string>> = Object.fromEntries(
  Object.values(DOCS_BY_KIND).flatMap((pages) =>
    Object.entries(pages).map(([name, markdown]) => [name, withoutDiagrams(markdown)]),
  ),
);
