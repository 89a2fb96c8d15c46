/** Gives the user a file that was made on the page. */

/** A name that any file system takes: `ingest-throughput.png`. */
export const fileName = (text: string, extension: string): string =>
  `${
    text
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '-')
      .replaceAll(/^-|-$/g, '')
      .slice(0, 80) || 'dyno'
  }.${extension}`;

export function download(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
  // Browsers read it after the click has returned.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
