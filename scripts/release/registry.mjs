// The artifacts of a release. Each entry writes files to the folder `release.out`. It returns these files and the packages in them, `{
// files, products: [{ product, packages }] }`, for bills of materials and licences. For `product`, see
// scripts/release/bill-of-materials.mjs.
import { ARCHITECTURES, buildCollector } from '../build-collector.mjs';
import { packCollector } from './collector.mjs';
import { packLicensedCommand } from './command.mjs';
import { packPlugin } from './plugin.mjs';
import { allOf, goModulesOf } from './shipped.mjs';

export const ARTIFACTS = [
  {
    name: 'plugin',
    what: 'the plugin, a zip for each version of Kibana',
    make: async ({ out, version, licence }) => {
      const { files, packages } = await packPlugin(out);
      const product = { name: 'dyno-plugin', version, licence, description: 'The plugin of Dyno for Kibana' };
      return { files, products: [{ product, packages }] };
    },
  },
  {
    name: 'command',
    what: 'the command with server and pages, an npm package',
    make: async ({ out, version, licence }) => {
      const { files, packages } = await packLicensedCommand(out);
      const product = {
        name: 'dyno',
        version,
        licence,
        description: 'The command of Dyno, with server and pages',
      };
      return { files, products: [{ product, packages }] };
    },
  },
  {
    name: 'collector',
    what: 'dynobeat for amd64 and arm64: tar.gz, deb, rpm',
    make: async (release) => {
      const built = await buildCollector(ARCHITECTURES);
      const binaries = Object.fromEntries(ARCHITECTURES.map((name, i) => [name, built[i]]));
      const modules = allOf(...built.map(goModulesOf));
      const { version, licence } = release;
      const product = { name: 'dynobeat', version, licence, description: 'The collector of Dyno' };
      return {
        files: packCollector(release, binaries, modules),
        products: [{ product, packages: modules }],
      };
    },
  },
];
