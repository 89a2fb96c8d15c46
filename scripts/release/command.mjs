// Packs the command as an npm package with the licences of its contents.
import { packCommand } from './npm.mjs';
import { allOf, npmPackagesOf } from './shipped.mjs';
import { thirdPartyText } from './third-party.mjs';

/**
 * Packs the command, with the licences of everything that it contains, in the folder `out`. Resolves to the written files and the
 * third-party packages that they contain.
 */
export async function packLicensedCommand(out) {
  let packages;
  const files = await packCommand(out, {
    notices: (metafiles) => {
      packages = allOf(...metafiles.map(npmPackagesOf));
      return thirdPartyText('The command dyno', packages);
    },
  });
  return { files, packages };
}
