// Creates the bills of materials of artifacts, in CycloneDX JSON (https://cyclonedx.org/docs/1.6/json).
import { createHash } from 'node:crypto';

/**
 * Returns the package URL (https://github.com/package-url/purl-spec) of a package. Each path segment of the name is escaped, including
 * `@scope`.
 */
export const packageUrl = ({ type, name, version }) =>
  `pkg:${type}/${name.split('/').map(encodeURIComponent).join('/')}@${encodeURIComponent(version)}`;

/** Converts a licence to CycloneDX: an SPDX id, or an expression if the licence contains operators. */
const licencesOf = (licence) => [
  /[ ()]/.test(licence) ? { expression: licence } : { license: { id: licence } },
];

/**
 * Converts npm's integrity (`sha512-` and base64) to hex for CycloneDX. Returns {} for other texts, such as Go's sums, because these are
 * not hashes of a file.
 */
const hashesOf = (integrity) => {
  const found = /^sha512-(\S+)$/.exec(integrity ?? '');
  return found
    ? { hashes: [{ alg: 'SHA-512', content: Buffer.from(found[1], 'base64').toString('hex') }] }
    : {};
};

/** Returns a UUID (version 8) that is derived from a hash of the text. Therefore, equal bills of materials have equal UUIDs. */
function serialNumber(text) {
  const hex = createHash('sha256').update(text).digest('hex').slice(0, 32).split('');
  hex[12] = '8';
  hex[16] = '89ab'[parseInt(hex[16], 16) % 4];
  return `urn:uuid:${hex.join('').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')}`;
}

/**
 * Returns the bill of materials of one artifact. `product`: `{ name, version, description, licence }`; `packages`: from
 * scripts/release/shipped.mjs; `date`: date of the release.
 */
export function billOfMaterials(product, packages, date) {
  const { name, version, description, licence } = product;
  const own = `pkg:generic/${name}@${version}`;
  const components = packages.map((one) => ({
    type: 'library',
    'bom-ref': packageUrl(one),
    name: one.name,
    version: one.version,
    licenses: licencesOf(one.licence),
    purl: packageUrl(one),
    ...hashesOf(one.integrity),
  }));
  const bill = {
    metadata: {
      timestamp: date.toISOString(),
      component: {
        type: 'application',
        'bom-ref': own,
        name,
        version,
        description,
        licenses: licencesOf(licence),
        purl: own,
      },
    },
    components,
    dependencies: [{ ref: own, dependsOn: components.map((component) => component['bom-ref']) }],
  };
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: serialNumber(JSON.stringify(bill)),
    version: 1,
    ...bill,
  };
}
