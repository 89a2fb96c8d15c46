// Jest's transformer of files of tests: their bundles, where they have one (see test-bundles.mjs).
import swc from '@swc/jest';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { bundleOf } from './test-bundles.mjs';

const OWN = readFileSync(fileURLToPath(import.meta.url));

/**
 * A default export is what the package says it is, as `@swc/jest` has it and bundlers do; in a project of ES modules esbuild takes it
 * for all that a CommonJS package exports, as Node.js does.
 */
const withDefaults = (code) => code.replaceAll(/__toESM\((require\("[^"]+"\)), 1\)/g, '__toESM($1)');

/** `transformerConfig`: of `@swc/jest`, by which the others go. */
export default {
  createTransformer(transformerConfig) {
    const other = swc.createTransformer(transformerConfig);
    return {
      canInstrument: false,
      getCacheKey(text, file, options) {
        const bundle = bundleOf(file);
        if (!existsSync(bundle)) return other.getCacheKey(text, file, options);
        return createHash('sha256')
          .update(OWN)
          .update(readFileSync(bundle))
          .update(options.configString)
          .digest('hex');
      },
      process(text, file, options) {
        const bundle = bundleOf(file);
        if (!existsSync(bundle)) return other.process(text, file, options);
        return {
          code: withDefaults(readFileSync(bundle, 'utf8')),
          map: readFileSync(`${bundle}.map`, 'utf8'),
        };
      },
    };
  },
};
