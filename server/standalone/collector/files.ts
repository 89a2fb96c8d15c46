/** What the build makes for the collector: the binary, which may be missing, and the index template of its events. */
import { access } from 'node:fs/promises';
import path from 'node:path';
import { isPackage } from '../how-called';

export interface CollectorFiles {
  /** dynobeat for this machine; undefined on machines that it is not built for. */
  collectorFile: string | undefined;
  metricsTemplateFile: string;
}

const ARCHITECTURES: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64' };

/** Where the collector's own packages put it, which the package of the command does not bring. */
const INSTALLED = '/usr/bin/dynobeat';

/**
 * `build`: the folder that scripts/build.mjs and scripts/build-collector.mjs write to, or that of the installed command
 * (`isInstalled`), which has all of it but the collector.
 */
export function collectorFiles(build: string, isInstalled = isPackage): CollectorFiles {
  const architecture = process.platform === 'linux' ? ARCHITECTURES[process.arch] : undefined;
  const built = path.join(build, `dynobeat-linux-${architecture}`);
  return {
    collectorFile: architecture === undefined ? undefined : isInstalled ? INSTALLED : built,
    metricsTemplateFile: path.join(build, 'metrics-template.json'),
  };
}

/** Why there is no collector, as part of a sentence; undefined if there is one. */
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
