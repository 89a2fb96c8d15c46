// `npm run fuzz -- --seconds N`: hostile inputs to what reads requests, definitions, files and answers.
import { bootstrap } from './bootstrap.mjs';
import { buildOrFail } from './build.mjs';

await bootstrap();
await buildOrFail({ fuzz: './test/fuzz/main.ts' });
process.setSourceMapsEnabled(true);
await import('../build/fuzz.js');
