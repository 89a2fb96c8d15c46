import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { connector } from './host';

test('refuses a certificate authority that is not PEM, and names option and file', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'dyno-ca-'));
  const file = path.join(folder, 'ca.der');
  writeFileSync(file, 'no certificate');
  await expect(connector({ ca: file })).rejects.toThrow(
    `--ca: the file contains no certificate in PEM (found ${file};`,
  );
  rmSync(folder, { recursive: true });
});
