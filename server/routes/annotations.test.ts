import { ANNOTATION_ROUTES, type NoteAbout } from '../../common/api/annotations';
import { inputError } from '../../common/problem';
import { placeOf } from './annotations';
import { experimentHandlers } from './experiments';
import type { Services } from './services';

const none = { getRun: () => Promise.resolve(undefined) } as unknown as Services['results'];
const note = (at: string): object => ({ text: 'a new disk', about: { at }, author: '' });
const readNote = (at: string): NoteAbout => ANNOTATION_ROUTES.addNote.body.parse(note(at)).about;

test.each([
  ['2026-11-20', '2026-11-20T00:00:00.000Z'],
  ['2026-11-20T02:30:00Z', '2026-11-20T02:30:00.000Z'],
])('a note about %s is about %s', async (written, at) => {
  expect(await placeOf({ results: none }, 'searches', readNote(written))).toEqual({ run: null, at });
});

test.each(['2026-11-31', 'yesterday', '2026-11'])('%s is not a valid time of a note', (written) => {
  expect(ANNOTATION_ROUTES.addNote.body.safeParse(note(written)).success).toBe(false);
});

test('an unknown experiment has no list of missed times', async () => {
  const { getMissed } = experimentHandlers({
    histories: { find: () => Promise.resolve([]) },
    experiments: { get: () => Promise.reject(inputError('experiment.not-found', 'id', 'it does not exist')) },
    scheduleLog: { missed: () => Promise.resolve([]) },
  } as unknown as Services);
  const asked = { params: { id: 'nope' }, query: { limit: 5 } };
  await expect(getMissed(asked, { signal: new AbortController().signal })).rejects.toMatchObject({
    code: 'experiment.not-found',
  });
});
