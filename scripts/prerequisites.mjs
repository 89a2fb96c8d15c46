// Checks what the tests need besides Node.js and packages: Go, a JDK and Chromium. This check runs before anything else. A missing Go or
// JDK is downloaded later if its server can be reached. Chromium is installed if this process has the rights. Everything else that is
// missing is listed in one sentence, with the commands that install it. Like scripts/bootstrap.mjs, this file imports only modules of
// Node.js.
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import {
  describeRange,
  lookForJdk,
  RECENT_JAVA,
  SYSTEM_FOLDERS,
} from '../server/standalone/elasticsearch/jdk.mjs';
import { fail } from './bootstrap.mjs';
import { MINIMUM_GO, whyNoGo } from './go.mjs';
import { chromiumCommands, findChromium, inPath, installChromium, mayInstall } from './chromium.mjs';

/**
 * Programs that each part of `npm test` needs. Without the name of a part, `npm test` runs several parts and may need all programs; see
 * scripts/test.mjs.
 */
const NEEDS = {
  lint: [],
  unit: [],
  collector: ['go'],
  plugin: ['chromium'],
  integration: ['go', 'jdk'],
  browser: ['go', 'jdk', 'chromium'],
  kibana: ['chromium'],
};
const ALL = ['go', 'jdk', 'chromium'];

/** Version of the JDK in the installation commands: the one that Elasticsearch 9.5 contains. */
const JDK_TO_INSTALL = 25;
const GO_FOLDER = '/usr/local/go';

/** Names of processor architectures in downloads of Go and of Adoptium (the JDK). */
const ARCHITECTURES = { x64: ['amd64', 'x64'], arm64: ['arm64', 'aarch64'] };

/** Servers from which the tests download Go and a JDK. Environment variables may name other servers than the defaults. */
const SERVERS = {
  go: ({ GOPROXY = '' }) =>
    GOPROXY.split(/[,|]/).find((one) => /^https?:/.test(one)) ?? 'https://proxy.golang.org',
  jdk: ({ DYNO_ADOPTIUM }) => DYNO_ADOPTIUM || 'https://api.adoptium.net',
};

/** Maximum time to wait for the response of a server, in ms. */
const REACH_MS = 3000;

/**
 * Returns whether a server responds, with any status. If a proxy is set, always returns true: Node.js does not use the proxy here, so only
 * the later download can show whether the server is reachable.
 */
const isReachable = async (url, environment) =>
  Object.keys(environment).some((name) => /^https?_proxy$/i.test(name)) ||
  (await fetch(url, { method: 'HEAD', redirect: 'manual', signal: AbortSignal.timeout(REACH_MS) }).then(
    () => true,
    () => false,
  ));

/**
 * Returns whether Go or the JDK need not be installed, because the tests can download it when they need it. See downloads/temurin.ts and
 * downloads/go-toolchain.ts in server/standalone.
 */
const canDownload = async (need, { environment, platform, arch, reaches }) =>
  platform === 'linux' && arch in ARCHITECTURES && (await reaches(SERVERS[need](environment), environment));

/** The machine that is checked: its environment variables, the folders of its JDKs, and the user of this process. */
const THIS_MACHINE = {
  environment: process.env,
  jdkFolders: SYSTEM_FOLDERS,
  goFolder: GO_FOLDER,
  isRoot: process.getuid?.() === 0,
  platform: process.platform,
  arch: process.arch,
  reaches: isReachable,
};

/** Returns the commands that install curl. Empty if the machine has curl or wget, or if it has no apt-get. */
function downloaderCommands({ environment, isRoot }) {
  const isThere = ['curl', 'wget', 'apt-get'].find((program) => inPath(program, environment));
  const apt = `${isRoot ? '' : 'sudo '}apt-get`;
  return isThere === 'apt-get' ? [`${apt} update`, `${apt} install -y curl`] : [];
}

/** Returns a command that prints the content of `url`, for use in a pipe. */
const download = (url, { environment }) =>
  inPath('wget', environment) && !inPath('curl', environment) ? `wget -qO- ${url}` : `curl -fsSL ${url}`;

async function goLack(machine) {
  const why = whyNoGo(machine.environment);
  if (why === undefined || (await canDownload('go', machine))) return undefined;
  const { platform, arch, isRoot, goFolder } = machine;
  const what = `Go ${MINIMUM_GO.join('.')} or later (${why})`;
  const [name] = ARCHITECTURES[arch] ?? [];
  if (platform !== 'linux' || name === undefined) return { what, from: 'https://go.dev/dl' };
  const usePath = `export PATH=${goFolder}/bin:$PATH`;
  if (existsSync(goFolder)) {
    const fits = whyNoGo({ ...machine.environment, PATH: `${goFolder}/bin` }) === undefined;
    if (fits) return { what, commands: [usePath] };
  }
  const sudo = isRoot ? '' : 'sudo ';
  const archive = `https://go.dev/dl/go${MINIMUM_GO.join('.')}.0.linux-${name}.tar.gz`;
  return {
    what,
    commands: [
      ...downloaderCommands(machine),
      ...(existsSync(goFolder) ? [`${sudo}rm -rf ${goFolder}`] : []),
      `${download(archive, machine)} | ${sudo}tar -xzC ${dirname(goFolder)}`,
      usePath,
    ],
  };
}

async function jdkLack(machine) {
  const { environment, jdkFolders, platform, arch, isRoot } = machine;
  const found = await lookForJdk(environment, jdkFolders);
  if (!('unfit' in found)) return undefined;
  if (!environment.DYNO_JAVA_HOME && (await canDownload('jdk', machine))) return undefined;
  const why = found.unfit.length > 0 ? found.unfit.join('; ') : 'not found';
  const what = `a JDK ${describeRange(RECENT_JAVA)} (${why})`;
  const [, name] = ARCHITECTURES[arch] ?? [];
  if (platform !== 'linux' || name === undefined) return { what, from: 'https://adoptium.net' };
  const [folder] = jdkFolders;
  const sudo = isRoot ? '' : 'sudo ';
  const archive = `https://api.adoptium.net/v3/binary/latest/${JDK_TO_INSTALL}/ga/linux/${name}/jdk/hotspot/normal/eclipse`;
  return {
    what,
    commands: [
      ...downloaderCommands(machine),
      ...(environment.DYNO_JAVA_HOME ? ['unset DYNO_JAVA_HOME'] : []),
      `${sudo}mkdir -p ${folder}`,
      `${download(archive, machine)} | ${sudo}tar -xzC ${folder}`,
    ],
  };
}

async function chromiumLack({ environment, isRoot }) {
  if (findChromium(environment)) return undefined;
  const { DYNO_CHROMIUM } = environment;
  if (DYNO_CHROMIUM)
    return {
      what: `Chromium (DYNO_CHROMIUM is ${DYNO_CHROMIUM}, which is not a program)`,
      from: 'elsewhere',
    };
  const commands = chromiumCommands(environment, isRoot);
  if (commands === undefined) {
    return { what: 'Chromium (not found in the PATH, and DYNO_CHROMIUM is not set)', from: 'your system' };
  }
  return {
    what: 'Chromium (not found in the PATH, and DYNO_CHROMIUM is not set)',
    commands: commands.map((words) => words.join(' ')),
    canBeInstalled: mayInstall(environment, isRoot),
  };
}

const LACKS = { go: goLack, jdk: jdkLack, chromium: chromiumLack };

const listed = (words) =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;

/**
 * Returns a sentence about missing programs: what is missing, and how to install it. Undefined if nothing is missing. `part`: part of the
 * tests; by default all parts. If only Chromium is missing and can be installed, this function installs Chromium.
 */
export async function whatIsMissing(part, machine = THIS_MACHINE) {
  const needs = part === undefined ? ALL : NEEDS[part];
  const lacks = (await Promise.all(needs.map((need) => LACKS[need](machine)))).filter(Boolean);
  const unmet = lacks.filter(({ canBeInstalled }) => !canBeInstalled);
  if (unmet.length > 0) {
    const commands = [...new Set(unmet.flatMap(({ commands = [] }) => commands))];
    const from = unmet.flatMap(({ from }) => from ?? []);
    const ways = [
      ...(commands.length > 0 ? [`run \`${commands.join(' && ')}\``] : []),
      ...(from.length > 0 ? [`get ${from.length > 1 ? 'them' : 'it'} from ${listed(from)}`] : []),
    ];
    return `the tests need ${listed(unmet.map(({ what }) => what))}: ${listed(ways)}, then start the tests again`;
  }
  if (lacks.length === 0) return undefined;
  console.error('dyno: installing Chromium with the package manager of the system, once');
  const installed = installChromium(machine.environment, machine.isRoot);
  if (installed && findChromium(machine.environment)) return undefined;
  return `the tests need Chromium, and installing it failed (see above): run \`${lacks[0].commands.join(' && ')}\` yourself, or set DYNO_CHROMIUM`;
}

/** If something is missing for the tests, ends the command with a sentence that says how to install it. */
export async function checkPrerequisites(part) {
  const missing = await whatIsMissing(part);
  if (missing !== undefined) fail(missing);
}
