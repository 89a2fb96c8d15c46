// `npm run soak`: runs a server for hours. The server executes a run every minute and is restarted again and again; see test/chaos/soak.ts.
import { bootstrap } from './bootstrap.mjs';
import { buildOrFail, ENTRIES } from './build.mjs';

await bootstrap();
await buildOrFail({ ...ENTRIES, soak: './test/chaos/soak.ts' });
process.setSourceMapsEnabled(true);
await import('../build/soak.js');
