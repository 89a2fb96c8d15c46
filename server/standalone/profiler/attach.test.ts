import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm, stat } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { loadAgent, refusalIn, socketOf } from './attach';

test.each([
  ['an agent without an answer', '0\n', ''],
  ['an agent that accepted its options', '0\nreturn code: 0\n', ''],
  ['an agent that refused its options', '0\nreturn code: 200\n', 'return code: 200'],
  ['a library that Java 21 cannot load', '0\nlibx.so: cannot open\n', 'libx.so: cannot open'],
  ['a JVM that refuses the command', '101\nNot allowed\n', 'Not allowed'],
  ['a connection that was closed', '', 'status missing'],
])('the answer of %s', (_, answer, refusal) => {
  expect(refusalIn(answer)).toBe(refusal);
});

/** Listens at the socket of this process, as a JVM with this process id would. */
async function pretendJvm(answer: string): Promise<{ asked: string[]; server: Server }> {
  const asked: string[] = [];
  const server = createServer((socket) => {
    socket.on('data', (bytes) => {
      asked.push(...bytes.toString().split('\0'));
      socket.end(answer);
    });
  });
  await rm(socketOf(process.pid), { force: true });
  server.listen(socketOf(process.pid));
  await once(server, 'listening');
  return { asked, server };
}

test('a command has the version of the protocol and three arguments, each with a zero byte at its end', async () => {
  const { asked, server } = await pretendJvm('0\nreturn code: 0\n');
  try {
    await loadAgent(process.pid, '/lib/agent.so', 'start,event=cpu');
  } finally {
    server.close();
  }
  expect(asked).toEqual(['1', 'load', '/lib/agent.so', 'true', 'start,event=cpu', '']);
});

test('a refusal is an error that names the process and the reason', async () => {
  const { server } = await pretendJvm('0\nreturn code: 200\n');
  try {
    await expect(loadAgent(process.pid, '/lib/agent.so', '')).rejects.toThrow(
      `process ${process.pid} did not load /lib/agent.so: return code: 200`,
    );
  } finally {
    server.close();
  }
});

// Only Linux reports which signals a process handles.
const onLinux = process.platform === 'linux' ? describe : describe.skip;

onLinux('on Linux', () => {
  test('a process that is no JVM is not asked, because the signal would end it', async () => {
    const child = spawn('sleep', ['60'], { stdio: 'ignore' });
    try {
      await once(child, 'spawn');
      await expect(loadAgent(child.pid!, '/lib/agent.so', '')).rejects.toThrow(/is no JVM/);
      expect(child.signalCode).toBeNull();
      await expect(stat(`/tmp/.attach_pid${child.pid!}`)).rejects.toThrow(/ENOENT/);
    } finally {
      child.kill('SIGKILL');
    }
  });
});

test('a process that has ended is reported', async () => {
  const child = spawn('true', { stdio: 'ignore' });
  await once(child, 'exit');
  await expect(loadAgent(child.pid!, '/lib/agent.so', '')).rejects.toThrow(/the process has ended/);
});
