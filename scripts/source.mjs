// Lets a Node.js script use a TypeScript file of the product before any build has converted it to JavaScript.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT } from './bootstrap.mjs';

/** Returns a file below the root, with the files that it imports, as JavaScript. Packages stay imports. */
export async function sourceText(file) {
  const { buildSync } = await import('esbuild');
  const { outputFiles } = buildSync({
    absWorkingDir: ROOT,
    entryPoints: [file],
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    write: false,
  });
  return outputFiles[0].text;
}

/** Imports the text of a module. */
export async function importText(text) {
  const build = join(ROOT, 'build');
  mkdirSync(build, { recursive: true });
  // The module is written to a file below the root, so that its packages are found.
  const folder = mkdtempSync(join(build, 'source-'));
  try {
    const module = join(folder, 'module.mjs');
    writeFileSync(module, text);
    return await import(pathToFileURL(module).href);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

export const importSource = async (file) => await importText(await sourceText(file));
