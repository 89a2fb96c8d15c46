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

describe('access to a folder of Elasticsearch', () => {
  it('is granted on Dyno’s own folders, only with execute permission', async () => {
    await expect(openWay(join(folder, 'a', 'b'), folder, NOBODY)).resolves.toBeUndefined();
    expect(modeOf(folder)).toBe(0o701);
    await expect(obstacleOnWay(join(folder, 'a', 'b'), NOBODY)).resolves.toBeUndefined();
  });

  it('is not granted on folders of other users, and nothing is created below them', async () => {
    const own = join(folder, 'dyno');
    await expect(openWay(join(own, 'data'), own, NOBODY)).resolves.toBe(folder);
    expect(modeOf(folder)).toBe(0o700);
    expect(existsSync(own)).toBe(false);
  });

  it('needs no change if everyone has execute permission', async () => {
    chmodSync(folder, 0o755);
    mkdirSync(join(folder, 'open'), { mode: 0o755 });
    await expect(
      openWay(join(folder, 'open', 'data'), join(folder, 'open'), NOBODY),
    ).resolves.toBeUndefined();
    expect(modeOf(folder)).toBe(0o755);
  });

  it('needs no change if Elasticsearch runs as the user', async () => {
    await expect(openWay(join(folder, 'a'), folder, undefined)).resolves.toBeUndefined();
    expect(modeOf(folder)).toBe(0o700);
  });
});
