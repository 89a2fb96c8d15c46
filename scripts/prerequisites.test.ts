import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MINIMUM_GO } from './go.mjs';
import { whatIsMissing } from './prerequisites.mjs';

let folder: string;
let programs: string;
let consoleError: jest.SpyInstance;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'dyno-prerequisites-'));
  programs = join(folder, 'bin');
  mkdirSync(programs);
  consoleError = jest.spyOn(console, 'error').mockImplementation(() => undefined);
});
afterEach(() => {
  consoleError.mockRestore();
  rmSync(folder, { recursive: true });
});

/** Creates a program on the simulated machine. */
function program(name: string, script = '', at = programs): string {
  mkdirSync(at, { recursive: true });
  const file = join(at, name);
  writeFileSync(file, `#!/bin/sh\n${script}\n`);
  chmodSync(file, 0o755);
  return file;
}

const go = (version: string, at?: string): string => program('go', `echo ${version}`, at);
const goThatFits = (at?: string): string => go(`go${MINIMUM_GO.join('.')}.1`, at);

function jdk(version: string): string {
  const home = join(folder, 'jvm', `jdk-${version}`);
  program('java', '', join(home, 'bin'));
  program('javac', '', join(home, 'bin'));
  writeFileSync(join(home, 'release'), `JAVA_VERSION="${version}"\n`);
  return home;
}

const machine = ({
  isRoot = true,
  environment = {},
  reaches = (_url: string): Promise<boolean> => Promise.resolve(false),
} = {}): NonNullable<Parameters<typeof whatIsMissing>[1]> => ({
  environment: { PATH: programs, ...environment },
  jdkFolders: [join(folder, 'jvm')],
  goFolder: join(folder, 'go'),
  isRoot,
  platform: 'linux',
  arch: 'x64',
  reaches,
});

describe('what the tests lack on a machine', () => {
  it('is nothing if Go, a JDK and Chromium are installed', async () => {
    goThatFits();
    jdk('21.0.2');
    program('chromium');
    await expect(whatIsMissing(undefined, machine())).resolves.toBeUndefined();
  });

  it('does not include what can be downloaded', async () => {
    program('chromium');
    const asked: string[] = [];
    const reaches = (url: string): Promise<boolean> => Promise.resolve(asked.push(url) > 0);
    const environment = { GOPROXY: 'https://proxy.example,direct', DYNO_ADOPTIUM: '' };
    await expect(whatIsMissing(undefined, machine({ reaches, environment }))).resolves.toBeUndefined();
    expect(asked.sort()).toEqual(['https://api.adoptium.net', 'https://proxy.example']);
  });

  it('is reported in one sentence with one command, and old versions with their number', async () => {
    go('go1.19.8');
    const old = jdk('17.0.15');
    program('chromium');
    program('curl');
    const minimum = MINIMUM_GO.join('.');
    const jvm = join(folder, 'jvm');
    await expect(whatIsMissing(undefined, machine())).resolves.toBe(
      `the tests need Go ${minimum} or later (this is go1.19.8) and ` +
        `a JDK 21 or later (${old} is Java 17.0.15, 21 or later is needed): ` +
        `run \`curl -fsSL https://go.dev/dl/go${minimum}.0.linux-amd64.tar.gz | tar -xzC ${folder} && ` +
        `export PATH=${folder}/go/bin:$PATH && mkdir -p ${jvm} && ` +
        `curl -fsSL https://api.adoptium.net/v3/binary/latest/25/ga/linux/x64/jdk/hotspot/normal/eclipse | tar -xzC ${jvm}\`, ` +
        'then start the tests again',
    );
  });

  it('is installed with sudo if the user is not root, with the download tool of the machine', async () => {
    jdk('25.0.1');
    program('chromium');
    program('wget');
    await expect(whatIsMissing('collector', machine({ isRoot: false }))).resolves.toMatch(
      /run `wget -qO- https:\/\/go\.dev\S+ \| sudo tar -xzC/,
    );
    rmSync(join(programs, 'wget'));
    program('apt-get');
    await expect(whatIsMissing('collector', machine())).resolves.toMatch(
      /run `apt-get update && apt-get install -y curl && curl -fsSL https:\/\/go\.dev/,
    );
    rmSync(join(folder, 'jvm'), { recursive: true });
    const both = await whatIsMissing(undefined, machine());
    expect(both!.split('install -y curl')).toHaveLength(2);
  });

  it('is only an entry in the PATH if Go is installed outside of it', async () => {
    goThatFits(join(folder, 'go', 'bin'));
    await expect(whatIsMissing('collector', machine())).resolves.toContain(
      `(no \`go\` is in the PATH): run \`export PATH=${folder}/go/bin:$PATH\`, then`,
    );
  });

  it('depends on the requested part of the tests', async () => {
    await expect(whatIsMissing('unit', machine())).resolves.toBeUndefined();
    await expect(whatIsMissing('lint', machine())).resolves.toBeUndefined();
    await expect(whatIsMissing('collector', machine())).resolves.not.toMatch(/JDK|Chromium/);
    await expect(whatIsMissing('integration', machine())).resolves.toMatch(/Go .* and a JDK/);
  });
});

describe('Chromium', () => {
  it('is installed by the package manager if that needs no password, and then nothing is missing', async () => {
    const log = join(folder, 'log');
    program(
      'apt-get',
      `echo "$DEBIAN_FRONTEND $@" >> ${log}; [ "$1" = update ] || { echo > ${programs}/chromium; /bin/chmod 755 ${programs}/chromium; }`,
    );
    program('env', 'exec /usr/bin/env "$@"');
    await expect(whatIsMissing('kibana', machine())).resolves.toBeUndefined();
    expect(consoleError).toHaveBeenCalledWith(expect.stringContaining('installing Chromium'));
  });

  it('is installed with sudo if that needs no password, and is otherwise reported with the command', async () => {
    program('apt-get', `echo > ${programs}/chromium; /bin/chmod 755 ${programs}/chromium`);
    program('env', 'exec /usr/bin/env "$@"');
    program('sudo', 'exit 1');
    await expect(whatIsMissing('kibana', machine({ isRoot: false }))).resolves.toBe(
      'the tests need Chromium (not found in the PATH, and DYNO_CHROMIUM is not set): run ' +
        '`sudo env DEBIAN_FRONTEND=noninteractive apt-get update -qq && ' +
        'sudo env DEBIAN_FRONTEND=noninteractive apt-get install -yqq --no-install-recommends chromium`, then start the tests again',
    );
    expect(consoleError).not.toHaveBeenCalled();
    program('sudo', '[ "$1" = -n ] || exec "$@"');
    await expect(whatIsMissing('kibana', machine({ isRoot: false }))).resolves.toBeUndefined();
  });

  it('is not installed while something else is missing, because the tests cannot start', async () => {
    program('apt-get', `echo > ${programs}/chromium`);
    await expect(whatIsMissing(undefined, machine())).resolves.toMatch(
      /^the tests need Go [^:]*JDK[^:]*: run/,
    );
    expect(consoleError).not.toHaveBeenCalled();
  });

  it('is reported with instructions if its installation fails', async () => {
    program('apt-get', 'exit 100');
    program('env', 'exec /usr/bin/env "$@"');
    await expect(whatIsMissing('kibana', machine())).resolves.toMatch(
      /installing it failed \(see above\): run `env DEBIAN_FRONTEND=noninteractive apt-get update -qq/,
    );
  });

  it('is the program in DYNO_CHROMIUM, which must exist', async () => {
    program('chromium');
    const environment = { DYNO_CHROMIUM: '/nowhere/chromium' };
    await expect(whatIsMissing('kibana', machine({ environment }))).resolves.toContain(
      'DYNO_CHROMIUM is /nowhere/chromium, which is not a program',
    );
  });
});
