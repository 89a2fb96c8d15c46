/** Converts errors of the file system to sentences. Used in all parts of Dyno. */
import { existsSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { runError, type DynoError } from '../../common/problem';
import { dataFolder } from './data-folder';
import { cacheFolder } from './downloads/cache-folder';

/** Problem code and sentence for each error code of the operating system. */
const SENTENCES: Readonly<Record<string, readonly [code: string, sentence: string]>> = {
  ENOSPC: ['disk.full', 'the disk is full'],
  EDQUOT: ['disk.full', 'the disk is full: the quota of this user is used up'],
  EROFS: ['disk.not-writable', 'cannot be written to: the file system is read-only'],
  ENOTDIR: ['disk.not-a-folder', 'a file is where a folder is needed'],
  EEXIST: ['disk.exists', 'already exists'],
  EISDIR: ['disk.not-a-file', 'is a folder, where a file is needed'],
  ENOENT: ['disk.missing', 'there is no such file or folder'],
  ENAMETOOLONG: ['disk.name-too-long', 'the name is too long for this file system'],
  ELOOP: ['disk.links', 'symbolic links lead in a circle'],
  EMFILE: ['disk.too-many-files', 'this process has too many open files: raise its limit (ulimit -n)'],
  ENFILE: ['disk.too-many-files', 'this machine has too many open files'],
  EIO: ['disk.failed', 'the disk failed to read or write (EIO); see the system log'],
  EBUSY: ['disk.busy', 'is in use by the system'],
};
const NO_RIGHTS = new Set(['EACCES', 'EPERM']);

/**
 * Names of system calls on files. File system errors and network errors can have the same code. Only the name of the system call
 * distinguishes them.
 */
const ON_DISK =
  /^(access|chmod|chown|close|copyfile|fchmod|fdatasync|fsync|ftruncate|lchown|link|lstat|mkdir|mkdtemp|open|opendir|read|readdir|readlink|realpath|rename|rm|rmdir|scandir|stat|statfs|symlink|truncate|unlink|utime|write|writev)$/;

interface SystemError extends Error {
  code: string;
  syscall?: string;
  path?: string;
}

const isSystemError = (error: unknown, isOnDisk: boolean): error is SystemError => {
  // `instanceof Error` fails for errors of Node.js from another realm, such as in Jest.
  if (typeof error !== 'object' || error === null) return false;
  const { code, syscall } = error as Partial<SystemError>;
  return typeof code === 'string' && (syscall === undefined ? isOnDisk : ON_DISK.test(syscall));
};

/**
 * If `error` comes from the file system, returns a DynoError `disk.*`, otherwise `error` itself. `at`: the file or folder, if it is known.
 */
export function asDiskError(error: unknown, at?: string): unknown {
  if (!isSystemError(error, at !== undefined)) return error;
  const { code, path: own } = error;
  const place = at ?? own ?? '';
  if (NO_RIGHTS.has(code)) return problem('disk.not-writable', place, noRights(), error);
  if (code === 'ENOTDIR' || code === 'EEXIST') {
    const file = fileOnWay(place);
    if (file !== undefined)
      return problem('disk.not-a-folder', file, 'is a file, where a folder is needed', error);
  }
  if (place === '' && (code === 'ENOSPC' || code === 'EDQUOT'))
    return problem('disk.full', '', anyFull(), error);
  const known = SENTENCES[code];
  return known === undefined ? error : problem(known[0], place, known[1], error);
}

function problem(code: string, place: string, sentence: string, cause: Error): DynoError {
  const next = nextFor(place);
  return runError(code, place, next === '' ? sentence : `${sentence}. ${next}`, cause);
}

/** Returns a text about a full disk that names all folders to which Dyno writes. It is used if the error does not name a file. */
const anyFull = (): string =>
  `a disk is full: Dyno writes to ${dataFolder()} (DYNO_DATA), ${cacheFolder()} (DYNO_CACHE) and ${os.tmpdir()} (TMPDIR)`;

const noRights = (): string =>
  `cannot be written to or read: the user ${userName()} has no permission for it or for a folder above it`;

function userName(): string {
  try {
    return os.userInfo().username;
  } catch {
    return String(process.getuid?.() ?? 'of this process');
  }
}

/** Returns the first existing path among `place` and its parents, if it is a file instead of a folder. Undefined if it is a folder. */
function fileOnWay(place: string): string | undefined {
  let at = path.resolve(place);
  // Goes up until something exists: paths below a file do not exist.
  while (!existsSync(at) && at !== path.dirname(at)) at = path.dirname(at);
  try {
    return statSync(at).isDirectory() ? undefined : at;
  } catch {
    return undefined;
  }
}

const isWithin = (place: string, folder: string): boolean => {
  const way = path.relative(folder, path.resolve(place));
  return way === '' || (!way.startsWith('..') && !path.isAbsolute(way));
};

/**
 * Returns advice for an error. If the path is in one of Dyno's folders, the advice names the environment variable with which the user can
 * choose another folder. Otherwise, returns ''.
 */
function nextFor(place: string): string {
  if (place === '') return '';
  if (isWithin(place, dataFolder())) return 'Set DYNO_DATA to use another data folder';
  if (isWithin(place, cacheFolder())) return 'Set DYNO_CACHE to use another cache folder';
  return '';
}
