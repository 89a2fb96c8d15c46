/** The pages of docs/ that whoever uses Dyno needs, in the order in which one may read them; `docs.md` is text in the bundles. */
import alerts from '../../../docs/alerts.md';
import capacity from '../../../docs/capacity.md';
import commands from '../../../docs/commands.md';
import definition from '../../../docs/definition.md';
import editor from '../../../docs/editor.md';
import environments from '../../../docs/environments.md';
import experiments from '../../../docs/experiments.md';
import figures from '../../../docs/figures.md';
import glossary from '../../../docs/glossary.md';
import highestRate from '../../../docs/highest-rate.md';
import howWeMeasure from '../../../docs/how-we-measure.md';
import importing from '../../../docs/import.md';
import kibana from '../../../docs/kibana.md';
import machines from '../../../docs/machines.md';
import parsing from '../../../docs/parsing.md';
import presets from '../../../docs/presets.md';
import replay from '../../../docs/replay.md';
import requests from '../../../docs/requests.md';
import server from '../../../docs/server.md';
import tuning from '../../../docs/tuning.md';

/** Markdown by the name of its file. */
export const DOCS: Readonly<Record<string, string>> = {
  experiments,
  definition,
  editor,
  figures,
  'how-we-measure': howWeMeasure,
  'highest-rate': highestRate,
  capacity,
  environments,
  parsing,
  requests,
  replay,
  import: importing,
  machines,
  presets,
  tuning,
  alerts,
  kibana,
  server,
  commands,
  glossary,
};
