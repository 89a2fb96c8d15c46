// `npm run fuzz -- --seconds N`: sends hostile inputs to the parsers of requests, definitions, files and responses.
import { bootstrap } from './bootstrap.mjs';
import { buildOrFail } from './build.mjs';

await bootstrap();
await buildOrFail({ fuzz: './test/fuzz/main.ts' });
process.setSourceMapsEnabled(true);
await import('../build/fuzz.js');
