import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { CollectorStatus } from '../../../common/api/host';
import { show } from '../../testing/fake-host';
import { Install } from './install';

const PATH = 'POST /api/dyno/collector/package';
const plain = { target: 'plain', text: 'hosts: [a]' };
const secured = { target: 'secured', text: "password: '${TARGET_SECRET}'" };

const saved: string[] = [];
beforeEach(() => {
  saved.length = 0;
  URL.createObjectURL = () => 'blob:file';
  URL.revokeObjectURL = () => undefined;
  jest.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    saved.push(this.download);
  });
});

const showInstall = (
  packages: CollectorStatus['packages'],
  asked: (body: unknown) => Response = () => new Response('tar'),
  privilege: 'manage' | 'read' = 'manage',
): void =>
  void show(<Install configurations={[plain, secured]} packages={packages} />, {
    privilege,
    answers: { [PATH]: asked },
  });

test('if the host has a binary, it is downloaded with the configuration for the target', async () => {
  const bodies: unknown[] = [];
  showInstall(['amd64', 'arm64'], (body) => {
    bodies.push(body);
    return new Response('tar');
  });
  await userEvent.click(screen.getByRole('button', { name: 'Download for Linux arm64' }));
  await waitFor(() => expect(saved).toEqual(['dynobeat-linux-arm64.tar.gz']));
  expect(bodies).toEqual([{ target: 'plain', architecture: 'arm64', secrets: {} }]);
  expect(screen.queryByText(/npm run build:collector/)).toBeNull();
});

test('a secret is requested only if the configuration needs one, and is written only to that file', async () => {
  const bodies: unknown[] = [];
  showInstall(['amd64'], (body) => {
    bodies.push(body);
    return new Response('tar');
  });
  expect(screen.queryByLabelText('Password or API key for the target')).toBeNull();
  await userEvent.selectOptions(screen.getByLabelText('Target'), 'secured');
  await userEvent.type(screen.getByLabelText('Password or API key for the target'), 'typed');
  await userEvent.click(screen.getByRole('button', { name: 'Download for Linux amd64' }));
  await waitFor(() => expect(saved).toHaveLength(1));
  expect(bodies).toEqual([{ target: 'secured', architecture: 'amd64', secrets: { TARGET_SECRET: 'typed' } }]);
  await userEvent.selectOptions(screen.getByLabelText('Target'), 'plain');
  await userEvent.selectOptions(screen.getByLabelText('Target'), 'secured');
  expect(screen.getByLabelText<HTMLInputElement>('Password or API key for the target').value).toBe('');
});

test('a refusal is shown', async () => {
  const problems = [
    { code: 'collector.no-package', path: '', message: 'dynobeat is not built for this architecture' },
  ];
  showInstall(['amd64'], () =>
    Response.json(
      { statusCode: 400, error: 'Bad Request', message: 'm', attributes: { problems } },
      { status: 400 },
    ),
  );
  await userEvent.click(screen.getByRole('button', { name: 'Download for Linux amd64' }));
  await screen.findByText(/dynobeat is not built for this architecture/);
  expect(saved).toEqual([]);
});

test.each([
  ['without one', [], 'manage'],
  ['for who may not manage', ['amd64'], 'read'],
] as const)('%s, the steps to install a package or to build it are shown', (_, packages, privilege) => {
  showInstall([...packages], undefined, privilege);
  for (const step of ['sudo apt install ./dynobeat_*_amd64.deb', 'npm run build:collector'])
    expect(screen.getByText(step)).toBeTruthy();
  expect(screen.queryByRole('button', { name: /Download/ })).toBeNull();
});
