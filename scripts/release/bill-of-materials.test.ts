import { billOfMaterials, packageUrl } from './bill-of-materials.mjs';
import { thirdPartyText } from './third-party.mjs';

const ZOD = {
  type: 'npm',
  name: 'zod',
  version: '4.6.7',
  licence: 'MIT',
  integrity: `sha512-${Buffer.from('hash').toString('base64')}`,
  texts: ['Terms of MIT'],
};
const ZAP = {
  type: 'golang',
  name: 'go.uber.org/zap',
  version: 'v1.21.0',
  licence: 'MIT OR Apache-2.0',
  integrity: 'h1:sum=',
  texts: ['Terms of MIT'],
};
const PRODUCT = { name: 'dyno', version: '1.0.0', licence: 'Apache-2.0', description: 'Dyno' };
const DATE = new Date('2026-12-01T00:00:00Z');

test('a package has a package URL', () => {
  expect(packageUrl(ZAP)).toBe('pkg:golang/go.uber.org/zap@v1.21.0');
  expect(packageUrl({ type: 'npm', name: '@elastic/eui', version: '122.1.0' })).toBe(
    'pkg:npm/%40elastic/eui@122.1.0',
  );
});

test('a bill lists the product, and each package with its licence and the hash of its file', () => {
  const bill = billOfMaterials(PRODUCT, [ZOD, ZAP], DATE);
  expect(bill).toMatchObject({ bomFormat: 'CycloneDX', specVersion: '1.6', version: 1 });
  expect(bill.metadata).toMatchObject({
    timestamp: '2026-12-01T00:00:00.000Z',
    component: { name: 'dyno', version: '1.0.0', licenses: [{ license: { id: 'Apache-2.0' } }] },
  });
  expect(bill.components[0]).toMatchObject({
    licenses: [{ license: { id: 'MIT' } }],
    hashes: [{ alg: 'SHA-512', content: Buffer.from('hash').toString('hex') }],
  });
  expect(bill.components[1]).toMatchObject({ licenses: [{ expression: 'MIT OR Apache-2.0' }] });
  expect(bill.components[1]).not.toHaveProperty('hashes');
  expect(bill.dependencies[0]?.dependsOn).toEqual([
    'pkg:npm/zod@4.6.7',
    'pkg:golang/go.uber.org/zap@v1.21.0',
  ]);
});

test('the serial number of a bill is derived from its content', () => {
  const serial = (packages: object[]): string => billOfMaterials(PRODUCT, packages, DATE).serialNumber;
  expect(serial([ZOD])).toMatch(
    /^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
  );
  expect(serial([ZOD])).toBe(serial([ZOD]));
  expect(serial([ZOD])).not.toBe(serial([ZAP]));
});

test('terms that several works share appear once, below their names', () => {
  const text = thirdPartyText('Dyno', [ZOD, ZAP, { ...ZOD, name: 'bare', texts: [] }]);
  expect(text).toContain('zod 4.6.7 (MIT)\ngo.uber.org/zap v1.21.0 (MIT OR Apache-2.0)\n\nTerms of MIT\n');
  expect(text.split('Terms of MIT')).toHaveLength(2);
  expect(text).toContain('bare 4.6.7 (MIT)\n\nThe package contains no licence text');
});
