// Part of every page under `npm run dev`: reloads the page when pages or server have changed.
/* global fetch, location, setTimeout -- of the page */

const PAUSE_MS = 500;

/** Fetches the text of the current page, which changes with every build; undefined while the server is unavailable. */
const written = () =>
  fetch('/', { cache: 'no-store' })
    .then((answer) => (answer.ok ? answer.text() : undefined))
    .catch(() => undefined);

const first = await written();
for (;;) {
  await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  const now = await written();
  if (now !== undefined && now !== first) location.reload();
}
