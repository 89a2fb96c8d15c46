import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { obstacleOnWay, openWay } from './identity';

const NOBODY = { uid: 65_534, gid: 65_534 };
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'dyno-identity-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const modeOf = (path: string): number => statSync(path).mode & 0o777;

describe('the way to a folder of Elasticsearch’s', () => {
  it('is opened where the folders are Dyno’s own, for passing and no more', async () => {
    await expect(openWay(join(folder, 'a', 'b'), folder, NOBODY)).resolves.toBeUndefined();
    expect(modeOf(folder)).toBe(0o701);
    await expect(obstacleOnWay(join(folder, 'a', 'b'), NOBODY)).resolves.toBeUndefined();
  });

  it('stays closed where a folder is somebody else’s, and nothing is made behind it', async () => {
    const own = join(folder, 'dyno');
    await expect(openWay(join(own, 'data'), own, NOBODY)).resolves.toBe(folder);
    expect(modeOf(folder)).toBe(0o700);
    expect(existsSync(own)).toBe(false);
  });

  it('is free when everybody may pass', async () => {
    chmodSync(folder, 0o755);
    mkdirSync(join(folder, 'open'), { mode: 0o755 });
    await expect(
      openWay(join(folder, 'open', 'data'), join(folder, 'open'), NOBODY),
    ).resolves.toBeUndefined();
    expect(modeOf(folder)).toBe(0o755);
  });

  it('needs nothing when Elasticsearch runs as the user', async () => {
    await expect(openWay(join(folder, 'a'), folder, undefined)).resolves.toBeUndefined();
    expect(modeOf(folder)).toBe(0o700);
  });
});
