import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { transformSync } from 'esbuild';
import { inSources, showSourceLines } from './source-lines';

let folder: string;
beforeEach(() => (folder = mkdtempSync(path.join(tmpdir(), 'dyno-lines-'))));
afterEach(() => rmSync(folder, { recursive: true }));

/** Returns the stack frame of `throw` in a built file. */
function frameOf(name: string, code: string): string {
  const line = code.split('\n').findIndex((text) => text.includes('throw'));
  const column = code.split('\n')[line]!.indexOf('throw');
  return `async carry (${pathToFileURL(path.join(folder, name)).href}:${line + 1}:${column + 1})`;
}

test('shows the file and line of the source', () => {
  const source =
    'const one: number = 1;\n\nexport function carry(): void {\n  throw new Error(String(one));\n}\n';
  const { code, map } = transformSync(source, {
    loader: 'ts',
    minify: true,
    sourcemap: true,
    sourcefile: '../server/run.ts',
  });
  writeFileSync(path.join(folder, 'dyno.js.map'), map);
  const mapped = inSources(frameOf('dyno.js', code));
  expect(mapped).toBe(`async carry (${path.join(folder, '../server/run.ts')}:4:3)`);
});

test('keeps a frame without a source map unchanged', () => {
  const frame = frameOf('other.js', 'throw 1');
  expect(inSources(frame)).toBe(frame);
  expect(inSources('node:internal/main:3:1')).toBe('node:internal/main:3:1');
});

test('reads no source map for errors of closed connections', () => {
  const before = Error.prepareStackTrace;
  const written = 'export const carry = () => { throw 1 };';
  const { map } = transformSync(written, { sourcemap: true, sourcefile: '../server/run.ts' });
  writeFileSync(path.join(folder, 'closing.js.map'), map);
  const frame = { toString: () => frameOf('closing.js', written) } as unknown as NodeJS.CallSite;
  try {
    showSourceLines();
    const mapped = (error: Error): unknown => Error.prepareStackTrace!(error, [frame]);
    for (const [message, code] of [
      ['The client is destroyed', 'UND_ERR_DESTROYED'],
      ['reset', 'UND_ERR_INFO'],
    ] as const)
      expect(mapped(Object.assign(new Error(message), { code }))).toContain('closing.js:1:');
    expect(mapped(new Error('another'))).toContain('server/run.ts:1:');
  } finally {
    Error.prepareStackTrace = before;
  }
});
