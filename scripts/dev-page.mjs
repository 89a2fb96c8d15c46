// Is part of every page under `npm run dev`. Reloads the page when the pages or the server have changed.
/* global fetch, location, setTimeout -- of the page */

const PAUSE_MS = 500;

/**
 * Fetches the HTML of the page. It contains a number that changes with every build. Resolves to undefined if the server does not return the
 * page.
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
