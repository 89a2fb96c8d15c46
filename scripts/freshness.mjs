// Whether what is built is what the sources would make, told without building: build/dyno.stamp.json says of which files it was
// made and how they stood then. Nothing is read but that and what the file system knows of each file, which takes some 10 ms.
//
// A file counts as unchanged while its size, its time of change and its inode's time of change (which no command sets back)
// are the same; names that came or went show in the times of their folders. What was changed while it was built, or so shortly before that
// a later change could bear the same times, is built again by the next command. A build that somebody else has overwritten
// shows in the inodes of its files.
// Imports only what Node.js brings.
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Coarsest times of the file systems that checkouts lie on, ms. */
const COARSEST_MS = 2000;

const STAMP = 'build/dyno.stamp.json';

/** How a file or folder stands, as a text; '' where there is none. */
function stateOf(root, file) {
  const found = statSync(join(root, file), { throwIfNoEntry: false });
  if (!found) return '';
  const { mtimeMs, ctimeMs, size } = found;
  return found.isDirectory() ? `${mtimeMs} ${ctimeMs}` : `${mtimeMs} ${ctimeMs} ${size}`;
}

/** Of a file that a build has made; moving it into its place changes none of it. */
function outputState(root, file) {
  const { ino, mtimeMs, size } = statSync(join(root, file), { throwIfNoEntry: false }) ?? {};
  return ino === undefined ? '' : `${ino} ${mtimeMs} ${size}`;
}

/**
 * The folders of `files` below the root, the root aside: anything may come and go there. Of packages, npm tells in its own record
 * what came and went.
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
    // There is none, or a broken one: it is built again.
    return undefined;
  }
}

/** Whether the outputs of the last build are there and what it was made of stands as it stood. */
export function isFresh(root) {
  const stamp = readStamp(root);
  return Boolean(
    stamp?.inputs &&
    isAsStamped(root, stamp.outputs, outputState) &&
    isAsStamped(root, stamp.inputs, stateOf),
  );
}

/** Beside `file`, by this process. */
const draftOf = (file) => `${file}.${process.pid}.draft`;

/** Whoever opens the file at any time finds what was there before or all of `content`. Returns the state of what it wrote. */
function writeWhole(root, file, content) {
  const to = join(root, file);
  mkdirSync(dirname(to), { recursive: true });
  writeFileSync(draftOf(to), content);
  // Before it has its name: from then on another build may replace it.
  const state = outputState(root, draftOf(file));
  renameSync(draftOf(to), to);
  return state;
}

/** `files`: name below `root` -> content; returns name -> state. */
export function writeFiles(root, files) {
  const written = {};
  for (const [name, content] of files) written[name] = writeWhole(root, name, content);
  return written;
}

/**
 * Writes what was built, and remembers it. `files`: name below `root` -> content, in an order in which each follows those that
 * it imports. `inputs`: files and folders that it was made of; the folders of files are added. `begun`: before the first of
 * them was read, ms since 1970. `parts`: folder of outputs whose names follow from their content; the last build's stay there,
 * for commands that are starting, and older ones are removed.
 */
export function writeBuild(root, { files, inputs, begun, parts }) {
  const last = Object.keys(readStamp(root)?.outputs ?? {});
  const outputs = writeFiles(root, files);
  const names = [...new Set([...inputs, ...foldersOf(inputs)])].sort();
  const states = Object.fromEntries(names.map((name) => [name, stateOf(root, name)]));
  const isSettled = names.every((name) => Number(states[name].split(' ')[1]) < begun - COARSEST_MS);
  // Where it is not, only what was made is remembered, and the next command builds again.
  writeWhole(root, STAMP, JSON.stringify({ inputs: isSettled ? states : null, outputs }));
  const kept = new Set([...last, ...files.keys()]);
  for (const name of readdirSync(join(root, parts)).map((file) => `${parts}/${file}`))
    if (!kept.has(name)) rmSync(join(root, name), { force: true });
}
