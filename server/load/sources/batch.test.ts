import { Batch } from './batch';

function batchOf(...documents: string[]): Batch {
  const batch = new Batch();
  for (const document of documents) {
    batch.reserve(document.length);
    batch.begin();
    batch.append(Buffer.from(document));
  }
  return batch;
}

test('keeps the documents that are named, in order and back to back', () => {
  const batch = batchOf('first\n', 'the second\n', '3\n', 'fourth\n');
  batch.keep([1, 3], 2);
  expect(batch.body().toString()).toBe('the second\nfourth\n');
  batch.keep([1], 1);
  expect(batch.body().toString()).toBe('fourth\n');
  expect(batch.count).toBe(1);
});

test('takes the last document back', () => {
  const batch = batchOf('first\n', 'second\n');
  expect(Buffer.from(batch.removeLast()).toString()).toBe('second\n');
  expect(batch.body().toString()).toBe('first\n');
});

test('grows with what it is given and keeps what it holds', () => {
  const documents = Array.from({ length: 5000 }, (_, number) => `document ${number} ${'x'.repeat(100)}\n`);
  const batch = batchOf(...documents);
  expect(batch.body().toString()).toBe(documents.join(''));
  expect(batch.starts[4999]).toBe(batch.length - documents[4999]!.length);
});
