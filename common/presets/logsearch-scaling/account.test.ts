/**
 * Checks the numbers of the published benchmark against each other. Also checks that the notes in its YAML files, which report inconsistent
 * numbers, contain the correct ones.
 */
import { readDefinition } from '../../experiment/read';
import { makePlan } from '../../experiment/plan';
import { parsersOf } from '../../tasks/parse';
import { blocksOf } from '../../experiment/environment-blocks';
import { findPreset, PRESETS } from '..';
import { presetDefinition, type Preset } from '../preset';

const LOGSEARCH_SCALING = PRESETS.filter(({ published }) => published.seed === 'logsearch-scaling');
const logsearchDeployments = findPreset('logsearch-deployments')!;
const logsearchParsers = findPreset('logsearch-parsers')!;

const PARSERS = 'tasks.ingest.ingest.parse.workers';
const REPLICAS = 'index.settings.number_of_replicas';
const REFRESH = 'index.settings.refresh_interval';
const AUTO_THROTTLE = 'index.settings.merge.scheduler.auto_throttle';

const DEPLOYMENTS = logsearchDeployments.published.rows.map(({ figures }) => ({
  perSecond: Number(figures['perSecond']),
  perMinute: Number(figures['perMinute']),
}));

const notes = ({ published }: Preset): string => [...published.notes, ...published.changes].join('\n');

test('messages per second are those per minute divided by 60, truncated and not rounded', () => {
  for (const { perSecond, perMinute } of DEPLOYMENTS) expect(Math.floor(perMinute / 60)).toBe(perSecond);
  const rounded = DEPLOYMENTS.filter(({ perSecond, perMinute }) => Math.round(perMinute / 60) !== perSecond);
  expect(rounded).not.toHaveLength(0);
  expect(notes(logsearchDeployments)).toContain('truncated instead of rounded');
});

test('each deployment ingested more than the one before', () => {
  const rates = DEPLOYMENTS.map(({ perSecond }) => perSecond);
  expect(rates).toEqual([316, 406, 1735, 3882, 4396, 4884]);
  expect([...rates].sort((a, b) => a - b)).toEqual(rates);
});

test('the step from 1 to 4 parsers is more than 4 times, which is noted', () => {
  const [one, four] = logsearchParsers.published.rows.map(({ figures }) => Number(figures['perSecond']));
  expect([one, four]).toEqual([406, 1735]);
  expect(four! / one!).toBeGreaterThan(4);
  for (const preset of [logsearchParsers, logsearchDeployments])
    expect(notes(preset)).toContain(`${(four! / one!).toFixed(2)} times`);
});

test('1 and 4 parsers are the deployments B and C', () => {
  const { rows } = logsearchDeployments.published;
  expect(logsearchParsers.published.rows.map(({ figures }) => figures)).toEqual(
    [rows[1]!, rows[2]!].map(({ figures }) => figures),
  );
  expect(rows[1]!.levels[PARSERS]).toBe(1);
  expect(rows[2]!.levels[PARSERS]).toBe(4);
});

test('the last two steps change several things at once, which is noted', () => {
  const changed = (step: number): string[] => {
    const [before, after] = logsearchDeployments.published.rows.slice(step - 1).map(({ levels }) => levels);
    return Object.keys(after!).filter((path) => before![path] !== after![path]);
  };
  expect(changed(4)).toEqual(['environment.deployment', REPLICAS]);
  expect(changed(5)).toEqual(['environment.deployment', REFRESH, AUTO_THROTTLE]);
  expect(changed(3)).toEqual(['environment.deployment']);
  expect(notes(logsearchDeployments)).toContain('several things at once');
});

test('every deployment has its own environment with the settings that Dyno makes', () => {
  const definition = readDefinition(presetDefinition(logsearchDeployments, 'full'));
  const plan = makePlan(definition);
  const parsers = plan.cells.map((cell) => parsersOf(cell.definition.tasks[0]!.ingest!.parse!));
  expect(parsers).toEqual([1, 1, 4, 4, 4, 4]);
  expect(blocksOf(plan)).toHaveLength(DEPLOYMENTS.length);
  for (const preset of LOGSEARCH_SCALING)
    expect(preset.definition.index?.settings).toMatchObject({ number_of_shards: 4 });
});

test('experiments on parsers vary nothing else', () => {
  expect(Object.keys(logsearchParsers.definition.factors!)).toEqual([PARSERS]);
});
