/** Adds modules that are missing in an unpacked distribution. `table.ts` lists these modules. */
import { createHash } from 'node:crypto';
import { chmod, copyFile, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runError } from '../../../../common/problem';
import { mavenArtifact, type DownloadFollowing } from '../../downloads/maven-artifact';
import { compileJar } from '../compile';
import type { Java } from '../java';
import { textInZip } from '../unzip';
import type { AddedModule, Jar } from './added-module';

const STAMP = 'dyno.sha256';
const DESCRIPTOR = 'plugin-descriptor.properties';
/** Path of the descriptor in the jar of a module. */
const DESCRIPTOR_IN_JAR = /^META-INF\/es-plugins\/[^/]+\/plugin-descriptor\.properties$/;

const stampOf = (module: AddedModule): string =>
  createHash('sha256').update(JSON.stringify(module)).digest('hex');

const folderOf = (home: string, { name }: AddedModule): string => join(home, 'modules', name);

/**
 * Returns the modules to add to the distribution in `home`. These are modules that the distribution lacks, and modules that Dyno added
 * earlier with other contents.
 */
export async function modulesToAdd(home: string, modules: readonly AddedModule[]): Promise<AddedModule[]> {
  const missing: AddedModule[] = [];
  for (const module of modules) {
    const stamp = await readFile(join(folderOf(home, module), STAMP), 'utf8').catch(() => '');
    if (stamp !== stampOf(module)) missing.push(module);
  }
  return missing;
}

/**
 * Returns the plugin descriptor with the names in `extended` as the value of `extended.plugins`. Returns the descriptor unchanged if
 * `extended` is undefined.
 */
export const withExtended = (descriptor: string, extended: readonly string[] | undefined): string =>
  extended === undefined
    ? descriptor
    : descriptor.replace(/^extended\.plugins=.*$/m, `extended.plugins=${extended.join(',')}`);

async function fetchJar(
  { coordinates, sha512 }: Jar,
  folder: string,
  following: DownloadFollowing,
): Promise<string> {
  const [groupId, artifactId, version] = coordinates.split(':') as [string, string, string];
  const file = await mavenArtifact({ groupId, artifactId, version, extension: 'jar', sha512 }, following);
  const copy = join(folder, `${artifactId}-${version}.jar`);
  await copyFile(file, copy);
  await chmod(copy, 0o644);
  return copy;
}

/**
 * Downloads the jars of a module, compiles its stubs, and adds it to the distribution in `home`. Rejects with a DynoError `download.*` or
 * `elasticsearch.*`, with an error of the file system, or with the signal's reason.
 */
export async function addModule(
  home: string,
  module: AddedModule,
  java: Java,
  { signal }: Pick<DownloadFollowing, 'signal'>,
): Promise<void> {
  const { name, jars, extended, stubs, files = {} } = module;
  const building = `${home}.module`;
  await rm(building, { recursive: true, force: true });
  await mkdir(building, { recursive: true });
  await chmod(building, 0o755);
  const paths: string[] = [];
  // Progress is not shown, because the jars are small.
  for (const jar of jars) paths.push(await fetchJar(jar, building, { signal, onProgress: () => undefined }));
  const descriptor = files[DESCRIPTOR] ?? (await textInZip(paths[0]!, DESCRIPTOR_IN_JAR));
  if (descriptor === undefined) {
    throw runError('elasticsearch.module', paths[0]!, 'contains no descriptor of a module');
  }
  if (stubs) {
    await compileJar(java, {
      what: `the classes that complete the module ${name}`,
      sources: stubs,
      classPath: [join(home, 'lib', '*'), join(home, 'modules', 'x-pack-core', '*')],
      jar: join(building, `dyno-stubs-${name}.jar`),
    });
  }
  const texts = { ...files, [DESCRIPTOR]: withExtended(descriptor, extended), [STAMP]: stampOf(module) };
  for (const [file, text] of Object.entries(texts)) {
    await writeFile(join(building, file), text);
    await chmod(join(building, file), 0o644);
  }
  await rm(folderOf(home, module), { recursive: true, force: true });
  await rename(building, folderOf(home, module));
}
