/** What a disk that does not do its part means to a person. */
import { runError } from '../../../common/problem';

/** A DynoError `disk.full` or `disk.not-writable` where the system error `error` says so; else `error` itself. */
export function asDiskError(error: unknown, path: string): unknown {
  switch ((error as NodeJS.ErrnoException).code) {
    case 'ENOSPC':
    case 'EDQUOT':
      return runError('disk.full', path, 'the disk is full', error);
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return runError(
        'disk.not-writable',
        path,
        'cannot be written to: it is another user’s or read-only',
        error,
      );
    default:
      return error;
  }
}
