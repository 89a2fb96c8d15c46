// Lets a Node.js script import TypeScript files of Dyno before a build exists.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT } from './bootstrap.mjs';

/**
 * Returns JavaScript that contains a TypeScript file and everything that it imports, except npm packages. `file`: path relative to the
 * root.
 */
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

/** Imports a module whose JavaScript is given as text. Resolves to its exports. */
export async function importText(text) {
  const build = join(ROOT, 'build');
  mkdirSync(build, { recursive: true });
  // The text is written to a file below the root, so that Node.js finds the packages that it imports.
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
