/**
 * Benchmark without a network: measures how fast documents are created by each generator, and from a profile. A profile is a description of
 * existing documents, from which Dyno creates similar documents.
 */
import { Learner } from '../../server/learn/learner';
import { generatorNamed, GENERATORS } from '../../common/generators/registry';
import { Batch } from '../../server/load/sources/batch';
import { GeneratorSource } from '../../server/load/sources/generator';
import { ProfileSource } from '../../server/load/sources/profile';
import type { DocumentSource } from '../../server/load/sources/source';
import { figure, type Row } from './table';

const DOCS = 1000;
const ROUNDS = 12;
/** Length of one round, in ms. */
const ROUND_MS = 150;

/** Number of documents from which a profile is learned. */
const LEARNED = 5000;

/**
 * Returns a source of documents that resemble the log lines of a web server. The source uses a profile that was learned from generated
 * lines.
 */
function profiled(): DocumentSource {
  const { document, mapping } = generatorNamed('apache-logs');
  const learner = new Learner({ documents: LEARNED, from: 'file', mapping, settings: {}, keep: new Set() });
  const batch = new Batch();
  new GeneratorSource(document(), { seed: 1, actionLine: '' }).fill(
    batch,
    { docs: LEARNED, bytes: Infinity },
    Date.now(),
  );
  for (const line of batch.body().toString('utf8').trim().split('\n'))
    learner.observe(JSON.parse(line) as Record<string, unknown>, Buffer.byteLength(line));
  return new ProfileSource(learner.finish(), 'now', { seed: 1, share: { index: 0, of: 1 } });
}

export function benchRendering(): Row[] {
  const sources: [string, () => DocumentSource][] = [
    ...GENERATORS.map(({ name, document }): [string, () => DocumentSource] => [
      name,
      () => new GeneratorSource(document(), { seed: 1 }),
    ]),
    ['profile of apache-logs', profiled],
  ];
  return sources.map(([generator, open]) => {
    const source = open();
    const batch = new Batch();
    let best = 0;
    // Least CPU time for a document, in ns. CPU time is used because other processes affect only the elapsed time.
    let cpuNs = Infinity;
    for (let round = 0; round < ROUNDS; round += 1) {
      const begun = performance.now();
      const before = process.cpuUsage();
      let documents = 0;
      while (performance.now() - begun < ROUND_MS) {
        batch.clear();
        source.fill(batch, { docs: DOCS, bytes: Infinity }, Date.now());
        documents += DOCS;
      }
      best = Math.max(best, documents / (performance.now() - begun));
      const { user, system } = process.cpuUsage(before);
      cpuNs = Math.min(cpuNs, ((user + system) * 1000) / documents);
    }
    return {
      generator,
      'M docs/s': figure(best / 1000),
      'CPU ns/doc': Math.round(cpuNs),
      'M docs/CPU s': figure(1000 / cpuNs),
      'bytes/doc': Math.round(batch.length / DOCS),
      'GB/s': figure((best * batch.length) / DOCS / 1e6),
    };
  });
}
