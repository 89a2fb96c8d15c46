import { Readable } from 'node:stream';
import { sentFile } from './file-answer';

test('text is sent as UTF-8, under a name that is safe in a header', () => {
  expect(sentFile({ contentType: 'text/csv', fileName: 'a "b"\r\n.csv', text: 'x' })).toEqual({
    headers: {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="a__b___.csv"',
    },
    body: 'x',
  });
});

test('a file that is streamed has its own type', () => {
  const stream = Readable.from([]);
  const { headers, body } = sentFile({ contentType: 'application/gzip', fileName: 'runs.gz', stream });
  expect(headers['content-type']).toBe('application/gzip');
  expect(body).toBe(stream);
});
