// Packs the plugin for each version of Kibana in kibana-versions.json. Kibana accepts only plugins for exactly its version.
import { readFileSync, renameSync } from 'node:fs';
import { basename, join } from 'node:path';
import { ROOT } from '../bootstrap.mjs';
import { buildPlugin } from '../build-plugin.mjs';
import { allOf, npmPackagesOf } from './shipped.mjs';
import { thirdPartyText } from './third-party.mjs';

/**
 * Packs the plugin, with the licences of everything that it contains, in the folder `out`. Resolves to the written files and the
 * third-party packages that they contain.
 */
export async function packPlugin(out) {
  const versions = JSON.parse(readFileSync(join(import.meta.dirname, 'kibana-versions.json'), 'utf8'));
  let packages;
  const zips = await buildPlugin(versions, (metafiles) => {
    packages = allOf(...metafiles.map(npmPackagesOf));
    return {
      LICENSE: readFileSync(join(ROOT, 'LICENSE'), 'utf8'),
      'THIRD-PARTY.txt': thirdPartyText('The plugin of Dyno for Kibana', packages),
    };
  });
  const files = zips.map((zip) => {
    const file = join(out, basename(zip));
    renameSync(zip, file);
    return file;
  });
  return { files, packages };
}
