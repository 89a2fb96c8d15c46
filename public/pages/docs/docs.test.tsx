import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Route, Routes } from 'react-router';
import { show } from '../../testing/fake-host';
import DocsPage from '.';

const user = userEvent.setup();

const showDocs = (path: string) =>
  show(
    <Routes>
      <Route path="/docs/:name" element={<DocsPage />} />
    </Routes>,
    { path },
  );

const field = (): HTMLElement => screen.getByRole('searchbox', { name: 'Search the documentation' });

test('code in a table shows a pipe without the backslash that the file needs', () => {
  const { container } = showDocs('/docs/definition');
  expect(container.textContent).toContain('rises|falls|stays with');
  expect(container.textContent).not.toContain('\\|');
});

test('the documentation is searched by the keyboard alone', async () => {
  const { history } = showDocs('/docs/experiments');
  act(() => void fireEvent.keyDown(document.body, { key: '/' }));
  expect(document.activeElement).toBe(field());
  await user.keyboard('quiet periods');
  const links = screen.getByRole('search').querySelectorAll('a');
  expect(links.length).toBeGreaterThan(0);
  await user.keyboard('{ArrowDown}');
  expect(document.activeElement).toBe(links[0]);
  await user.keyboard('{ArrowUp}');
  expect(document.activeElement).toBe(field());
  await user.keyboard('{Enter}');
  const found = links[0]!.getAttribute('href')!.replace(/^.*(?=\/docs)/, '');
  await waitFor(() => expect(history.location.pathname + history.location.hash).toBe(found));
});

test('a search without a hit says so, and Escape ends it', async () => {
  showDocs('/docs/experiments?q=xyzzyplugh');
  expect(screen.getByText(/No section contains all of these words/)).toBeTruthy();
  act(() => field().focus());
  await user.keyboard('{Escape}');
  expect(screen.queryByText(/No section contains all of these words/)).toBeNull();
});
