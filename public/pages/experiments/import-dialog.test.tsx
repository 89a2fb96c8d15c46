import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { show } from '../../testing/fake-host';
import { ImportDialog } from './import-dialog';

const TRACK = `{
  "version": 2,
  "description": "made for a test",
  "indices": [{ "name": "geo", "body": "index.json" }],
  "corpora": [{ "name": "geo", "documents": [{ "source-file": "documents.json", "document-count": 1000 }] }],
  "operations": [
    { "name": "index", "operation-type": "bulk", "bulk-size": {{ bulk_size | default(500) }} },
    { "name": "all", "operation-type": "search", "index": "geo", "body": { "query": { "match_all": {} } } },
    { "name": "odd", "operation-type": "my-own-runner" }
  ],
  "challenges": [
    { "name": "append", "default": true, "schedule": [{ "operation": "index" }, { "operation": "all" }, { "operation": "odd" }] },
    { "name": "search only", "schedule": [{ "operation": "all", "clients": 4 }] }
  ]
}`;
const INDEX =
  '{ "settings": { "index.number_of_shards": 5 }, "mappings": { "properties": { "a": { "type": "keyword" } } } }';

const file = (path: string, text: string): File => {
  const made = new File([text], path.split('/').at(-1)!);
  Object.defineProperty(made, 'webkitRelativePath', { value: path });
  // In jsdom, only a FileReader can read files.
  Object.defineProperty(made, 'text', { value: () => Promise.resolve(text) });
  return made;
};

const picker = (): HTMLElement => screen.getByLabelText('Files with definitions');

test('a track is recognised, its challenge and parameters can be chosen, and the editor opens with a definition', async () => {
  const user = userEvent.setup({ applyAccept: false });
  const { history } = show(<ImportDialog onClose={() => undefined} />);
  await user.upload(picker(), [file('geo/track.json', TRACK), file('geo/index.json', INDEX)]);
  await screen.findByText(
    'This is a track of Rally. Dyno converts it to experiments.',
    {},
    { timeout: 20_000 },
  );
  expect(document.body.textContent).toContain('Not carried over');
  expect(document.body.textContent).toContain('my-own-runner');
  await user.click(screen.getByRole('button', { name: /Parameters/ }));
  await user.type(screen.getByLabelText('bulk_size'), '250');
  await user.click(screen.getAllByRole('button', { name: 'Open in the editor' })[0]!);
  const opened = history.location;
  expect(opened.pathname).toBe('/experiments/new');
  const { text } = opened.state as { text: string };
  expect(text).toContain('docs: 250');
  expect(text).toContain('file: documents.json');
  await user.selectOptions(screen.getByLabelText('Challenge'), 'search only');
  await waitFor(() => expect(document.body.textContent).not.toContain('my-own-runner'));
});

test('a track without its other files names the missing one, and a pasted one is recognised', async () => {
  const user = userEvent.setup();
  show(<ImportDialog onClose={() => undefined} />);
  await user.click(screen.getByLabelText(/Or paste a definition/));
  await user.paste(TRACK);
  await screen.findByText('It could not be converted', {}, { timeout: 20_000 });
  expect(document.body.textContent).toContain('index.json: is not among the files');
  await user.clear(screen.getByLabelText(/Or paste a definition/));
  await user.paste(TRACK.replace(', "body": "index.json"', ''));
  await screen.findByText(/Dyno converts it to experiments/);
  await waitFor(() => expect(screen.queryByText('It could not be converted')).toBeNull());
});

test('definitions can be imported', async () => {
  const user = userEvent.setup({ applyAccept: false });
  const kept: unknown[] = [];
  show(<ImportDialog onClose={() => undefined} />, {
    answers: {
      'POST /api/dyno/experiments': (body) => {
        kept.push(body);
        return Response.json({ id: 'e' });
      },
    },
  });
  const text =
    'version: 1\nname: Kept\ntasks: [{ name: i, ingest: { source: { generator: systembase } } }]\n';
  await user.upload(picker(), [file('a.yml', text), file('b.yml', 'version: 1\n')]);
  await screen.findByText('a.yml: Kept');
  await user.click(screen.getByRole('button', { name: 'Import 1 experiment' }));
  await waitFor(() => expect(kept).toEqual([{ text }]));
});
