import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { HistoryNote } from '../../../common/history/annotations';
import { show } from '../../testing/fake-host';
import { BaselineMenu } from './baseline-menu';
import { NotesPart } from './notes-part';

const experiment = { id: 'e1', name: 'Searches' };
const runs = [
  { run: 'r1', at: '2026-11-01T02:00:00.000Z' },
  { run: 'r2', at: '2026-11-02T02:00:00.000Z' },
];
const note: HistoryNote = {
  id: 'n1',
  version: '3-1',
  run: 'r1',
  at: runs[0]!.at,
  text: 'the new disk',
  author: 'anna',
  created: runs[1]!.at,
  updated: runs[1]!.at,
};

/** Returns simulated answers for requests to a path. `sent` contains the bodies of the requests so far. */
function recorded(path: string, answer: () => Response) {
  const sent: unknown[] = [];
  return {
    sent,
    answers: {
      [path]: (body: unknown): Response => {
        sent.push(body);
        return answer();
      },
    },
  };
}

test('a note is about the newest run unless another one is chosen', async () => {
  const { sent, answers } = recorded('POST /api/dyno/experiments/e1/notes', () => Response.json(note));
  show(<NotesPart history={{ experiment, nights: runs, notes: [] }} />, { answers });
  expect(screen.getByText(/no note in this time range/)).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Add note' }));
  const dialog = await screen.findByRole('dialog');
  const save = within(dialog).getByRole('button', { name: 'Save note' });
  expect((save as HTMLButtonElement).disabled).toBe(true);
  await userEvent.type(within(dialog).getByRole('textbox', { name: 'Note' }), 'the old disk');
  await userEvent.click(save);
  await waitFor(() => expect(sent).toEqual([{ text: 'the old disk', about: { run: 'r2' } }]));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('a note leads to its run, unless the history no longer has it', () => {
  const gone: HistoryNote = { ...note, id: 'n2', run: 'r9', text: 'of a run that was deleted' };
  show(<NotesPart history={{ experiment, nights: runs, notes: [note, gone] }} />, {});
  expect(screen.getByText('of a run that was deleted')).toBeTruthy();
  expect(screen.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual([
    expect.stringMatching(/\/runs\/r1$/),
  ]);
});

test('a double click saves one note', async () => {
  const { sent, answers } = recorded('POST /api/dyno/experiments/e1/notes', () => Response.json(note));
  show(<NotesPart history={{ experiment, nights: runs, notes: [] }} />, { answers });
  await userEvent.click(screen.getByRole('button', { name: 'Add note' }));
  const dialog = await screen.findByRole('dialog');
  await userEvent.type(within(dialog).getByRole('textbox', { name: 'Note' }), 'the old disk');
  const save = within(dialog).getByRole('button', { name: 'Save note' });
  // Both clicks happen in one turn, before the page shows that the first one is being saved.
  save.click();
  save.click();
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(sent).toHaveLength(1);
});

test('a note that somebody else has changed is not overwritten', async () => {
  const conflict = {
    statusCode: 409,
    error: 'Conflict',
    message: 'changed',
    attributes: { problems: [{ code: 'note.conflict', path: 'version', message: 'changed' }], current: note },
  };
  const { sent, answers } = recorded('PUT /api/dyno/experiments/e1/notes/n1', () =>
    Response.json(conflict, { status: 409 }),
  );
  show(<NotesPart history={{ experiment, nights: runs, notes: [note] }} />, { answers });
  expect(screen.getByText('anna')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Edit note' }));
  const dialog = await screen.findByRole('dialog');
  await userEvent.type(within(dialog).getByRole('textbox', { name: 'Note' }), '!');
  await userEvent.click(within(dialog).getByRole('button', { name: 'Save note' }));
  expect(await within(dialog).findByText(/Somebody else has changed this note/)).toBeTruthy();
  // The run of the note is unchanged and therefore not sent.
  expect(sent).toEqual([{ text: 'the new disk!', version: '3-1' }]);
});

test('a note is deleted after confirmation, and not by users who may only read', async () => {
  const { sent, answers } = recorded('DELETE /api/dyno/experiments/e1/notes/n1', () => Response.json({}));
  const { unmount } = show(<NotesPart history={{ experiment, nights: runs, notes: [note] }} />, { answers });
  await userEvent.click(screen.getByRole('button', { name: 'Delete note' }));
  const dialog = await screen.findByRole('alertdialog');
  await userEvent.click(within(dialog).getByRole('button', { name: 'Delete note' }));
  await waitFor(() => expect(sent).toHaveLength(1));
  unmount();
  show(<NotesPart history={{ experiment, nights: runs, notes: [note] }} />, { privilege: 'read' });
  expect(screen.getByText('the new disk')).toBeTruthy();
  expect(screen.queryByRole('button', { name: /note/ })).toBeNull();
});

const baseline = {
  baseline: { run: 'r1', author: 'anna', updated: runs[1]!.at },
  label: 'run r1',
  nights: [0],
  run: 'r1',
};

test('the baseline is set to all runs of a version', async () => {
  const { sent, answers } = recorded('PUT /api/dyno/experiments/e1/baseline', () => Response.json(baseline));
  show(<BaselineMenu history={{ experiment, nights: runs, baseline: null }} />, {
    answers: {
      ...answers,
      'GET /api/dyno/experiments/e1/baseline': () =>
        Response.json({ baseline: null, traits: [{ trait: 'Elasticsearch', value: '9.4.0' }] }),
    },
  });
  await userEvent.click(screen.getByRole('button', { name: 'No baseline' }));
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Set baseline' }));
  const dialog = await screen.findByRole('dialog', { name: 'Set the baseline' });
  await userEvent.selectOptions(within(dialog).getByRole('combobox', { name: 'Compare with' }), 'trait');
  expect(await within(dialog).findByRole('option', { name: 'Elasticsearch 9.4.0' })).toBeTruthy();
  await userEvent.click(within(dialog).getByRole('button', { name: 'Set baseline' }));
  await waitFor(() =>
    expect(sent).toEqual([{ of: { trait: 'Elasticsearch', value: '9.4.0', since: null } }]),
  );
});

test('users who may only read see the baseline, and others can remove it', async () => {
  const { unmount } = show(<BaselineMenu history={{ experiment, nights: runs, baseline }} />, {
    privilege: 'read',
  });
  expect(screen.getByText('Baseline: run r1')).toBeTruthy();
  expect(screen.queryByRole('button')).toBeNull();
  unmount();
  const { sent, answers } = recorded('DELETE /api/dyno/experiments/e1/baseline', () =>
    Response.json({ removed: true }),
  );
  show(<BaselineMenu history={{ experiment, nights: runs, baseline }} />, { answers });
  await userEvent.click(screen.getByRole('button', { name: 'Baseline: run r1' }));
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Remove baseline' }));
  await waitFor(() => expect(sent).toHaveLength(1));
});
