/** Compiles Java sources against a distribution. */
import { execFile } from 'node:child_process';
import { chmod, mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { messageOf, runError } from '../../../common/problem';
import type { Java } from './java';

const run = promisify(execFile);

export interface Compilation {
  /** Name of the resulting jar in error messages. */
  what: string;
  /** Java source code by class name, such as `dyno.main.MainPlugin`. */
  sources: Readonly<Record<string, string>>;
  /** Paths of jars, and paths of folders with jars, which end with `*`. */
  classPath: readonly string[];
  /** Path of the resulting jar. All users may read it. */
  jar: string;
}

/** Compiles the sources to a jar. Rejects with a DynoError `elasticsearch.plugin-not-compiled` that quotes the compiler. */
export async function compileJar(java: Java, { what, sources, classPath, jar }: Compilation): Promise<void> {
  const building = `${jar}.building`;
  const classes = join(building, 'classes');
  try {
    await rm(building, { recursive: true, force: true });
    await mkdir(classes, { recursive: true });
    const files: string[] = [];
    for (const [name, source] of Object.entries(sources)) {
      const file = join(building, 'sources', `${name.replaceAll('.', '/')}.java`);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, source);
      files.push(file);
    }
    const options = ['--release', '21', '-proc:none', '-cp', classPath.join(':'), '-d', classes];
    await run(join(java.home, 'bin', 'javac'), [...options, ...files]);
    await run(join(java.home, 'bin', 'jar'), ['--create', '--file', jar, '-C', classes, '.']);
    await chmod(jar, 0o644);
  } catch (error) {
    const output = (error as { stderr?: string }).stderr ?? '';
    throw runError(
      'elasticsearch.plugin-not-compiled',
      java.home,
      `could not compile ${what}: ${output.trim().slice(0, 2000) || messageOf(error)}`,
      error,
    );
  } finally {
    await rm(building, { recursive: true, force: true });
  }
}
