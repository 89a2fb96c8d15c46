import { archiveAddress } from './account';

test.each([
  ['https://data.example.org/corpora/', 'https://data.example.org/corpora/d.json.bz2'],
  ['https://loader:planted@data.example.org/c', 'https://[removed]@data.example.org/c/d.json.bz2'],
  ['https://data.example.org/c?X-Amz-Signature=planted', 'https://data.example.org/c/d.json.bz2?[removed]'],
  ['https://loader:pl/anted@data.example.org/c', 'https://[removed]@data.example.org/d.json.bz2'],
])('the archive below %s is named %s', (base, shown) => {
  expect(archiveAddress(base, 'd.json.bz2')).toBe(shown);
});
