/** Paths of the built files of dynobeat, Dyno's collector: its binary, which may be missing, and the index template of its events. */
import { access } from 'node:fs/promises';
import path from 'node:path';
import { isPackage } from '../how-called';

export interface CollectorFiles {
  /** Path of the dynobeat binary for this machine; undefined on a platform that is not supported. */
  collectorFile: string | undefined;
  metricsTemplateFile: string;
}

const ARCHITECTURES: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64' };

/**
 * Path at which the deb and rpm packages of dynobeat install the binary. The npm package of the `dyno` command does not contain the binary.
 */
const INSTALLED = '/usr/bin/dynobeat';

/**
 * Returns the paths. `build`: the folder to which scripts/build.mjs and scripts/build-collector.mjs write. If `dyno` is an installed
 * package (`isInstalled`), `build` is the folder of this package, which does not contain the binary of dynobeat.
 */
export function collectorFiles(build: string, isInstalled = isPackage): CollectorFiles {
  const architecture = process.platform === 'linux' ? ARCHITECTURES[process.arch] : undefined;
  const built = path.join(build, `dynobeat-linux-${architecture}`);
  return {
    collectorFile: architecture === undefined ? undefined : isInstalled ? INSTALLED : built,
    metricsTemplateFile: path.join(build, 'metrics-template.json'),
  };
}

/** Returns why the binary of dynobeat is missing, as part of a sentence; undefined if the binary exists. */
export async function whyMissing(collectorFile: string | undefined): Promise<string | undefined> {
  if (collectorFile === undefined) return 'it is built for Linux on amd64 and arm64';
  const isThere = await access(collectorFile).then(
    () => true,
    () => false,
  );
  if (isThere) return undefined;
  if (collectorFile === INSTALLED)
    return `${INSTALLED} is missing (install the package dynobeat, deb or rpm)`;
  const shown = path.join(path.basename(path.dirname(collectorFile)), path.basename(collectorFile));
  return `${shown} is not built (npm run build:collector)`;
}
