/** How fast each generator renders documents into a batch, without any network. */
import { GENERATORS } from '../../common/generators/registry';
import { Batch } from '../../server/load/sources/batch';
import { GeneratorSource } from '../../server/load/sources/generator';
import { figure, type Row } from './table';

const DOCS = 1000;
const ROUNDS = 12;
/** Of one round. */
const ROUND_MS = 150;

export function benchRendering(): Row[] {
  return GENERATORS.map(({ name: generator, document }) => {
    const source = new GeneratorSource(document(), { seed: 1 });
    const batch = new Batch();
    let best = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      const begun = performance.now();
      let documents = 0;
      while (performance.now() - begun < ROUND_MS) {
        batch.clear();
        source.fill(batch, { docs: DOCS, bytes: Infinity }, Date.now());
        documents += DOCS;
      }
      best = Math.max(best, documents / (performance.now() - begun));
    }
    return {
      generator,
      'M docs/s': figure(best / 1000),
      'bytes/doc': Math.round(batch.length / DOCS),
      'GB/s': figure((best * batch.length) / DOCS / 1e6),
    };
  });
}
