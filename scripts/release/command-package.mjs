// Manifest of the command's npm package, and a check that it contains everything that the command needs. Imports only modules of Node.js.
import { isBuiltin } from 'node:module';

/** File that the command line calls. */
export const BIN = 'bin/dyno.mjs';

/** Returns the manifest of the package: without dependencies and install scripts. */
export const manifestOf = ({ name, version, description, license, type, engines }) => ({
  name,
  version,
  description,
  license,
  type,
  engines,
  bin: { [name]: BIN },
});

/** Returns whether a module belongs to Node.js, including those of later versions, such as `node:sqlite`, which are optional. */
const isOfNode = (path) => path.startsWith('node:') || isBuiltin(path);

/**
 * Returns imports that are missing from the package, as `<importer> imports <path>`: files, and packages, because none are installed with
 * it. `names`: files in the package. The second argument is esbuild's metafile of the bundles in the folder build.
 */
export function missingFrom(names, { outputs }) {
  const held = new Set(names.map((name) => `build/${name}`));
  return Object.entries(outputs).flatMap(([importer, { imports }]) =>
    imports
      .filter(({ path, external }) => (external ? !isOfNode(path) : !held.has(path)))
      .map(({ path }) => `${importer} imports ${path}`),
  );
}
