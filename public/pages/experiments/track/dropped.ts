/** Reads files that the user selected, dropped or pasted. Folders are read recursively, and archives are unpacked. */
import { LARGEST_FILE, readArchive } from './archive';

export type Files = Map<string, string>;

/** Maximum number of files read from a folder. */
const MOST_FILES = 20_000;

/** A file with its path within the dropped folder. */
interface Placed {
  path: string;
  file: File;
}

const ARCHIVE = /\.(?:zip|tar|tgz|tar\.gz)$/i;

async function readPlaced(placed: readonly Placed[]): Promise<Files> {
  const files: Files = new Map();
  for (const { path, file } of placed.slice(0, MOST_FILES)) {
    if (ARCHIVE.test(file.name)) {
      const inner = await readArchive(new Uint8Array(await file.arrayBuffer()));
      for (const [name, text] of inner ?? []) files.set(name, text);
    } else if (file.size <= LARGEST_FILE) files.set(path, await file.text());
  }
  return files;
}

export const readChosen = (list: readonly File[]): Promise<Files> =>
  readPlaced(list.map((file) => ({ path: file.webkitRelativePath || file.name, file })));

async function walk(entry: FileSystemEntry, placed: Placed[]): Promise<void> {
  if (placed.length >= MOST_FILES) return;
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) =>
      (entry as FileSystemFileEntry).file(resolve, reject),
    );
    placed.push({ path: entry.fullPath.replace(/^\//, ''), file });
    return;
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    // The reader returns a few entries at a time, and none at its end.
    if (some.length === 0) return;
    for (const inner of some) await walk(inner, placed);
  }
}

/** Reads dropped folders. Returns undefined if only files were dropped, because the file input of the page handles these. */
export function readDropped({ items }: DataTransfer): Promise<Files> | undefined {
  // The entries are available only during the event.
  const entries = [...items].flatMap((item) => item.webkitGetAsEntry?.() ?? []);
  if (!entries.some(({ isDirectory }) => isDirectory)) return undefined;
  const read = async (): Promise<Files> => {
    const placed: Placed[] = [];
    for (const entry of entries) await walk(entry, placed);
    return readPlaced(placed);
  };
  return read();
}
