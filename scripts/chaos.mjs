// `npm run chaos`: executes runs and causes faults at random moments; see test/chaos/main.ts.
import { bootstrap } from './bootstrap.mjs';
import { buildOrFail, ENTRIES } from './build.mjs';

await bootstrap();
await buildOrFail({ ...ENTRIES, chaos: './test/chaos/main.ts' });
process.setSourceMapsEnabled(true);
await import('../build/chaos.js');
