// In every page under `npm run dev`: loads it again when it was written again, which is when pages or server have changed.
/* global fetch, location, setTimeout -- of the page */

const PAUSE_MS = 500;

/** The page as the server has it now; undefined while the server is away. */
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
