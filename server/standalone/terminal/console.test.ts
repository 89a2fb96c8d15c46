import { Writable } from 'node:stream';
import { processConsole, type Streams } from './console';

/** A stream that accepts `whole` writes. All further writes fail with the error code `code`. `taken`: the accepted texts. */
function refusing(code: string, whole = 0): { stream: Writable; taken: string[] } {
  const taken: string[] = [];
  const stream = new Writable({
    autoDestroy: false,
    decodeStrings: false,
    write(text: string, _, done) {
      if (taken.length < whole) {
        taken.push(text);
        return done();
      }
      done(Object.assign(new Error(`write ${code}`), { code }));
    },
  });
  return { stream, taken };
}
const accepting = (): { stream: Writable; taken: string[] } => refusing('', Infinity);

const consoleOn = (stdout: Writable, stderr: Writable): ReturnType<typeof processConsole> =>
  processConsole({ stdout, stderr, env: {} } as unknown as Streams);

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('a closed pipe, such as with `| head -1`, does not end the command and does not count as lost', async () => {
  const [out, err] = [refusing('EPIPE', 1), accepting()];
  const console = consoleOn(out.stream, err.stream);
  for (const line of ['one', 'two', 'three']) console.print(line);
  await turn();
  console.print('four');
  await turn();
  expect([out.taken, err.taken, console.isLost]).toEqual([['one\n'], [], false]);
});

test('a closed terminal does not stop further output', async () => {
  const [out, err] = [refusing('EIO'), refusing('EIO')];
  const console = consoleOn(out.stream, err.stream);
  console.say('on the way');
  console.warn('careful');
  console.print('done');
  await turn();
  expect([out.taken, err.taken, console.isLost]).toEqual([[], [], false]);
});

test('results that do not fit on the disk are reported once and count as lost', async () => {
  const [out, err] = [refusing('ENOSPC'), accepting()];
  const console = consoleOn(out.stream, err.stream);
  console.print('one');
  await turn();
  console.print('two');
  await turn();
  expect(err.taken).toEqual(['standard output cannot be written: write ENOSPC\n']);
  expect(console.isLost).toBe(true);
});

test('control characters from files and clusters never reach the terminal', () => {
  const [out, err] = [accepting(), accepting()];
  const title = '\u001b]0;owned\u0007\u001b[31mRED\r';
  const shown = '\\u001b]0;owned\\u0007\\u001b[31mRED\\u000d\n';
  const plain = consoleOn(out.stream, err.stream);
  plain.print(title);
  plain.say(title);
  plain.warn(title);
  Object.assign(out.stream, { isTTY: true });
  const coloured = consoleOn(out.stream, err.stream);
  coloured.print(title);
  coloured.print('\u001b[31mred\u001b[0m\u001b[2J\u001b[8m', true);
  expect(out.taken).toEqual([shown, shown, '\u001b[31mred\u001b[0m\\u001b[2J\\u001b[8m\n']);
  expect(err.taken).toEqual([shown, shown]);
});

test('shows advice about passwords unchanged, and hides passwords in addresses', () => {
  const [out, err] = [accepting(), accepting()];
  consoleOn(out.stream, err.stream).warn('https://elastic:Hunter2@es1; allowed: https://user:password@host');
  expect(err.taken).toEqual(['https://[removed]@es1; allowed: https://user:password@host\n']);
});
