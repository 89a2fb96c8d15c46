import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import type { DistributionStatus } from '../../../common/api/distribution';
import type { AppHost } from '../../app/host';
import { show } from '../../testing/fake-host';
import { WholeElasticsearch } from './whole-download';

const PATH = '/api/dyno/distribution';
const ABSENT: DistributionStatus = {
  offered: true,
  version: '9.5.3',
  from: 'https://artifacts.elastic.co/downloads/x.tar.gz',
  state: 'absent',
  doneBytes: 0,
  totalBytes: null,
  problem: '',
};
const HALF: DistributionStatus = {
  ...ABSENT,
  state: 'downloading',
  doneBytes: 300_000_000,
  totalBytes: 600_000_000,
};

/**
 * Shows the offer to download Elasticsearch, with `first` as the server's first answer. Returns the list of actions that the page requests:
 * `download` or `cancel`.
 */
function showOffer(first: DistributionStatus, privilege: AppHost['privilege'] = 'manage'): string[] {
  const asked: string[] = [];
  let now = first;
  const become = (name: string, next: DistributionStatus) => () => {
    asked.push(name);
    now = next;
    return Response.json(next);
  };
  show(<WholeElasticsearch />, {
    privilege,
    answers: {
      [`GET ${PATH}`]: () => Response.json(now),
      [`POST ${PATH}`]: become('download', HALF),
      [`POST ${PATH}/cancel`]: become('cancel', ABSENT),
    },
  });
  return asked;
}

const press = async (name: string): Promise<void> => {
  const button = await screen.findByRole('button', { name });
  act(() => void fireEvent.click(button));
};

test('the whole Elasticsearch can be downloaded, with its progress, and the download cancelled', async () => {
  const asked = showOffer(ABSENT);
  await screen.findByText(/some 600 MB, from artifacts.elastic.co/);
  await press('Download the whole Elasticsearch');
  await screen.findByText('Downloading the whole Elasticsearch 9.5.3');
  expect(screen.getByRole('progressbar').getAttribute('value')).toBe('300000000');
  await press('Cancel the download');
  await screen.findByRole('button', { name: 'Download the whole Elasticsearch' });
  expect(asked).toEqual(['download', 'cancel']);
});

test('a failed download says why, and can be repeated', async () => {
  showOffer({ ...ABSENT, problem: 'the server does not answer' });
  await screen.findByText('The last download failed: the server does not answer');
  expect(screen.getByRole('button', { name: 'Download the whole Elasticsearch' })).toBeTruthy();
});

test('once it is present, the text says how to use it', async () => {
  showOffer({ ...ABSENT, state: 'present' });
  await screen.findByText(/environment.distribution: full/);
  expect(screen.queryByRole('button')).toBeNull();
});

test('without the right to manage Dyno the button is disabled', async () => {
  showOffer(ABSENT, 'run');
  const button = await screen.findByRole<HTMLButtonElement>('button', { name: /Download/ });
  expect(button.disabled).toBe(true);
});

test('a host that starts no Elasticsearch offers nothing', async () => {
  let asked = 0;
  const { container } = show(<WholeElasticsearch />, {
    answers: {
      [`GET ${PATH}`]: () => {
        asked += 1;
        return Response.json({ ...ABSENT, offered: false });
      },
    },
  });
  await waitFor(() => expect(asked).toBe(1));
  expect(container.textContent).toBe('');
});
