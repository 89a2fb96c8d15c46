/** jsdom with what every browser has and jsdom does not: Node's own, which behave the same. */
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
    // Typed arrays of two realms are not each other's instances, and the decoder takes Node's.
    this.global.Uint8Array = Uint8Array;
    this.global.ArrayBuffer = ArrayBuffer;
  }
}
