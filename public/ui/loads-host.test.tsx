import { screen } from '@testing-library/react';
import { show } from '../testing/fake-host';
import { LoadsHost } from './loads-host';

const loadsItself = (): { title: string; text: string } => ({
  title: 'Its own cluster',
  text: 'It is slow.',
});

test('a host that shares the cluster under load says so, only for that target', () => {
  show(<LoadsHost target="local" />, { has: { loadsItself } });
  expect(screen.getByText('Its own cluster')).not.toBeNull();
});

test.each([
  ['another target', 'staging', { loadsItself }],
  ['a host with a separate cluster for measurements', 'local', {}],
])('%s gives no warning', (_, target, has) => {
  show(<LoadsHost target={target} />, { has });
  expect(screen.queryByText('Its own cluster')).toBeNull();
});
