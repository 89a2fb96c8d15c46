// What the package of the command says of itself, and whether all is in it that the command needs. Imports only what Node.js brings.
import { isBuiltin } from 'node:module';

/** What the command line calls. */
export const BIN = 'bin/dyno.mjs';

/** As npm reads it when it is installed: no packages beside it, and nothing that runs. */
export const manifestOf = ({ name, version, description, license, type, engines }) => ({
  name,
  version,
  description,
  license,
  type,
  engines,
  bin: { [name]: BIN },
});

/** Also what only a later Node.js brings, such as `node:sqlite`: it is asked for where it is there. */
const isOfNode = (path) => path.startsWith('node:') || isBuiltin(path);

/**
 * What the bundles import that the package does not hold, `<importer> imports <path>`: other packages, which nobody installs
 * beside it, and files. `names`: of what is in the package; `metafile`: what esbuild tells of bundles in the folder build.
 */
export function missingFrom(names, { outputs }) {
  const held = new Set(names.map((name) => `build/${name}`));
  return Object.entries(outputs).flatMap(([importer, { imports }]) =>
    imports
      .filter(({ path, external }) => (external ? !isOfNode(path) : !held.has(path)))
      .map(({ path }) => `${importer} imports ${path}`),
  );
}
