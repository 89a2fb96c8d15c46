/** Compresses answers for whoever takes that: JSON and text, whole or as they are made. Assets are compressed when the app is built. */
import { constants } from 'node:zlib';
import fastifyCompress from '@fastify/compress';
import type { FastifyInstance } from 'fastify';

/** Smaller answers fit into a packet as they are, bytes. */
const WORTH_COMPRESSING = 1400;
/** Up to so many bytes are compressed at once, which takes less than a millisecond of the loop; longer ones in zlib's own threads. */
const AT_ONCE = 32 * 1024;

/** Not files for download that are compressed already, and not events, which must go out one by one. */
const COMPRESSIBLE = /^(application\/json|text\/(?!event-stream))/;

/** To be called before the routes are registered. */
export async function registerCompression(app: FastifyInstance): Promise<void> {
  await app.register(fastifyCompress, {
    // What requests send is not unpacked: a few KB could become any amount of memory.
    globalDecompression: false,
    encodings: ['br', 'gzip'],
    threshold: WORTH_COMPRESSING,
    syncThreshold: AT_ONCE,
    customTypes: COMPRESSIBLE,
    // What answers are made of is compressed to a tenth at levels that cost a few milliseconds a megabyte.
    brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } },
    zlibOptions: { level: 4 },
  });
}
