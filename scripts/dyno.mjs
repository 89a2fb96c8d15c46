#!/usr/bin/env node
// `npm run dyno -- <arguments>`: runs the command from a checkout and rebuilds it if its sources have changed. It runs in the same process, so
// signals, exit codes and the terminal work without forwarding.
import './ends.mjs';
import { bootstrap, checkNode, ROOT } from './bootstrap.mjs';
import { isFresh } from './freshness.mjs';

checkNode();
if (!isFresh(ROOT)) {
  await bootstrap();
  const { buildOrFail } = await import('./build.mjs');
  await buildOrFail();
}
await import('../build/dyno.js');
