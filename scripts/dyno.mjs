#!/usr/bin/env node
// `npm run dyno -- <arguments>`: the command from a checkout, built where its sources have changed. It runs in this very process,
// so signals, exit codes and the terminal need no handing on.
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
