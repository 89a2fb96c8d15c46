// Is part of every page under `npm run dev`. Reloads the page when the pages or the server have changed.
/* global fetch, location, setTimeout -- of the page */

const PAUSE_MS = 500;

/**
 * Fetches the HTML of the page, which contains a number that changes with every build. Resolves to undefined while the server is not
 * available.
 */
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
