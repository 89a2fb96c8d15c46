import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findJava, type Java } from './java';
import { releaseOf } from './jdk.mjs';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'dyno-java-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function aJava(name: string, version: string, tools = ['java', 'javac']): string {
  const home = join(folder, name);
  mkdirSync(join(home, 'bin'), { recursive: true });
  writeFileSync(join(home, 'release'), `IMPLEMENTOR="x"\nJAVA_VERSION="${version}"\n`);
  for (const tool of tools) {
    writeFileSync(join(home, 'bin', tool), '');
    chmodSync(join(home, 'bin', tool), 0o755);
  }
  return home;
}

/** Looks for a JDK. By default, no download server answers. `environment` can name one. */
const find = (environment: NodeJS.ProcessEnv, systemFolders: readonly string[]): Promise<Java> =>
  findJava({
    folder: join(folder, 'cache'),
    environment: { DYNO_ADOPTIUM: 'http://127.0.0.1:9', ...environment },
    systemFolders,
  });

describe('the JDK for Elasticsearch', () => {
  it('is the one in DYNO_JAVA_HOME', async () => {
    const home = aJava('mine', '21.0.2');
    aJava('system/newer', '25');
    await expect(find({ DYNO_JAVA_HOME: home }, [join(folder, 'system')])).resolves.toEqual({
      home,
      release: 21,
    });
  });

  it('is never another one if DYNO_JAVA_HOME is set, even if that one cannot be used', async () => {
    aJava('system/good', '25');
    const old = aJava('old', '17.0.15');
    const failure = find({ DYNO_JAVA_HOME: old }, [join(folder, 'system')]);
    await expect(failure).rejects.toMatchObject({ code: 'java.unfit' });
    await expect(failure).rejects.toThrow('is Java 17.0.15, 21 or later is needed');
  });

  it('is the newest of the system that Elasticsearch is known to run on', async () => {
    for (const release of ['17.0.1', '21', '25.0.3', '30-ea']) aJava(`system/jdk-${release}`, release);
    await expect(find({}, [join(folder, 'system')])).resolves.toMatchObject({ release: 25 });
  });

  it('is one that runs the version, if a version does not run on the newest', async () => {
    for (const release of ['10.0.1', '17.0.1', '25.0.3']) aJava(`system/jdk-${release}`, release);
    const range = { oldest: 11, newest: 23 };
    const found = (environment: NodeJS.ProcessEnv): Promise<Java> =>
      findJava({
        folder: join(folder, 'cache'),
        range,
        environment,
        systemFolders: [join(folder, 'system')],
      });
    await expect(found({})).resolves.toMatchObject({ release: 17 });
    await expect(found({ DYNO_JAVA_HOME: join(folder, 'system/jdk-25.0.3') })).rejects.toThrow(
      /is Java 25\.0\.3, 11 to 23 is needed\. Install a JDK 11 to 23/,
    );
  });

  it('is the system’s if JAVA_HOME is too old', async () => {
    const JAVA_HOME = aJava('old', '1.8.0_392');
    const home = aJava('system/good', '21');
    await expect(find({ JAVA_HOME }, [join(folder, 'system')])).resolves.toMatchObject({ home });
  });

  it('is found on the PATH last', async () => {
    const home = aJava('somewhere', '22');
    await expect(find({ PATH: join(home, 'bin') }, [])).resolves.toMatchObject({ home });
  });

  it('is downloaded if the machine has none, and then found in the cache', async () => {
    const server = createServer((_, response) => void response.end('no archive'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const DYNO_ADOPTIUM = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    try {
      // A file that does not have the known checksum is refused.
      await expect(find({ DYNO_ADOPTIUM }, [])).rejects.toMatchObject({ code: 'download.checksum' });
    } finally {
      server.closeAllConnections();
      server.close();
    }
    const home = aJava('cache/jdk-21.0.10+7', '21.0.10');
    await expect(find({}, [])).resolves.toEqual({ home, release: 21 });
  });

  it('is asked for in one sentence if no server has one', async () => {
    await expect(find({}, [])).rejects.toThrow(
      /^Elasticsearch needs a JDK, and no suitable one was found, and http:\/\/127\.0\.0\.1:9, which offers one, does not answer\. Install a JDK/,
    );
    const silent = findJava({
      folder: join(folder, 'cache'),
      silent: 'http://artifacts.example',
      environment: { DYNO_ADOPTIUM: 'http://127.0.0.1:9' },
      systemFolders: [],
    });
    await expect(silent).rejects.toThrow(
      'neither http://artifacts.example nor http://127.0.0.1:9, which offer one, answers. Install a JDK',
    );
  });

  it('has a compiler', async () => {
    aJava('system/jre', '21', ['java']);
    const failure = find({}, [join(folder, 'system')]);
    await expect(failure).rejects.toMatchObject({ kind: 'run', code: 'java.missing' });
    await expect(failure).rejects.toThrow(/without javac.*openjdk-21-jdk-headless.*DYNO_JAVA_HOME/s);
  });
});

it.each([
  ['25.0.3', 25],
  ['21', 21],
  ['1.8.0_392', 8],
  ['26-ea', 26],
])('the release of Java %s is %d', (version, release) => {
  expect(releaseOf(version)).toBe(release);
});
