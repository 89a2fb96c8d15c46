// Creates the manifest (package.json) of the command's npm package, and checks that the package contains everything that the command needs.
// Imports only modules of Node.js.
import { isBuiltin } from 'node:module';

/** File in the npm package that is executed when a user calls `dyno`. */
export const BIN = 'bin/dyno.mjs';

/** Returns the manifest of the package. It has no dependencies and no install scripts. */
export const manifestOf = ({ name, version, description, license, type, engines }) => ({
  name,
  version,
  description,
  license,
  type,
  engines,
  bin: { [name]: BIN },
});

/** Returns whether a module belongs to Node.js. This includes optional modules of later versions, such as `node:sqlite`. */
const isOfNode = (path) => path.startsWith('node:') || isBuiltin(path);

/**
 * Returns the imports that would fail in the installed package, as `<importer> imports <path>`. These imports refer to files that the
 * package does not contain, or to other npm packages. `names`: files in the package. The second argument is esbuild's metafile of the
 * bundles.
 */
export function missingFrom(names, { outputs }) {
  const held = new Set(names.map((name) => `build/${name}`));
  return Object.entries(outputs).flatMap(([importer, { imports }]) =>
    imports
      .filter(({ path, external }) => (external ? !isOfNode(path) : !held.has(path)))
      .map(({ path }) => `${importer} imports ${path}`),
  );
}
