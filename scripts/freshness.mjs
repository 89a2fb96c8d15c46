// Checks whether the build is up to date, without building. build/dyno.stamp.json contains the state of all source files at the last build.
// The check reads only this file and the metadata of each source file, which takes about 10 ms. This file imports only modules of Node.js.
//
// - A file counts as unchanged if its size, mtime and ctime (which no command can set back) are the same. Adding or removing a file changes
//   the times of its folder.
// - A file may have changed during the build, or so shortly before the build that a later change could have the same times. In both cases,
//   the next command builds again.
// - If another process has overwritten an output, the inode of the output has changed.
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Resolution of file times in the coarsest common file systems, in ms. */
const COARSEST_MS = 2000;

const STAMP = 'build/dyno.stamp.json';

/** Returns the size and times of a file or folder as a text; '' if the file does not exist. For a folder, the text has no size. */
function stateOf(root, file) {
  const found = statSync(join(root, file), { throwIfNoEntry: false });
  if (!found) return '';
  const { mtimeMs, ctimeMs, size } = found;
  return found.isDirectory() ? `${mtimeMs} ${ctimeMs}` : `${mtimeMs} ${ctimeMs} ${size}`;
}

/** Returns the inode, time and size of a built file as a text. All three stay the same when the file is renamed. */
function outputState(root, file) {
  const { ino, mtimeMs, size } = statSync(join(root, file), { throwIfNoEntry: false }) ?? {};
  return ino === undefined ? '' : `${ino} ${mtimeMs} ${size}`;
}

/**
 * Returns the folders that contain `files`. Times of folders show that files were added or removed. The root is omitted, because other
 * files may be added there. Folders in node_modules are omitted, because node_modules/.package-lock.json changes with each installation.
 */
function foldersOf(files) {
  const folders = new Set();
  for (const file of files.filter((name) => !name.startsWith('node_modules/')))
    for (let folder = dirname(file); folder !== '.' && !folders.has(folder); folder = dirname(folder))
      folders.add(folder);
  return folders;
}

const isAsStamped = (root, states, state) =>
  Object.entries(states).every(([name, then]) => then !== '' && state(root, name) === then);

function readStamp(root) {
  try {
    return JSON.parse(readFileSync(join(root, STAMP), 'utf8'));
  } catch {
    // A missing or broken stamp means that the build is not up to date.
    return undefined;
  }
}

/** Returns whether all files that the last build wrote still exist unchanged, and all its sources are unchanged. */
export function isFresh(root) {
  const stamp = readStamp(root);
  return Boolean(
    stamp?.inputs &&
    isAsStamped(root, stamp.outputs, outputState) &&
    isAsStamped(root, stamp.inputs, stateOf),
  );
}

/** Returns the path of a temporary file to which this process writes before it replaces `file`. */
const draftOf = (file) => `${file}.${process.pid}.draft`;

/**
 * Writes a file atomically: other processes read either the old or the complete new content. Returns the inode, time and size of the new
 * file as a text.
 */
function writeWhole(root, file, content) {
  const to = join(root, file);
  mkdirSync(dirname(to), { recursive: true });
  writeFileSync(draftOf(to), content);
  // The state is read before the file is renamed, because another build may replace the file afterwards.
  const state = outputState(root, draftOf(file));
  renameSync(draftOf(to), to);
  return state;
}

/** Writes files, and returns the inode, time and size of each as a text, by name. `files`: contents by name (relative to `root`). */
export function writeFiles(root, files) {
  const written = {};
  for (const [name, content] of files) written[name] = writeWhole(root, name, content);
  return written;
}

/**
 * Writes the files of a build, and build/dyno.stamp.json, which describes the state of the sources. `files`: contents by name (relative to
 * `root`), imported files first. `inputs`: source files and folders. `begun`: time before the first source was read, in ms since 1970.
 *
 * `parts`: folder of the files whose names contain a hash. It keeps the files of this build and of the previous one, because commands that
 * are starting may need the previous files. All other files in it are removed.
 */
export function writeBuild(root, { files, inputs, begun, parts }) {
  const last = Object.keys(readStamp(root)?.outputs ?? {});
  const outputs = writeFiles(root, files);
  const names = [...new Set([...inputs, ...foldersOf(inputs)])].sort();
  const states = Object.fromEntries(names.map((name) => [name, stateOf(root, name)]));
  const isSettled = names.every((name) => Number(states[name].split(' ')[1]) < begun - COARSEST_MS);
  // If sources changed during the build, the stamp contains only the outputs. The next command then builds again.
  writeWhole(root, STAMP, JSON.stringify({ inputs: isSettled ? states : null, outputs }));
  const kept = new Set([...last, ...files.keys()]);
  for (const name of readdirSync(join(root, parts)).map((file) => `${parts}/${file}`))
    if (!kept.has(name)) rmSync(join(root, name), { force: true });
}
