/**
 * Errors of the built command name files and lines of the sources. The maps beside the bundles are read once an error is shown:
 * with Node's own `--enable-source-maps` each start would read all of them.
 */
import { readFileSync } from 'node:fs';
import { SourceMap, type SourceMapPayload } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** `file:///dyno/build/dyno.js:7:120`, as frames of a stack name their places; lines and columns count from 1. */
const PLACE = /(file:\/\/[^\s()]+):(\d+):(\d+)/;

const maps = new Map<string, SourceMap | undefined>();

function mapOf(file: string): SourceMap | undefined {
  if (!maps.has(file)) {
    let map: SourceMap | undefined;
    try {
      map = new SourceMap(JSON.parse(readFileSync(`${file}.map`, 'utf8')) as SourceMapPayload);
    } catch {
      // It has none: its own lines are told.
    }
    maps.set(file, map);
  }
  return maps.get(file);
}

/** The same frame with the place in the sources; as it is where there is no map. */
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
 * What undici closes a connection with, at the end and after each request that asks for that. Node's streams look at the stack of
 * each error that they end with, and nobody is shown these: the maps, which take 60 ms, would be read in every command that sends
 * a request.
 */
const CLOSED = new Set<unknown>(['UND_ERR_DESTROYED', 'UND_ERR_CLOSED', 'UND_ERR_INFO']);

const isOfClosing = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && CLOSED.has(error.code);

/** From here on, for the whole process. */
export function tellSourceLines(): void {
  Error.prepareStackTrace = (error: unknown, frames) => {
    const shown = isOfClosing(error) ? String : (frame: unknown) => inSources(String(frame));
    return [headOf(error), ...frames.map((frame) => `    at ${shown(frame)}`)].join('\n');
  };
}
