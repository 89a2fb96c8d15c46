// Checks without building whether the build is up to date. build/dyno.stamp.json contains the source files of the last build and their
// state at that time. The check reads only this file and the metadata of each source file, which takes about 10 ms. It imports only modules
// of Node.js.
//
// - A file counts as unchanged if its size, mtime and ctime (which no command can set back) are the same. Added and removed files change
//   the times of their folders.
// - If a file changed during the build, or so shortly before that a later change could have the same times, the next command builds again.
// - The inodes of the outputs show if another process has overwritten them.
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Coarsest time resolution of file systems, in ms. */
const COARSEST_MS = 2000;

const STAMP = 'build/dyno.stamp.json';

/** Returns the state of a file or folder as a text; '' if it does not exist. */
function stateOf(root, file) {
  const found = statSync(join(root, file), { throwIfNoEntry: false });
  if (!found) return '';
  const { mtimeMs, ctimeMs, size } = found;
  return found.isDirectory() ? `${mtimeMs} ${ctimeMs}` : `${mtimeMs} ${ctimeMs} ${size}`;
}

/** Returns the state of a build output, which does not change when the file is moved to its place. */
function outputState(root, file) {
  const { ino, mtimeMs, size } = statSync(join(root, file), { throwIfNoEntry: false }) ?? {};
  return ino === undefined ? '' : `${ino} ${mtimeMs} ${size}`;
}

/**
 * Returns the folders of `files` below the root, without the root, where unrelated files may come and go. For packages, npm's record shows
 * changes.
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

/** Returns whether the outputs of the last build exist and its sources are unchanged. */
export function isFresh(root) {
  const stamp = readStamp(root);
  return Boolean(
    stamp?.inputs &&
    isAsStamped(root, stamp.outputs, outputState) &&
    isAsStamped(root, stamp.inputs, stateOf),
  );
}

/** Returns the name of a temporary file next to `file` for this process. */
const draftOf = (file) => `${file}.${process.pid}.draft`;

/** Writes a file atomically: other processes see the old or the complete new content. Returns the state of the written file. */
function writeWhole(root, file, content) {
  const to = join(root, file);
  mkdirSync(dirname(to), { recursive: true });
  writeFileSync(draftOf(to), content);
  // The state is read before the rename, because another build may replace the file afterwards.
  const state = outputState(root, draftOf(file));
  renameSync(draftOf(to), to);
  return state;
}

/** Writes `files` (name below `root` -> content); returns name -> state. */
export function writeFiles(root, files) {
  const written = {};
  for (const [name, content] of files) written[name] = writeWhole(root, name, content);
  return written;
}

/**
 * Writes a build and its stamp. `files`: name below `root` -> content, imported files first. `inputs`: source files and folders; the folders
 * of files are added. `begun`: time before the first source was read, in ms since 1970. `parts`: folder of outputs with content hashes in
 * their names; those of the previous build are kept for commands that are starting, and older ones are removed.
 */
export function writeBuild(root, { files, inputs, begun, parts }) {
  const last = Object.keys(readStamp(root)?.outputs ?? {});
  const outputs = writeFiles(root, files);
  const names = [...new Set([...inputs, ...foldersOf(inputs)])].sort();
  const states = Object.fromEntries(names.map((name) => [name, stateOf(root, name)]));
  const isSettled = names.every((name) => Number(states[name].split(' ')[1]) < begun - COARSEST_MS);
  // If the sources changed during the build, only the outputs are stored, so that the next command builds again.
  writeWhole(root, STAMP, JSON.stringify({ inputs: isSettled ? states : null, outputs }));
  const kept = new Set([...last, ...files.keys()]);
  for (const name of readdirSync(join(root, parts)).map((file) => `${parts}/${file}`))
    if (!kept.has(name)) rmSync(join(root, name), { force: true });
}
