import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createRandom, deriveSeed } from '../../common/random';
import { makeConversation, relayedTraffic } from './relayed';

/** Number of requests that are tried. `DYNO_RELAYED_REQUESTS=100000` changes it. */
const REQUESTS = Number(process.env['DYNO_RELAYED_REQUESTS'] ?? 1500);
const SEED = Number(process.env['DYNO_RELAYED_SEED'] ?? 1);
/** Number of parallel connections. */
const LANES = 24;

test(
  'every byte passes the recorder unchanged, and every request is recorded that can be read',
  async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'dyno-relayed-'));
    try {
      const traffic = await relayedTraffic(path.join(folder, 'a.traffic.gz'));
      let requests = 0;
      let last = 0;
      const lane = async (): Promise<void> => {
        while (requests < REQUESTS) {
          last += 1;
          const talk = makeConversation(createRandom(deriveSeed(SEED, 'relayed', last)), last);
          requests += talk.requests;
          await traffic.hold(talk);
        }
      };
      await Promise.all(Array.from({ length: LANES }, lane));
      const { requests: recorded, unread } = await traffic.check();
      expect(requests).toBeGreaterThanOrEqual(REQUESTS);
      expect(recorded).toBeGreaterThan(REQUESTS * 0.8);
      expect(unread).toBeGreaterThan(0);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
  Math.max(60_000, REQUESTS * 10),
);
