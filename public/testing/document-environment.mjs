/**
 * Test environment for components: jsdom, with browser features that jsdom lacks. Node.js has the same features, so its implementations are
 * used.
 */
import { TestEnvironment } from 'jest-environment-jsdom';

const MISSING = [
  'TextDecoder',
  'TextEncoder',
  'fetch',
  'Headers',
  'Request',
  'Response',
  'structuredClone',
  'CompressionStream',
  'DecompressionStream',
  'ReadableStream',
];

export default class extends TestEnvironment {
  constructor(...given) {
    super(...given);
    for (const name of MISSING) this.global[name] ??= globalThis[name];
    // jsdom's own `Uint8Array` is replaced, because the decoder only accepts instances of Node's.
    this.global.Uint8Array = Uint8Array;
    this.global.ArrayBuffer = ArrayBuffer;
  }
}
