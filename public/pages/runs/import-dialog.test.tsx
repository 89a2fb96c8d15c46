import { act, fireEvent, screen } from '@testing-library/react';
import { errorBody } from '../../../common/api/error';
import { MOST_UPLOADED } from '../../../common/api/run-files';
import { inputError } from '../../../common/problem';
import { show, type Answers } from '../../testing/fake-host';
import { ImportRunsDialog } from './import-dialog';

/** Simulates XMLHttpRequest. `sent` contains the sent requests, `answers` the answers that the test has prepared. */
class FakeRequest {
  static readonly sent: { url: string; headers: Record<string, string>; body: unknown }[] = [];
  static answers: { status: number; body: unknown }[] = [];
  /** Progress that an upload reports before it is answered, as a share in [0, 1]. */
  static share = 0.25;
  readonly upload: { onprogress?: (event: { loaded: number; total: number }) => void } = {};
  onload?: () => void;
  status = 0;
  statusText = '';
  responseText = '';
  withCredentials = false;
  private readonly headers: Record<string, string> = {};
  private url = '';

  open(method: string, url: string): void {
    this.url = `${method} ${url}`;
  }
  setRequestHeader(name: string, value: string): void {
    this.headers[name] = value;
  }
  send(body: unknown): void {
    FakeRequest.sent.push({ url: this.url, headers: this.headers, body });
    const answer = FakeRequest.answers.shift();
    if (!answer) {
      this.upload.onprogress?.({ loaded: FakeRequest.share, total: 1 });
      return;
    }
    this.status = answer.status;
    this.responseText = JSON.stringify(answer.body);
    this.onload?.();
  }
}

const real = globalThis.XMLHttpRequest;
beforeEach(() => {
  FakeRequest.sent.length = 0;
  FakeRequest.answers = [];
  FakeRequest.share = 0.25;
  globalThis.XMLHttpRequest = FakeRequest as unknown as typeof XMLHttpRequest;
});
afterEach(() => (globalThis.XMLHttpRequest = real));

function choose(file: File): void {
  const input = document.querySelector('input[type=file]')!;
  act(() => void fireEvent.change(input, { target: { files: [file] } }));
}

const press = async (name: string): Promise<void> => {
  const button = await screen.findByRole('button', { name });
  await act(async () => void fireEvent.click(button));
};

const file = new File(['x'], 'a.dyno-runs.gz');
const there = errorBody(
  inputError('results.run-there', 'r1', 'the run is there with another content', {
    allowed: 'replace it (`--replace`)',
  }),
);

test('stored documents with other content are replaced only on request', async () => {
  show(<ImportRunsDialog onClose={() => undefined} />);
  choose(file);
  const run = { id: 'r1', experiment: { id: 'e', name: 'Searches' }, outcome: 'replaced' };
  const counts = { samples: 1, trials: 1, metrics: 0, metricsLeftOut: 2 };
  FakeRequest.answers = [
    { status: 409, body: there },
    { status: 200, body: { runs: [{ ...run, ...counts }] } },
  ];
  await press('Import');
  // A message for screen readers is in the page twice for a moment.
  expect(screen.getAllByText(/is there with another content/).length).toBeGreaterThan(0);
  await press('Replace existing runs');
  expect(screen.getAllByText('Searches')[0]!.getAttribute('href')).toContain('/runs/r1');
  expect(screen.getAllByText(/2 events of the collector left out/).length).toBeGreaterThan(0);
  expect(FakeRequest.sent.map(({ url }) => url)).toEqual([
    expect.stringMatching(/^POST \/api\/dyno\/run-files\?replace=false&name=[\w-]+$/),
    expect.stringMatching(/^POST \/api\/dyno\/run-files\?replace=true&name=[\w-]+$/),
  ]);
  expect(FakeRequest.sent[0]!.headers).toMatchObject({ 'content-type': 'application/gzip', 'kbn-xsrf': '1' });
  expect(FakeRequest.sent[0]!.body).toBe(file);
});

test('a damaged file cannot be imported by replacing, and an upload shows its progress', async () => {
  show(<ImportRunsDialog onClose={() => undefined} />);
  choose(file);
  FakeRequest.answers = [{ status: 400, body: errorBody(inputError('results.file', '', 'it is cut off')) }];
  await press('Import');
  expect(screen.getAllByText(/it is cut off/).length).toBeGreaterThan(0);
  expect(screen.queryByRole('button', { name: 'Replace existing runs' })).toBeNull();
  await press('Import');
  expect(document.querySelector('progress')?.getAttribute('value')).toBe('0.25');
});

test('after the upload, the dialog shows the progress of the server', async () => {
  let progress: object | null = { step: 'storing', share: 0.5 };
  const asked: string[] = [];
  const answers = new Proxy<Answers>(
    {},
    {
      get: (_, url) => () => {
        asked.push(String(url));
        return Response.json({ progress });
      },
    },
  );
  FakeRequest.share = 1;
  show(<ImportRunsDialog onClose={() => undefined} />, { answers });
  choose(file);
  await press('Import');
  expect(await screen.findByText('Storing the runs (step 3 of 3)')).toBeTruthy();
  expect(document.querySelector('progress')?.getAttribute('value')).toBe('0.5');
  const [, name] = /name=([\w-]+)/.exec(FakeRequest.sent[0]!.url)!;
  expect(asked[0]).toBe(`GET /api/dyno/run-files/progress?name=${name}`);
  // The answer of a process that does not know the import.
  progress = null;
  expect(await screen.findByText('Checking and storing the runs', {}, { timeout: 3000 })).toBeTruthy();
});

test('a file that is too large is not uploaded', async () => {
  show(<ImportRunsDialog onClose={() => undefined} />);
  const large = new File([], 'large.dyno-runs.gz');
  Object.defineProperty(large, 'size', { value: MOST_UPLOADED + 1 });
  choose(large);
  expect(screen.getByText(/too large to be sent/)).toBeTruthy();
  expect((await screen.findByRole('button', { name: 'Import' })).hasAttribute('disabled')).toBe(true);
});
