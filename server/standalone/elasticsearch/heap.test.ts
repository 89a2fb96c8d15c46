import { defaultHeap, heapForJvm } from './heap';

const GIB = 1024 ** 3;

describe('the heap', () => {
  it('is 1 GB for one node with memory to spare, else 512 MB', () => {
    expect(defaultHeap(1, 8 * GIB)).toBe('1g');
    expect(defaultHeap(1, 2 * GIB)).toBe('512m');
    expect(defaultHeap(3, 8 * GIB)).toBe('512m');
  });

  it.each([
    ['1g', '1024m'],
    ['512m', '512m'],
    ['1.5GB', '1536m'],
  ])('written as %s is %s to the JVM', (text, jvm) => {
    expect(heapForJvm(text)).toBe(jvm);
  });

  it.each(['1', 'big', '64m', '-1g', ''])('is not "%s"', (text) => {
    expect(() => heapForJvm(text)).toThrow(/not a heap size/);
  });
});
