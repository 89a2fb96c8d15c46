// `npm run bench`: measures how much load the generator can produce on this machine.
import { bootstrap } from './bootstrap.mjs';
import { buildOrFail, ENTRIES } from './build.mjs';

await bootstrap();
await buildOrFail({
  ...ENTRIES,
  bench: './test/bench/main.ts',
  'bench-figures': './test/bench/figures.ts',
  'bench-sink': './test/bench/sink.ts',
  'bench-relay': './test/bench/relay-process.ts',
});
process.setSourceMapsEnabled(true);
await import('../build/bench.js');
