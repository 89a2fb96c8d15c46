/**
 * Shows source files and their lines in stack traces of the built command. Source maps are read only when a stack trace is shown. Node's
 * `--enable-source-maps` is not used, because it would read all source maps at each start.
 */
import { readFileSync } from 'node:fs';
import { SourceMap, type SourceMapPayload } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** Matches a position in a stack frame, such as `file:///dyno/build/dyno.js:7:120`. Lines and columns count from 1. */
const PLACE = /(file:\/\/[^\s()]+):(\d+):(\d+)/;

const maps = new Map<string, SourceMap | undefined>();

function mapOf(file: string): SourceMap | undefined {
  if (!maps.has(file)) {
    let map: SourceMap | undefined;
    try {
      map = new SourceMap(JSON.parse(readFileSync(`${file}.map`, 'utf8')) as SourceMapPayload);
    } catch {
      // If there is no source map, the lines of the bundle are shown.
    }
    maps.set(file, map);
  }
  return maps.get(file);
}

/** Returns the stack frame with its position in the source file. Returns the frame unchanged if there is no source map. */
export const inSources = (frame: string): string =>
  frame.replace(PLACE, (place: string, url: string, line: string, column: string) => {
    const file = fileURLToPath(url);
    const found = mapOf(file)?.findEntry(Number(line) - 1, Number(column) - 1);
    if (found === undefined || !('originalSource' in found)) return place;
    const source = path.resolve(path.dirname(file), found.originalSource);
    return `${source}:${found.originalLine + 1}:${found.originalColumn + 1}`;
  });

function headOf(error: unknown): string {
  try {
    return String(error);
  } catch {
    return 'an error without a message';
  }
}

/**
 * Codes of the errors that undici uses to close connections. Node's streams read the stack of each such error, although nobody sees it.
 * These stacks are not mapped to the sources. Otherwise, every command that sends a request would load the source maps, which takes 60 ms.
 */
const CLOSED = new Set<unknown>(['UND_ERR_DESTROYED', 'UND_ERR_CLOSED', 'UND_ERR_INFO']);

const isOfClosing = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && CLOSED.has(error.code);

/** Makes all later stack traces of the process show source files and their lines. */
export function showSourceLines(): void {
  Error.prepareStackTrace = (error: unknown, frames) => {
    const shown = isOfClosing(error) ? String : (frame: unknown) => inSources(String(frame));
    return [headOf(error), ...frames.map((frame) => `    at ${shown(frame)}`)].join('\n');
  };
}
