#!/usr/bin/env node
// `npm run dyno -- <arguments>`: runs the command from a checkout, after rebuilding it if its sources have changed. The command runs in
// this process, so that signals, the exit code and the terminal work as usual.
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
