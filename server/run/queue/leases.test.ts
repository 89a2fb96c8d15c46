/** Tests one lease of one run step by step. Integration tests check that leases exclude other processes. */
import { inputError } from '../../../common/problem';
import { thisProcess } from '../../process-life';
import type { Lease, Leases } from '../../results/leases';
import { RunLease, underLease } from './leases';

const OTHER = { host: 'elsewhere', pid: 7, instance: '7-7' };

/** Simulates the leases of a results cluster in memory. */
function leases() {
  const stored = new Map<string, Lease>();
  const steps: string[] = [];
  const client: Leases = {
    take(id, carrier, isGone) {
      steps.push('take');
      const held = stored.get(id);
      if (held && held.carrier.instance !== carrier.instance && !isGone(held, Date.now()))
        return Promise.reject(inputError('run.claimed', '', 'the run is carried by another process'));
      stored.set(id, { '@timestamp': new Date().toISOString(), run: { id }, carrier });
      return Promise.resolve();
    },
    read: (ids) => Promise.resolve(new Map([...stored].filter(([id]) => ids.includes(id)))),
    askToEnd: () => Promise.resolve(false),
    renew: () => Promise.resolve(void steps.push('renew')),
    now: () => Promise.resolve(Date.now()),
    list: () => Promise.resolve([...stored.values()]),
    release(id, carrier) {
      steps.push('release');
      if (stored.get(id)?.carrier.instance === carrier.instance) stored.delete(id);
      return Promise.resolve();
    },
  };
  return { client, stored, steps };
}

/** A promise that the test resolves. */
function gate<T>() {
  let open!: (value: T) => void;
  const opened = new Promise<T>((resolve) => (open = resolve));
  return { open, opened };
}

let made = 0;

async function held() {
  const id = `r-${++made}`;
  const results = leases();
  const errors: unknown[] = [];
  const lease = new RunLease(results.client, id, (error) => errors.push(error));
  const reports: string[] = [];
  const holder = {
    isActive: true,
    isOurs: (): Promise<boolean> => Promise.resolve(true),
    onEndAsked: (reason: string) => void reports.push(`end: ${reason}`),
    onLoss: () => void reports.push('lost'),
  };
  lease.watchFor(holder);
  await lease.take();
  const look = (): Promise<void> => lease.look(Promise.resolve(results.stored.get(id)));
  const taken = (by: Lease['carrier'], end?: Lease['end']): void =>
    void results.stored.set(id, { '@timestamp': new Date().toISOString(), run: { id }, carrier: by, end });
  return { ...results, id, lease, holder, reports, errors, look, taken };
}

test('a loss is reported once, however often the lease is checked', async () => {
  const { id, look, lease, reports, taken, stored } = await held();
  await look();
  expect(reports).toEqual([]);
  taken(OTHER);
  await Promise.all([look(), look()]);
  await look();
  expect(reports).toEqual(['lost']);
  await lease.release();
  expect(stored.get(id)!.carrier).toEqual(OTHER);
});

test('a run that ends during the check is not reported as lost', async () => {
  const { look, holder, reports, stored } = await held();
  const answer = gate<boolean>();
  const asked = gate<true>();
  holder.isOurs = () => {
    asked.open(true);
    return answer.opened;
  };
  stored.clear();
  const looked = look();
  await asked.opened;
  holder.isActive = false;
  // The stored run has ended, and no process executes it.
  answer.open(false);
  await looked;
  expect(reports).toEqual([]);
});

test('a lease that is released during the check is not taken again', async () => {
  const { look, holder, lease, reports, steps, stored } = await held();
  const answer = gate<boolean>();
  holder.isOurs = () => answer.opened;
  stored.clear();
  const looked = look();
  const released = lease.release();
  answer.open(true);
  await Promise.all([looked, released]);
  await look();
  expect([stored.size, steps, reports]).toEqual([0, ['take', 'release'], []]);
});

test('a missing lease is taken again while the run is ours, and lost if another process was faster', async () => {
  const { id, look, holder, reports, stored, taken } = await held();
  stored.clear();
  await look();
  expect(stored.get(id)!.carrier).toEqual(thisProcess());
  stored.clear();
  const answer = gate<boolean>();
  holder.isOurs = () => answer.opened;
  const looked = look();
  taken(OTHER);
  answer.open(true);
  await looked;
  expect(reports).toEqual(['lost']);
});

test('a request to end is received as long as the run is active', async () => {
  const { look, holder, reports, taken } = await held();
  taken(thisProcess(), { reason: 'enough', at: new Date().toISOString() });
  await look();
  holder.isActive = false;
  await look();
  expect(reports).toEqual(['end: enough']);
});

test('a lease that is taken while leases are read does not count as missing', async () => {
  const { client } = leases();
  const lease = new RunLease(client, 'young', () => undefined);
  const reports: string[] = [];
  lease.watchFor({
    isActive: true,
    isOurs: () => Promise.resolve(false),
    onEndAsked: (reason) => void reports.push(`end: ${reason}`),
    onLoss: () => void reports.push('lost'),
  });
  const read = gate<undefined>();
  const looked = lease.look(read.opened);
  await lease.take();
  read.open(undefined);
  await looked;
  expect(reports).toEqual([]);
  await lease.release();
});

test('two parts of this process exclude each other from a run as two processes do', async () => {
  const { client, stored } = leases();
  const lease = new RunLease(client, 'both', () => undefined);
  const working = gate<true>();
  const worked = underLease(client, 'both', () => working.opened);
  await expect(lease.take()).rejects.toMatchObject({ code: 'run.claimed' });
  // If another part of the process never had the lease, it does not release it.
  await lease.release();
  expect(stored.size).toBe(1);
  working.open(true);
  await worked;
  const next = new RunLease(client, 'both', () => undefined);
  await next.take();
  await expect(underLease(client, 'both', () => Promise.resolve())).rejects.toMatchObject({
    code: 'run.claimed',
  });
  expect(stored.size).toBe(1);
  await next.release();
  expect(stored.size).toBe(0);
});

test('an unreachable results cluster does not delay the work, and a run with another lease is refused', async () => {
  const { client, stored } = leases();
  const errors: unknown[] = [];
  const away = { ...client, take: () => Promise.reject(new Error('nobody answers')) };
  const untaken = new RunLease(away, 'r', (error) => errors.push(error));
  await untaken.take();
  expect(errors).toHaveLength(1);
  await untaken.release();
  stored.set('r', { '@timestamp': new Date().toISOString(), run: { id: 'r' }, carrier: OTHER });
  const refused = new RunLease(client, 'r', (error) => errors.push(error));
  await expect(refused.take()).rejects.toMatchObject({ code: 'run.claimed' });
  await refused.release();
  expect([stored.get('r')!.carrier, errors.length]).toEqual([OTHER, 1]);
});

test('a lease that cannot be released is reported once, and other parts of this process can take it', async () => {
  const id = `r-${++made}`;
  const { client, stored } = leases();
  const errors: unknown[] = [];
  const away: Leases = { ...client, release: () => Promise.reject(new Error('away')) };
  const lease = new RunLease(away, id, (error) => errors.push(error));
  await lease.take();
  await lease.release();
  await lease.release();
  expect(errors).toEqual([new Error('away')]);
  const next = new RunLease(client, id, (error) => errors.push(error));
  await next.take();
  await next.release();
  expect([stored.size, errors.length]).toEqual([0, 1]);
});
