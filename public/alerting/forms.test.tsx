import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useCallback, useState, type ReactNode } from 'react';
import { judgePast } from '../../common/alerting/regressions/past';
import type { RegressionParams } from '../../common/alerting/regressions/params';
import type { ExperimentSummary } from '../../common/api/experiments';
import { RULE_TYPE_IDS, type RuleTypeId } from '../../common/alerting/rule-types';
import { buildHistory } from '../../common/history/history';
import { madeHistoryRuns } from '../../common/history/testing/made-history';
import { show } from '../testing/fake-host';
import type { RawParams } from './form-context';
import { FormProvider } from './form-context';
import { RULE_FORMS } from './forms';

const user = userEvent.setup();

const EXPERIMENT = { id: 'searches', name: 'Searches' };
/** 40 runs. From run 32 (December 3rd) on, the second combination of factor levels is 20% slower. */
const HISTORY_RUNS = madeHistoryRuns({
  runs: 40,
  factor: (run, cell) => (cell === 1 && run >= 32 ? 1.2 : 1),
});
const HISTORY = buildHistory({ experiment: EXPERIMENT, runs: HISTORY_RUNS });

const summary = (named: { id: string; name: string }): ExperimentSummary => ({
  ...named,
  ...{
    version: '1-1',
    hypothesis: '',
    tags: [],
    target: 'local',
    preset: null,
    tuning: null,
    cells: 1,
    trials: 3,
  },
  ...{ created: '2026-01-01T00:00:00.000Z', updated: '2026-01-01T00:00:00.000Z' },
  ...{ schedule: null, nextRun: null, missed: null, runs: 40, active: null, last: null },
});

const MADE_PAST = (body: unknown): Response => {
  const { params, nights: runs } = body as { params: RegressionParams; nights: number };
  const { metrics, cells } = params;
  const history = buildHistory({ experiment: EXPERIMENT, runs: HISTORY_RUNS }, { metrics, cells });
  return Response.json(judgePast(history, params, runs, Date.parse(HISTORY_RUNS.at(-1)!.at)));
};

/** Shows the form of a rule and stores its parameters as Kibana does, one at a time. */
function Kept({
  id,
  first,
  onChange,
}: {
  id: RuleTypeId;
  first: RawParams;
  onChange(kept: RawParams): void;
}) {
  const { schema, first: byDefault, Form } = RULE_FORMS[id];
  const [kept, setKept] = useState<RawParams>({ ...byDefault, ...first });
  const set = useCallback(
    (name: string, value: unknown) => setKept((before) => ({ ...before, [name]: value })),
    [],
  );
  onChange(kept);
  return (
    <FormProvider schema={schema} first={byDefault} given={kept} set={set}>
      <Form />
    </FormProvider>
  );
}

function showForm(id: RuleTypeId, first: RawParams = {}): { kept(): RawParams } {
  let now: RawParams = {};
  const part: ReactNode = <Kept id={id} first={first} onChange={(kept) => (now = kept)} />;
  show(part, {
    answers: {
      'GET /api/dyno/experiments?last=brief': () =>
        Response.json({
          experiments: [summary(EXPERIMENT), summary({ id: 'writes', name: 'Writes' })],
          ...{ total: 2, all: 2, ofTunings: 0, tags: [], targets: [] },
        }),
      'GET /api/dyno/targets': () => Response.json({ targets: [] }),
      'GET /api/dyno/experiments/searches/history?from=9999-01-01T00%3A00%3A00Z': () =>
        Response.json({ ...HISTORY, nights: [] }),
      'GET /api/dyno/experiments/gone/history?from=9999-01-01T00%3A00%3A00Z': () =>
        Response.json({ message: 'no such experiment', problems: [] }, { status: 404 }),
      'POST /api/dyno/rules/regressions/test': MADE_PAST,
    },
  });
  return { kept: () => now };
}

const canTest = (): boolean => !screen.getByRole<HTMLButtonElement>('button', { name: 'Test' }).disabled;

/**
 * Types the name of an option and presses Enter. Clicking is impossible, because the combo box lists no options without a layout, as in
 * jsdom.
 */
const choose = (box: string, option: string): Promise<void> =>
  user.type(screen.getByRole('combobox', { name: box }), `${option}{enter}`);

test.each(RULE_TYPE_IDS)('the form of %s can be tested once all parameters are valid', async (id) => {
  showForm(id, RULE_FORMS[id].ofScope({ experiment: EXPERIMENT.id }));
  await waitFor(() => expect(canTest()).toBe(true));
});

describe('Experiment regression', () => {
  const ID = 'dyno.experimentRegression';

  test('requires an experiment first, and offers its metrics and cells', async () => {
    const { kept } = showForm(ID);
    expect(canTest()).toBe(false);
    await waitFor(() => expect(screen.queryByRole('progressbar')).toBeNull());
    expect(screen.getByText('If empty, the margin of the experiment applies.')).toBeTruthy();
    await choose('Experiment', 'Searches');
    expect(kept()).toMatchObject({ experiment: 'searches', metrics: [], cells: [], direction: 'worse' });
    await screen.findByText('If empty, the margin of the experiment (5%) applies.');
    await choose('Metrics', 'search response time p95');
    await choose('Cells', 'number_of_shards=5');
    expect(kept()).toMatchObject({
      metrics: ['search.latency.p95'],
      cells: ['index.settings.number_of_shards=5'],
    });
    expect(canTest()).toBe(true);
  });

  test('shows problems at the field, and warns about changes below the margin', async () => {
    showForm(ID, { experiment: 'searches', noNightFor: '5m', confirm: 1, least: 0.01 });
    expect(screen.getByText(/at least 1h, at most 366d/)).toBeTruthy();
    expect(screen.getByText(/at least 3/)).toBeTruthy();
    expect(await screen.findByText(/changes below the margin of the experiment \(5%\)/)).toBeTruthy();
    expect(canTest()).toBe(false);
  });

  test('accepts an experiment that does not exist yet', async () => {
    showForm(ID, { experiment: 'gone' });
    expect(await screen.findByText(/This experiment does not exist here yet/)).toBeTruthy();
  });

  test('an emptied field is absent', async () => {
    const { kept } = showForm(ID, { experiment: 'searches' });
    const field = screen.getByLabelText('Alert when no run has begun for');
    await user.type(field, '36h');
    expect(kept()['noNightFor']).toBe('36h');
    await user.clear(field);
    expect(kept()['noNightFor']).toBeUndefined();
    await user.click(screen.getByRole('switch'));
    expect(kept()['silent']).toBe('alert');
  });

  test('shows the results of the rule for each of the newest runs', async () => {
    showForm(ID, { experiment: 'searches', metrics: ['search.latency.p95'] });
    await user.click(screen.getByRole('button', { name: 'Test' }));
    const table = await screen.findByRole('table');
    const levels = [...table.querySelectorAll('td')].map((cell) => cell.dataset['level']);
    expect(levels).toHaveLength(30);
    const first = levels.indexOf('regression');
    // Not before the third slower run.
    expect(first).toBeGreaterThanOrEqual(24);
    expect(new Set(levels.slice(0, first))).toEqual(new Set(['no alert']));
    expect(new Set(levels.slice(first))).toEqual(new Set(['regression']));
    expect(within(table).getByText('search response time p95 with number_of_shards=5')).toBeTruthy();
    expect(screen.getByText(/Regression of Searches: since 2026-12-03: /)).toBeTruthy();
  });
});

test('a rule that is created from a page watches only the scope of that page', () => {
  const scope = { experiment: 'searches', target: 'local' };
  expect(RULE_FORMS['dyno.bulkRejectionRate'].ofScope(scope)).toEqual({
    experiments: ['searches'],
    target: 'local',
  });
  expect(RULE_FORMS['dyno.experimentRegression'].ofScope(scope)).toEqual({ experiment: 'searches' });
});
