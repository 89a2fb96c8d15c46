import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ProcFile } from './proc-file';

test('what a file holds now is read each time, as far as was asked for; nothing once it is closed', () => {
  const folder = mkdtempSync(join(tmpdir(), 'dyno-proc-'));
  const path = join(folder, 'file');
  try {
    expect(new ProcFile(path, 4).read()).toBeNull();
    writeFileSync(path, '12');
    const file = new ProcFile(path, 4);
    expect(file.read()).toBe('12');
    writeFileSync(path, '345678');
    expect(file.read()).toBe('3456');
    file.close();
    expect(file.read()).toBeNull();
  } finally {
    rmSync(folder, { recursive: true });
  }
});
