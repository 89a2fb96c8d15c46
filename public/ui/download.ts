/** Files made in the page, given to the browser to keep. */

/** A name that every file system takes: `Refresh interval (a)` and `yml` as `refresh-interval-a.yml`; `otherwise` where no letter is left. */
export const fileName = (name: string, extension: string, otherwise = 'dyno'): string => {
  const letters = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
  return `${letters.slice(0, 80) || otherwise}.${extension}`;
};

export function download(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // Browsers read it after the click has returned.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** The text of an experiment, as a file that the command takes. */
export const downloadYaml = (name: string, text: string): void =>
  download(new Blob([text], { type: 'application/yaml' }), fileName(name, 'yml', 'experiment'));
