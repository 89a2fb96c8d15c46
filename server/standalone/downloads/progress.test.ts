import { downloadProgress } from './progress';

const written = (isTTY: boolean): { isTTY: boolean; text: string; write(text: string): void } => ({
  isTTY,
  text: '',
  write(text) {
    this.text += text;
  },
});

describe('the progress of a download', () => {
  it('is a line every 10% without a terminal', () => {
    const output = written(false);
    const progress = downloadProgress('Downloading x', output);
    for (let done = 0; done <= 1024; done += 8) progress(done, 1024);
    const lines = output.text.trim().split('\n');
    expect(lines).toHaveLength(11);
    expect(lines[3]).toBe('Downloading x: 30% of 1 KB');
  });

  it('is a bar on a terminal, redrawn ten times a second at most', () => {
    const output = written(true);
    let now = 0;
    const progress = downloadProgress('Downloading x', output, () => now);
    for (let done = 0; done <= 1000; done += 1) {
      progress(done, 1000);
      now += 1;
    }
    expect(output.text.split('\r')).toHaveLength(12);
    expect(output.text).toContain('100% of');
    expect(output.text.endsWith('\n')).toBe(true);
  });

  it('counts bytes if the server does not send the size', () => {
    const output = written(true);
    downloadProgress('Downloading x', output)(2048, undefined);
    expect(output.text).toContain('Downloading x 2 KB');
  });
});
