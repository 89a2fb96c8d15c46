/** Starts and controls the simulated server for the certification, in a separate process. */
import { fork, type ChildProcess } from 'node:child_process';
import { on, once } from 'node:events';
import { runError } from '../../common/problem';
import { withTimeLimit } from '../waiting';
import type { BehaviourName } from './behaviours';
import type { FromTarget, ToTarget } from './target-process';
import type { TargetLog } from './target';

/** Maximum time in ms for the start of the process, and for each message that it must send. */
const PATIENCE_MS = 20_000;

export class TargetHandle {
  private constructor(
    private readonly process: ChildProcess,
    readonly url: string,
  ) {}

  /** Starts the process. `file`: path of the built target-process.ts. Rejects with a DynoError. */
  static async start(file: string): Promise<TargetHandle> {
    // The messages are serialised in a way that keeps binary data. The process does not inherit the Node.js options of this process, such
    // as those of a debugger.
    const process = fork(file, [], { serialization: 'advanced', execArgv: [] });
    try {
      const { port } = await nextMessage(process, 'listens');
      return new TargetHandle(process, `http://127.0.0.1:${port}`);
    } catch (error) {
      process.kill();
      throw error;
    }
  }

  /** Switches the behaviour of the simulated server and empties its log. */
  async behave(behaviour: BehaviourName, seed: number): Promise<void> {
    const done = nextMessage(this.process, 'behaves');
    this.send({ kind: 'behave', behaviour, seed });
    await done;
  }

  async log(): Promise<TargetLog> {
    const done = nextMessage(this.process, 'log');
    this.send({ kind: 'log' });
    return (await done).log;
  }

  /** Ends the process. Resolves when the process has ended. */
  async stop(): Promise<void> {
    if (this.process.exitCode !== null || this.process.signalCode !== null) return;
    const ended = new Promise((resolve) => this.process.once('exit', resolve));
    this.process.kill();
    await ended;
  }

  private send(message: ToTarget): void {
    this.process.send(message);
  }
}

/**
 * Resolves to the next message of this kind that arrives after the call. Rejects with a DynoError `certify.target` if the process ends
 * before the message, or sends no message of this kind within {@link PATIENCE_MS}.
 */
async function nextMessage<K extends FromTarget['kind']>(
  process: ChildProcess,
  kind: K,
): Promise<FromTarget & { kind: K }> {
  const failed = (): Error =>
    runError('certify.target', '', 'the process of the target of known behaviour ended, or is silent');
  const over = new AbortController();
  const { signal } = over;
  const next = async (): Promise<FromTarget & { kind: K }> => {
    for await (const [message] of on(process, 'message', { signal }) as AsyncIterable<[FromTarget]>)
      if (message.kind === kind) return message as FromTarget & { kind: K };
    throw failed();
  };
  const ended = once(process, 'exit', { signal }).then((): never => {
    throw failed();
  });
  try {
    return await withTimeLimit(Promise.race([next(), ended]), PATIENCE_MS, failed);
  } finally {
    over.abort();
  }
}
