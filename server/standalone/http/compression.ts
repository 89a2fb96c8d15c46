/**
 * Compresses JSON and text responses, complete or streamed, if the client accepts this. Files of the pages are already compressed by the
 * build.
 */
import { constants } from 'node:zlib';
import fastifyCompress from '@fastify/compress';
import type { FastifyInstance } from 'fastify';

/** Minimum size of responses that are compressed, in bytes. A smaller response fits into one packet without compression. */
const WORTH_COMPRESSING = 1400;
/**
 * Maximum size of responses that are compressed synchronously, in bytes. Compressing such a response blocks the event loop for less than 1
 * ms. Larger responses are compressed in zlib's threads.
 */
const AT_ONCE = 32 * 1024;

/**
 * Matches content types that are compressed. Downloads are excluded, because they are already compressed. Event streams are excluded,
 * because their events must be sent immediately.
 */
const COMPRESSIBLE = /^(application\/json|text\/(?!event-stream))/;

/** Registers the compression. Must be called before the routes are registered. */
export async function registerCompression(app: FastifyInstance): Promise<void> {
  await app.register(fastifyCompress, {
    // Requests are not decompressed: a few KB could expand to any amount of memory.
    globalDecompression: false,
    encodings: ['br', 'gzip'],
    threshold: WORTH_COMPRESSING,
    syncThreshold: AT_ONCE,
    customTypes: COMPRESSIBLE,
    // Low levels already compress these responses to a tenth, in a few milliseconds per megabyte.
    brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } },
    zlibOptions: { level: 4 },
  });
}
