import os from 'node:os';
import { Readable } from 'node:stream';
import { createRunFiles } from './run-files';

afterEach(() => jest.restoreAllMocks());

test('an import that could not store its file does not block later ones', async () => {
  jest.spyOn(os, 'tmpdir').mockReturnValue('/dev/null/nowhere');
  const files = createRunFiles({
    results: { request: () => Promise.reject(new Error('nothing is asked of the results')) },
    version: '0.0.0',
    folder: '/dev/null',
  });
  const importOne = (): Promise<unknown> => files.import(Readable.from([]), { replace: false });
  await expect(importOne()).rejects.toMatchObject({ code: 'ENOTDIR' });
  await expect(importOne()).rejects.toMatchObject({ code: 'ENOTDIR' });
});
