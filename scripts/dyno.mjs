#!/usr/bin/env node
// `npm run dyno -- <arguments>`: the command from a checkout. It runs in this very process, so signals, exit codes
// and the terminal need no handing on.
import './ends.mjs';
import { bootstrap } from './bootstrap.mjs';
import { buildOrFail } from './build.mjs';

await bootstrap();
await buildOrFail();
process.setSourceMapsEnabled(true);
await import('../build/dyno.js');
