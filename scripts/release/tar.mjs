// A tar.gz of some files below one folder: the same files give the same bytes.
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

/** `names`: of files in `stage`; they get the name `folder/...` in the archive, and `date` as their time. */
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
  // Node.js writes no time and no name into the head.
  writeFileSync(file, gzipSync(stdout, { level: 9 }));
}
