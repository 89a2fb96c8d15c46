import { decodeHistogram } from '../../../common/measurement/histogram';
import { until } from '../../../test/support/until';
import { PulseListener, PulseSender } from './pulse';

test('messages over loopback are noticed, and those of the measured phase counted', async () => {
  let counts = false;
  let sender: PulseSender | undefined;
  const listener = new PulseListener(
    () => counts,
    (port) => {
      sender = new PulseSender(port);
    },
  );
  try {
    await until('a sender', () => sender !== undefined);
    expect(listener.outcome()).toBeNull();
    counts = true;
    await until('a message', () => listener.outcome() !== null);
    const noticed = decodeHistogram(listener.outcome()!);
    expect(noticed.maxValue).toBeLessThan(60_000_000);
  } finally {
    sender?.close();
    listener.close();
  }
});
