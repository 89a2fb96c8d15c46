import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { buffer } from 'node:stream/consumers';
import { builtArchitectures, packageCollector } from './package';
import { tarHeader } from './tar';

const run = promisify(execFile);

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'dyno-package-'));
});
afterEach(() => rm(folder, { recursive: true }));

test('packs the binary, its unit and the configuration into an archive that tar can unpack', async () => {
  const binary = Buffer.from('binary'.repeat(5000));
  await writeFile(path.join(folder, 'dynobeat-linux-amd64'), binary);
  await writeFile(path.join(folder, 'dynobeat.service'), '[Service]\n');
  expect(await builtArchitectures(folder)).toEqual(['amd64']);
  const configuration = 'dynobeat.modules: []\n';
  const { stream, fileName } = await packageCollector({
    build: folder,
    architecture: 'amd64',
    configuration,
  });
  expect(fileName).toBe('dynobeat-linux-amd64.tar.gz');
  await writeFile(path.join(folder, fileName), await buffer(stream));
  const out = path.join(folder, 'out');
  await mkdir(out);
  const { stderr } = await run('tar', ['-xzf', path.join('..', fileName), '--no-same-owner'], { cwd: out });
  expect(stderr).toBe('');
  const unpacked = (name: string): Promise<Buffer> => readFile(path.join(out, 'dynobeat-linux-amd64', name));
  expect((await unpacked('dynobeat')).equals(binary)).toBe(true);
  expect((await unpacked('dynobeat.yml')).toString()).toBe(configuration);
  expect((await unpacked('README.txt')).toString()).toContain('systemctl enable --now dynobeat');
  const { stdout } = await run('tar', ['-tvzf', fileName], { cwd: folder });
  expect(stdout).toMatch(/^-rwxr-xr-x root\/root\s+30000 .* dynobeat-linux-amd64\/dynobeat$/m);
  expect(stdout).toMatch(/^-rw------- root\/root\s+21 .* dynobeat-linux-amd64\/dynobeat\.yml$/m);
  expect(stdout).toContain('dynobeat-linux-amd64/dynobeat.service');
});

test('refuses an architecture that is not built, and names the command that builds it', async () => {
  expect(await builtArchitectures(folder)).toEqual([]);
  await expect(
    packageCollector({ build: folder, architecture: 'arm64', configuration: '' }),
  ).rejects.toMatchObject({ code: 'collector.no-package', kind: 'input' });
});

test('refuses a name that is too long for tar', () => {
  expect(() => tarHeader({ name: 'x'.repeat(101), size: 0, mode: 0o644, at: new Date(0) })).toThrow(
    'too long',
  );
});
