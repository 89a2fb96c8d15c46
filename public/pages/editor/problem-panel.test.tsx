import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { show } from '../../testing/fake-host';
import { check } from './model';
import { ProblemPanel } from './problem-panel';

const text = `version: 1
name: Panel
index: { settings: { number_of_shard: 1 } }
tasks:
  - name: ingest
    ingest: { source: { generator: systembase } }
    exector: { constant-clients: { clients: 2 } }
expect: [no claim]
`;

test('every problem is listed with its line, and a misspelling with a button that corrects it', async () => {
  const { problems } = check(text);
  const onGoTo = jest.fn();
  const onFix = jest.fn();
  show(<ProblemPanel problems={problems} onGoTo={onGoTo} onFix={onFix} />);
  expect(screen.getAllByRole('listitem')).toHaveLength(3);
  await userEvent.click(screen.getByRole('button', { name: 'Line 7' }));
  expect(onGoTo).toHaveBeenCalledWith(expect.objectContaining({ path: 'tasks[0].exector' }));
  await userEvent.click(screen.getByRole('button', { name: 'Change to number_of_shards' }));
  expect(onFix).toHaveBeenCalledWith(expect.objectContaining({ path: 'index.settings.number_of_shard' }));
  expect(screen.getAllByText(/did you mean executor\?/)).toHaveLength(1);
});

test('users who may not change the definition get no correction', () => {
  show(<ProblemPanel problems={check(text).problems} onGoTo={() => undefined} onFix={undefined} />);
  expect(screen.getAllByRole('listitem')).toHaveLength(3);
  expect(screen.queryByRole('button', { name: /Change to/ })).toBeNull();
});
