import { stat } from 'node:fs/promises';

/** Resolves to whether something exists at a path. */
export const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );
