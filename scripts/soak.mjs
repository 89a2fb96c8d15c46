// `npm run soak`: a server with a run each minute and restarts, for hours, see test/chaos/soak.ts.
import { bootstrap } from './bootstrap.mjs';
import { buildOrFail, ENTRIES } from './build.mjs';

await bootstrap();
await buildOrFail({ ...ENTRIES, soak: './test/chaos/soak.ts' });
process.setSourceMapsEnabled(true);
await import('../build/soak.js');
