/** Reads traffic files in Dyno's own form, which `form/members.ts` describes. */
import { lstat, open, stat, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { inputError, messageOf } from '../../common/problem';
import { Losses } from '../../common/traffic/loss';
import type { TrafficHeader, TrafficRecord } from '../../common/traffic/record';
import { BodyParts } from './body-parts';
import {
  readBlockLine,
  readHeaderLine,
  readIndexLine,
  type BlockPlace,
  type TrafficIndex,
} from './form/lines';
import {
  END_BYTES,
  HEAD_BYTES,
  MOST_MEMBER_BYTES,
  readMember,
  SIGNATURE,
  unpackMember,
  type MemberKind,
} from './form/members';
import { furtherParts, partName } from './part-names';
import { inTimeOrder, type Batch } from './time-order';

const SEARCH_BYTES = 1024 ** 2;
/**
 * Maximum memory, in bytes, for records that wait to be sorted by time. A record is written when its response ends. The record of a slow
 * request therefore follows records of requests that began later.
 */
const MOST_WAITING_BYTES = 256 * 1024 ** 2;

/** The blocks of a file, from its index. If the index is missing, the blocks are found by reading all gzip members of the file. */
interface Contents {
  file: string;
  header: TrafficHeader;
  blocks: readonly BlockPlace[];
  /** Number of records that were dropped from the start of the recording to the end of this file. Undefined if the file has no index. */
  dropped: number | undefined;
  /** Number of missing blocks: the numbers of the blocks that were found have gaps. */
  missing: number;
  /** Number of other recordings whose files were appended to this file. Their blocks are not read. */
  others: number;
}

export interface OwnRecording {
  header: TrafficHeader;
  /** Paths of all files of the recording. */
  files: readonly string[];
  /** Size of all files, in bytes. */
  bytes: number;
  /** Number of records. */
  count: number;
  /** Time of the last record, in µs after the start of the recording. */
  lastAt: number;
  /** Returns the records in the order of their times. Can be called once. */
  records(): AsyncIterable<TrafficRecord>;
  losses: Losses;
}

/**
 * Opens a recording. If `file` is its first file, reads all files of the recording, otherwise only `file`. Rejects with a DynoError:
 * `traffic.unreadable` or `traffic.header` (input).
 */
export async function openOwn(file: string): Promise<OwnRecording> {
  const losses = new Losses();
  const first = await contentsOf(file);
  const all = first.header.part === 1 ? [first, ...(await following(file, first.header, losses))] : [first];
  const sizes = await Promise.all(all.map(async (each) => (await stat(each.file)).size));
  const blocks = all.flatMap((each) => each.blocks);
  const finals = all.map(({ dropped, header }) => dropped ?? header.droppedBefore);
  losses.add('dropped', Math.max(...finals) - (first.header.part === 1 ? 0 : first.header.droppedBefore));
  losses.add('earlier-file', first.header.part - 1);
  for (const { missing, others, dropped, file: name } of all) {
    losses.add('missing-block', missing, name);
    losses.add('other-recording', others, `appended to ${name}`);
    if (dropped === undefined) losses.add('unfinished', 1, name);
  }
  return {
    header: first.header,
    files: all.map((each) => each.file),
    bytes: sizes.reduce((sum, size) => sum + size, 0),
    count: blocks.reduce((sum, { records }) => sum + records, 0),
    lastAt: blocks.reduce((latest, { lastAt }) => Math.max(latest, lastAt), 0),
    records: () => inTimeOrder(batches(all, losses), ({ at }) => at, MOST_WAITING_BYTES),
    losses,
  };
}

/**
 * Returns the contents of all files of a recording after the first. Symbolic links are not followed: they could lead to a file that the
 * user did not name and does not want to share.
 */
async function following(file: string, header: TrafficHeader, losses: Losses): Promise<Contents[]> {
  const found: Contents[] = [];
  for (const part of await furtherParts(file)) {
    const name = partName(file, part);
    try {
      if ((await lstat(name)).isSymbolicLink()) {
        losses.add('link', 1, name);
        continue;
      }
      const contents = await contentsOf(name);
      if (contents.header.startedAt !== header.startedAt) {
        losses.add('other-recording', 1, name);
        continue;
      }
      losses.add('missing-file', part - (found.at(-1)?.header.part ?? 1) - 1, `before ${name}`);
      found.push(contents);
    } catch (error) {
      losses.add('missing-file', 1, messageOf(error));
    }
  }
  return found;
}

/** Returns whether a file begins or ends with a member in Dyno's own form. False if the file cannot be read. */
export async function isOwn(file: string): Promise<boolean> {
  const isMember = async (handle: FileHandle, size: number): Promise<boolean> => {
    const beginning = Math.min(size, SEARCH_BYTES);
    if ((await search(handle, 0, beginning)) < beginning) return true;
    return size > END_BYTES && readMember(await readAt(handle, size - END_BYTES, END_BYTES)) !== null;
  };
  return withFile(file, isMember).catch(() => false);
}

async function contentsOf(file: string): Promise<Contents> {
  return withFile(file, async (handle, size) => {
    const index = await indexOf(handle, size);
    if (index !== null)
      return {
        ...{ file, header: index.header, blocks: index.blocks, dropped: index.dropped },
        ...{ missing: 0, others: 0 },
      };
    return walk(file, handle, size);
  });
}

/** Opens a file, calls `work` and closes the file. Rejects with a DynoError (input) if the file cannot be read. */
async function withFile<T>(file: string, work: (handle: FileHandle, size: number) => Promise<T>): Promise<T> {
  const handle = await open(file, 'r').catch((error: unknown) => {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    const message = isMissing ? 'does not exist' : `cannot be read: ${messageOf(error)}`;
    throw inputError('traffic.unreadable', file, message);
  });
  try {
    return await work(handle, (await handle.stat()).size);
  } finally {
    await handle.close();
  }
}

async function readAt(handle: FileHandle, offset: number, length: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(length);
  let read = 0;
  while (read < length) {
    const { bytesRead } = await handle.read(bytes, read, length - read, offset + read);
    if (bytesRead === 0) break;
    read += bytesRead;
  }
  return bytes.subarray(0, read);
}

/** Returns the index of a file. Returns null if the index is missing or damaged, or if a position in it is outside of the file. */
async function indexOf(handle: FileHandle, size: number): Promise<TrafficIndex | null> {
  if (size < END_BYTES) return null;
  const end = readMember(await readAt(handle, size - END_BYTES, END_BYTES));
  if (end?.kind !== 'end' || end.lastAt >= size - END_BYTES) return null;
  const offset = end.lastAt;
  const length = size - END_BYTES - offset;
  if (length > MOST_MEMBER_BYTES) return null;
  const bytes = await readAt(handle, offset, length);
  if (readMember(bytes)?.kind !== 'index') return null;
  const index = await unpackMember(bytes).then(
    (line) => readIndexLine(line.toString('utf8')),
    () => null,
  );
  return index?.blocks.every((block) => block.offset + block.bytes <= offset) ? index : null;
}

interface Found extends BlockPlace {
  kind: MemberKind;
}

/** Finds the blocks of a file without an index, by reading all its members. */
async function walk(file: string, handle: FileHandle, size: number): Promise<Contents> {
  const members: Found[] = [];
  for await (const member of membersOf(handle, size)) members.push(member);
  const header = await firstHeader(handle, members);
  if (header === null)
    throw inputError(
      'traffic.header',
      file,
      'its header is damaged, so the start of the recording is unknown',
    );
  let missing = 0;
  members.forEach(({ kind, number }, at) => {
    const before = members[at - 1]?.number ?? -1;
    // A header begins another file, if files were concatenated.
    if (kind !== 'header' && number > before + 1) missing += number - before - 1;
  });
  const { blocks, others } = await blocksOf(handle, members, header);
  return { file, header, blocks, dropped: undefined, missing, others };
}

/** Returns the blocks of the recording with this header, and the number of other recordings in the file. */
async function blocksOf(
  handle: FileHandle,
  members: readonly Found[],
  { startedAt }: TrafficHeader,
): Promise<{ blocks: Found[]; others: number }> {
  const blocks: Found[] = [];
  const others = new Set<number>();
  let isOther = false;
  for (const member of members) {
    // The times of the blocks are relative to the start of their own recording.
    if (member.kind === 'header') {
      const own = await headerOf(handle, member);
      isOther = own !== null && own.startedAt !== startedAt;
      if (isOther) others.add(own!.startedAt);
    } else if (member.kind === 'block' && !isOther) blocks.push(member);
  }
  return { blocks, others: others.size };
}

/** Returns the header in a member of the kind `header` or `index`; null if the member is damaged. */
async function headerOf(handle: FileHandle, { kind, offset, bytes }: Found): Promise<TrafficHeader | null> {
  const line = await readAt(handle, offset, bytes)
    .then(unpackMember)
    .then(String, () => '');
  return kind === 'header' ? readHeaderLine(line) : (readIndexLine(line)?.header ?? null);
}

/** Yields the gzip members of a file. After damaged bytes, searches for the next member. */
async function* membersOf(handle: FileHandle, size: number): AsyncGenerator<Found> {
  let offset = 0;
  while (offset < size) {
    const member = readMember(await readAt(handle, offset, HEAD_BYTES));
    if (member === null) {
      offset = await search(handle, offset + 1, size);
      continue;
    }
    const end = offset + member.bytes;
    const follows = end === size || readMember(await readAt(handle, end, HEAD_BYTES)) !== null;
    // The length may be damaged, or what follows.
    const next = follows ? end : await search(handle, offset + HEAD_BYTES, size);
    yield { ...member, offset, bytes: Math.min(end, next) - offset };
    offset = next;
  }
}

/** Returns the position of the first member at or after `from`, in bytes; the size of the file if there are no more members. */
async function search(handle: FileHandle, from: number, size: number): Promise<number> {
  for (let start = from; start < size; start += SEARCH_BYTES) {
    // Members may begin at the end of one piece and continue in the next.
    const bytes = await readAt(handle, start, SEARCH_BYTES + HEAD_BYTES);
    for (let at = bytes.indexOf(SIGNATURE); at >= 0; at = bytes.indexOf(SIGNATURE, at + 1))
      if (readMember(bytes, at) !== null) return start + at;
  }
  return size;
}

/** Returns the first undamaged header, which may also be in the index; null if all are damaged or missing. */
async function firstHeader(handle: FileHandle, members: readonly Found[]): Promise<TrafficHeader | null> {
  for (const member of members) {
    if (member.kind !== 'header' && member.kind !== 'index') continue;
    const header = await headerOf(handle, member);
    if (header !== null) return header;
  }
  return null;
}

/** Yields the records of each block. */
async function* batches(all: readonly Contents[], losses: Losses): AsyncGenerator<Batch<TrafficRecord>> {
  const blocks = all.flatMap((contents) => contents.blocks);
  const nextTimes = earliestAfter(blocks);
  const bodies = new BodyParts(losses);
  let done = 0;
  for (const contents of all) {
    const handle = await open(contents.file, 'r');
    try {
      for (const block of contents.blocks) {
        const lines = await linesOf(handle, block);
        const nextTime = nextTimes[done]!;
        done += 1;
        if (typeof lines === 'string') {
          losses.add('damaged-block', 1, `${path.basename(contents.file)}, byte ${block.offset}: ${lines}`);
          losses.add('lost-record', block.records);
          yield { records: [], nextTime };
        } else yield { records: recordsOf(lines, contents.file, block, bodies, losses), nextTime };
      }
    } finally {
      await handle.close();
    }
  }
}

/** Returns, for each block, the earliest time of the records in all following blocks. Infinity if there are none. */
function earliestAfter(blocks: readonly BlockPlace[]): number[] {
  const times = Array.from({ length: blocks.length }, () => Infinity);
  for (let at = blocks.length - 2; at >= 0; at -= 1) {
    const next = blocks[at + 1]!;
    times[at] = Math.min(times[at + 1]!, next.records === 0 ? Infinity : next.firstAt);
  }
  return times;
}

/** Returns the lines of a block, or why it cannot be read. */
async function linesOf(handle: FileHandle, { offset, bytes }: BlockPlace): Promise<string[] | string> {
  try {
    const content = await unpackMember(await readAt(handle, offset, bytes));
    return content.toString('utf8').split('\n').filter(Boolean);
  } catch (error) {
    return messageOf(error);
  }
}

function recordsOf(
  lines: readonly string[],
  file: string,
  block: BlockPlace,
  bodies: BodyParts,
  losses: Losses,
): TrafficRecord[] {
  const records: TrafficRecord[] = [];
  lines.forEach((text, at) => {
    const line = readBlockLine(text);
    if (line.as === 'malformed')
      losses.add(
        'malformed',
        1,
        `${path.basename(file)}, block ${block.number}, line ${at + 1}: ${line.why}`,
      );
    else if (line.as === 'part') bodies.add(line.part);
    else {
      const record = bodies.complete(line.record, line.parts);
      if (record !== null) records.push(record);
    }
  });
  return records;
}
