import { whenFirstRequests } from './first-requests';

/** Returns an operation whose source reads its first documents when the test calls `give`. */
function slow(): { whenReady: (onReady: () => void) => void; give: () => void } {
  let notify = (): void => undefined;
  return { whenReady: (onReady) => (notify = onReady), give: () => notify() };
}

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

describe('a share', () => {
  it('is ready when the slowest of its sources has something', () => {
    const ready = jest.fn();
    const [first, second] = [slow(), slow()];
    whenFirstRequests([first, {}, second], ready);
    first.give();
    expect(ready).not.toHaveBeenCalled();
    second.give();
    expect(ready).toHaveBeenCalledTimes(1);
  });

  it('is ready at once where nothing has to be read', () => {
    const ready = jest.fn();
    whenFirstRequests([{}, {}], ready);
    expect(ready).toHaveBeenCalledTimes(1);
  });

  it('waits some seconds for a source, and reports once', () => {
    const ready = jest.fn();
    const source = slow();
    whenFirstRequests([source], ready);
    jest.advanceTimersByTime(5000);
    expect(ready).toHaveBeenCalledTimes(1);
    source.give();
    expect(ready).toHaveBeenCalledTimes(1);
  });

  it('reports nothing after it was cancelled', () => {
    const ready = jest.fn();
    const source = slow();
    whenFirstRequests([source], ready)();
    source.give();
    jest.advanceTimersByTime(5000);
    expect(ready).not.toHaveBeenCalled();
  });
});
