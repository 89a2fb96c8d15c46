import { readFileSync } from 'node:fs';
import { join } from 'node:path';

interface Locked {
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}

/** Returns whether Node.js would find a package: in the folder node_modules of the importing package, or of a folder above it. */
function found(packages: Record<string, Locked>, from: string, name: string): boolean {
  for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/node_modules/')))) {
    if (`${at === '' ? '' : `${at}/`}node_modules/${name}` in packages) return true;
    if (at === '') return false;
  }
}

// `npm install` may write a lock file that lacks the packages for other systems. `npm ci` then fails on these systems.
test('the lock file names the packages of every operating system and processor', () => {
  const { packages } = JSON.parse(readFileSync(join(__dirname, '..', '..', 'package-lock.json'), 'utf8')) as {
    packages: Record<string, Locked>;
  };
  const missing = Object.entries(packages).flatMap(([path, { dependencies, optionalDependencies }]) =>
    Object.keys({ ...dependencies, ...optionalDependencies })
      .filter((name) => !found(packages, path, name))
      .map((name) => `${name} of ${path}`),
  );
  expect(missing).toEqual([]);
});
