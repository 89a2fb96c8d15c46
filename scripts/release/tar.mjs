// Packs files below one folder as a reproducible tar.gz.
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

/**
 * Writes the archive `file`. `names`: files in the folder `stage`. In the archive, they are in the folder `folder` and have the time
 * `date`.
 */
export function packTar(file, stage, folder, names, date) {
  const { stdout, stderr, status, error } = spawnSync(
    'tar',
    [
      ...['--create', '--format=ustar', '--sort=name', `--mtime=@${date.getTime() / 1000}`],
      ...['--owner=0', '--group=0', '--numeric-owner', '--mode=u=rwX,go=rX'],
      ...[`--transform=s,^,${folder}/,`, '--directory', stage, ...[...names].sort()],
    ],
    { maxBuffer: 1 << 30 },
  );
  if (status !== 0) throw new Error(`GNU tar is needed to pack ${file}: ${error?.message ?? stderr}`);
  // The archive is reproducible, because Node.js writes no time and no name into the gzip header.
  writeFileSync(file, gzipSync(stdout, { level: 9 }));
}
