/** Downloads of files that the page creates. */

/**
 * Returns a name that is valid on every file system: `Refresh interval (a)` and `yml` give `refresh-interval-a.yml`. Returns `otherwise` if
 * no letter or digit remains.
 */
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
  // The browser reads the URL after the click handler has returned.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** Downloads the text of an experiment as a file that the `dyno` command accepts. */
export const downloadYaml = (name: string, text: string): void =>
  download(new Blob([text], { type: 'application/yaml' }), fileName(name, 'yml', 'experiment'));
