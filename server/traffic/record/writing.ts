/** The writing side of the recorder: receives batches of frames, and writes records. It runs in its own thread, see `thread.ts`. */
import { setTimeout as pause } from 'node:timers/promises';
import type { MessagePort } from 'node:worker_threads';
import { DynoError, messageOf } from '../../../common/problem';
import { factsOf } from '../../../common/traffic/facts';
import { TrafficWriter } from '../../traffic-file/writer';
import { Assembler } from './assembler';
import type { FromWriting, ToWriting, TrafficBatch, WritingSettings, WritingTotals } from './frames';

/** Lines that may wait for the disk in the writer, in bytes. More wait as batches. */
const MOST_QUEUED_BYTES = 8 * 1024 ** 2;
/** Interval in which a full queue of the writer is checked, in ms. */
const CHECK_MS = 2;

/** Writes what arrives at the port until its end. */
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
        queueBytes: 2 * MOST_QUEUED_BYTES,
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
  const take = async ({ buffer, length, forgotten, dropped }: TrafficBatch): Promise<void> => {
    writer.drop(dropped);
    await assembler.take(Buffer.from(buffer, 0, length));
    for (const id of forgotten) assembler.forget(id);
    while (writer.totals.queuedBytes > MOST_QUEUED_BYTES) await pause(CHECK_MS);
    const now = totals();
    send({ as: 'read', buffer, totals: now, isFull: now.bytes >= settings.mostBytes }, [buffer]);
  };
  let work = Promise.resolve();
  port.on('message', (message: ToWriting) => {
    work = work.then(async () => {
      if (!('end' in message)) return take(message);
      writer.drop(message.dropped);
      await writer.close().catch((error: unknown) => send({ as: 'disk', message: messageOf(error) }));
      send({ as: 'ended', totals: totals() });
      port.close();
    });
  });
  send({ as: 'open' });
}

function refusalOf(error: unknown, file: string): FromWriting {
  if (!(error instanceof DynoError))
    return { as: 'refused', kind: 'run', code: 'record.file', path: file, message: messageOf(error) };
  const { code, path, message, allowed } = error.problems[0]!;
  return { as: 'refused', kind: error.kind, code, path, message, allowed };
}
