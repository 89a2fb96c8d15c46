/**
 * Writes the recorded requests to disk. Runs in a separate thread (see `thread.ts`), which receives buffers with frames (see frames.ts)
 * from the relaying thread.
 */
import { readSync } from 'node:fs';
import type { MessagePort } from 'node:worker_threads';
import { DynoError, messageOf } from '../../../common/problem';
import { factsOf } from '../../../common/traffic/facts';
import { TrafficWriter } from '../../traffic-file/writer';
import { Assembler, MOST_QUEUED_BYTES } from './assembler';
import {
  BUFFER_BYTES,
  type BatchNews,
  type FromWriting,
  type ToWriting,
  type WritingSettings,
  type WritingTotals,
} from './frames';
import { garbageCollector } from './garbage';

/**
 * Number of bytes in frames after which garbage is collected. Each byte is copied several times. Without early garbage collection, V8 would
 * use much memory.
 */
const GARBAGE_BYTES = 1024 ** 2;

/** Writes the requests in all frames that arrive at the port, until the recording ends. */
export async function writeTraffic(port: MessagePort, settings: WritingSettings): Promise<void> {
  const send = (message: FromWriting, transfer: ArrayBuffer[] = []): void =>
    port.postMessage(message, transfer);
  let writer: TrafficWriter;
  try {
    writer = await TrafficWriter.open(
      settings.file,
      { startedAt: settings.startedAt, origin: 'record', share: settings.share },
      {
        rotateBytes: settings.rotateBytes,
        // Far more than the assembler lets wait: a block is written without compression if the queue is half full.
        queueBytes: 32 * MOST_QUEUED_BYTES,
        blockBytes: MOST_QUEUED_BYTES / 2,
        onError: (error) => send({ as: 'disk', message: messageOf(error) }),
      },
    );
  } catch (error) {
    send(refusalOf(error, settings.file));
    port.close();
    return;
  }
  const assembler = new Assembler(writer, factsOf, settings);
  const totals = (): WritingTotals => {
    const { records, bytes, dropped, files } = writer.totals;
    const { unread, withoutFacts } = assembler;
    return { records, bytes, dropped, unread, withoutFacts, files };
  };
  const state = (): { totals: WritingTotals; isFull: boolean } => {
    const now = totals();
    return { totals: now, isFull: now.bytes >= settings.mostBytes };
  };
  const take = async (frames: Buffer, { forgotten, dropped }: BatchNews): Promise<void> => {
    writer.drop(dropped);
    await assembler.take(frames);
    for (const id of forgotten) assembler.forget(id);
    collectGarbage(frames.length);
  };
  const collectGarbage = garbageCollector('major', GARBAGE_BYTES);
  const scratch = Buffer.allocUnsafeSlow(BUFFER_BYTES);
  const carryOut = async (message: ToWriting): Promise<void> => {
    switch (message.as) {
      case 'batch': {
        await take(Buffer.from(message.buffer, 0, message.length), message.news);
        const { buffer } = message;
        send({ as: 'read', buffer, ...state() }, [buffer]);
        break;
      }
      case 'spilled': {
        const { length, offset } = message;
        if (length > 0) readSync(settings.spill!, scratch, 0, length, offset);
        await take(scratch.subarray(0, length), message.news);
        send({ as: 'read', isSpilled: true, ...state() });
        break;
      }
      case 'end':
        writer.drop(message.news.dropped);
        await writer.close();
        send({ as: 'ended', totals: totals() });
        port.close();
    }
  };
  let work = Promise.resolve();
  port.on('message', (message: ToWriting) => {
    // Earlier buffers may wait because the disk is full. They must not wait forever.
    if (message.as === 'end') writer.stopTrying();
    work = work.then(() => carryOut(message));
  });
  send({ as: 'open' });
}

function refusalOf(error: unknown, file: string): FromWriting {
  if (!(error instanceof DynoError))
    return { as: 'refused', kind: 'run', code: 'record.file', path: file, message: messageOf(error) };
  const { code, path, message, allowed } = error.problems[0]!;
  return { as: 'refused', kind: error.kind, code, path, message, allowed };
}
