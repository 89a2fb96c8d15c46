import { createRandom, deriveSeed, type Random } from '../../../common/random';
import {
  RateController,
  type ControllerSetting,
  type Found,
  type PlannedStep,
  type StepVerdict,
} from './controller';

const SETTING: ControllerSetting = {
  start: 50,
  grow: 1.5,
  precision: 0.05,
  max: null,
  extensions: 2,
  stepMs: (_, extension) => 5000 + 15_000 * 4 ** extension,
  holdMs: () => 65_000,
};

interface Went {
  found: Found;
  steps: (PlannedStep & { held: boolean; verdict: StepVerdict })[];
}

/**
 * Runs a search to its end. `holds` simulates the target: it returns whether the target keeps the limits in a step. Returns all steps with
 * their results, and the result of the search.
 */
function search(
  holds: (step: PlannedStep) => boolean | StepVerdict,
  more: Partial<ControllerSetting> = {},
  timeMs = 30 * 60_000,
): Went {
  const setting = { ...SETTING, ...more };
  const controller = new RateController(setting);
  const steps: Went['steps'] = [];
  let leftMs = timeMs;
  for (;;) {
    const step = controller.next(leftMs);
    if (step === null) break;
    const held = holds(step);
    const verdict = typeof held === 'string' ? held : held ? 'held' : 'broken';
    steps.push({ ...step, held: verdict === 'held', verdict });
    leftMs -=
      step.phase === 'hold' ? setting.holdMs(step.perSecond) : setting.stepMs(step.perSecond, step.extension);
    controller.judged(verdict);
    if (steps.length > 100) throw new Error('the search does not end');
  }
  return { found: controller.found(), steps };
}

const upTo =
  (knee: number) =>
  ({ perSecond }: PlannedStep): boolean =>
    perSecond <= knee;

test('grows, bisects and holds: the knee is in a bracket with the wanted precision', () => {
  for (const knee of [51, 75, 120, 333, 1000, 12_345]) {
    const { found, steps } = search(upTo(knee));
    expect(found).toMatchObject({ confirmed: true, end: 'found' });
    expect(found.held).toBeLessThanOrEqual(knee);
    expect(found.broken).toBeGreaterThan(knee);
    expect(found.broken! / found.held!).toBeLessThanOrEqual(1.05 + 1e-9);
    expect(steps.at(-1)).toMatchObject({ phase: 'hold', perSecond: found.held, held: true });
  }
});

test('goes down from a start that is too high, and says so where nothing was held', () => {
  const { found, steps } = search(upTo(7));
  expect(steps[0]).toMatchObject({ phase: 'grow', perSecond: 50, held: false });
  expect(steps[1]!.phase).toBe('descend');
  expect(found.confirmed).toBe(true);
  expect(found.held).toBeLessThanOrEqual(7);
  expect(found.broken).toBeGreaterThan(7);

  const nothing = search(() => false);
  expect(nothing.found).toMatchObject({ held: null, confirmed: false, end: 'nothing-held' });
  expect(nothing.found.broken).toBeLessThan(1);
  // The first step, and four steps down.
  expect(nothing.steps).toHaveLength(5);
});

test('a step that fails without a test is tried once more and ends nothing', () => {
  let failed = false;
  const { found, steps } = search((step) => {
    if (step.number === 3 && !failed) {
      failed = true;
      return 'missed';
    }
    return upTo(300)(step);
  });
  expect(steps[3]).toMatchObject({ perSecond: steps[2]!.perSecond, repeats: true, held: true });
  expect(found.held).toBeLessThanOrEqual(300);
  expect(found.broken).toBeGreaterThan(300);
});

test('an undecided step is repeated for longer, and a rate that no step decides is within the bracket', () => {
  // The closer a rate is to 100, the longer the step that decides it must be.
  const asked: number[] = [];
  const { found, steps } = search(({ perSecond, extension, phase }) => {
    const distance = Math.abs(perSecond / 100 - 1);
    const needs = distance > 0.2 ? 0 : distance > 0.1 ? 1 : distance > 0.05 ? 2 : 3;
    if (phase !== 'hold' && perSecond > 75 && perSecond < 80) asked.push(extension);
    if ((phase === 'hold' ? 2 : extension) < needs) return 'undecided';
    return perSecond <= 100;
  });
  expect(steps.filter(({ verdict }) => verdict === 'undecided').length).toBeGreaterThan(3);
  expect(found).toMatchObject({ confirmed: true, end: 'wide' });
  expect(found.held).toBeLessThanOrEqual(95);
  expect(found.broken).toBeGreaterThanOrEqual(105);
  for (const [at, { verdict, extension, perSecond, phase }] of steps.entries()) {
    if (verdict !== 'undecided' || phase === 'hold' || extension === 2) continue;
    expect(steps[at + 1]).toMatchObject({ perSecond, extension: extension + 1, repeats: true });
  }
});

test('both ends are held: the upper one must fail for as long as the lower one must pass, and the lower one comes last', () => {
  const { found, steps } = search(upTo(100));
  expect(steps.slice(-2)).toMatchObject([
    { phase: 'hold', perSecond: found.broken, held: false },
    { phase: 'hold', perSecond: found.held, held: true },
  ]);
  // Short steps failed by chance at 80 requests per second. A long step at 80 succeeds, so the search continues above 80.
  const misled = search(({ phase, perSecond }) => perSecond <= (phase === 'hold' ? 100 : 80));
  expect(misled.found).toMatchObject({ confirmed: true });
  expect(misled.found.held).toBeGreaterThan(80);
  expect(misled.found.held).toBeLessThanOrEqual(100);
  expect(misled.found.broken).toBeGreaterThan(100);
});

test('a hold that fails is followed by a lower one, by a stricter test, and the rate that failed is the bound', () => {
  // The target holds up to 100 for a short time, but only up to 80 for a long time.
  const { found, steps } = search((step) => step.perSecond <= (step.phase === 'hold' ? 80 : 100));
  expect(found).toMatchObject({ confirmed: true, end: 'wide' });
  expect(found.held).toBeLessThanOrEqual(80);
  const holds = steps.filter(({ phase }) => phase === 'hold').slice(1);
  expect(holds.length).toBeGreaterThan(1);
  expect(holds.map(({ failed }) => failed)).toEqual(holds.map((_, at) => at));
  expect(found.broken).toBe(holds.at(-2)!.perSecond);
  expect(found.broken).toBeGreaterThan(80);
});

test('a hold that decides nothing confirms nothing, and is no bound', () => {
  const { found } = search((step) =>
    step.phase === 'hold' && step.perSecond > 60 && step.perSecond < 120 ? 'undecided' : upTo(100)(step),
  );
  expect(found.held).toBeLessThanOrEqual(60);
  expect(found.broken).toBeGreaterThanOrEqual(120);
});

test('where no hold decides anything, the claim is what steps held, unconfirmed', () => {
  const { found } = search((step) => (step.phase === 'hold' ? 'undecided' : upTo(100)(step)));
  expect(found).toMatchObject({ confirmed: false, end: 'not-confirmed' });
  expect(found.held).toBeGreaterThan(90);
});

test('where no hold holds, the claim is no more than what steps held below the last failure', () => {
  const { found, steps } = search((step) => step.phase !== 'hold' && step.perSecond <= 100);
  expect(found).toMatchObject({ confirmed: false, end: 'not-confirmed' });
  const lowest = Math.min(...steps.filter(({ phase }) => phase === 'hold').map(({ perSecond }) => perSecond));
  expect(found.broken).toBe(lowest);
  const below = steps.filter(({ held, perSecond }) => held && perSecond < lowest);
  expect(found.held).toBe(Math.max(...below.map(({ perSecond }) => perSecond)));
});

test('stops at the upper rate that was asked about', () => {
  const { found, steps } = search(upTo(1e6), { max: 200 });
  expect(found).toEqual({ held: 200, confirmed: true, broken: null, end: 'max' });
  expect(Math.max(...steps.map(({ perSecond }) => perSecond))).toBe(200);
  expect(search(upTo(1e6), { max: 50 }).found).toMatchObject({ held: 50, end: 'max' });
});

test('keeps time for the hold, and says when the time was over', () => {
  const grown = search(upTo(1e6), {}, 4 * 60_000);
  expect(grown.found).toMatchObject({ confirmed: true, broken: null, end: 'time' });
  expect(grown.steps.at(-1)!.phase).toBe('hold');
  const narrowed = search(upTo(120), {}, 3 * 60_000 + 20_000);
  expect(narrowed.found).toMatchObject({ confirmed: true, end: 'time' });
  expect(narrowed.found.broken! / narrowed.found.held!).toBeGreaterThan(1.05);
  expect(search(upTo(1e6), {}, 10_000).found).toEqual({
    held: null,
    confirmed: false,
    broken: null,
    end: 'time',
  });
});

test('a load that ends early leaves what is known so far, unconfirmed', () => {
  const controller = new RateController(SETTING);
  controller.next(1e6);
  controller.judged('held');
  controller.next(1e6);
  expect(controller.progress()).toMatchObject({ step: 2, phase: 'grow', perSecond: 75, held: 50 });
  controller.stop();
  expect(controller.next(1e6)).toBeNull();
  expect(controller.found()).toEqual({ held: 50, confirmed: false, broken: null, end: 'load-ended' });
});

describe('against a target with a knee and noise', () => {
  /**
   * Returns a simulated target that can handle a rate of `knee`. Below that rate, 3% of the steps fail by chance. Above it, the probability
   * of success falls to zero within the next 10% of the rate. For long steps (holds), it falls within 5%, because they are long enough to
   * show a slowly growing queue.
   */
  const noisy =
    (knee: number, random: Random) =>
    ({ perSecond, phase }: PlannedStep): boolean | StepVerdict => {
      if (random.unit() < 0.03) return 'missed';
      const width = knee * (phase === 'hold' ? 0.05 : 0.1);
      const over = (perSecond - knee) / width;
      return random.unit() >= over;
    };

  test('the bracket holds the knee in most searches, and nothing is claimed that was not held', () => {
    const searches = 1000;
    let within = 0;
    let confirmed = 0;
    let above = 0;
    for (let seed = 0; seed < searches; seed += 1) {
      const random = createRandom(deriveSeed(11, seed));
      const knee = 20 * 100 ** random.unit();
      const { found, steps } = search(noisy(knee, random));
      const last = steps.at(-1)!;
      expect(found.confirmed).toBe(last.phase === 'hold' && last.held);
      if (!found.confirmed) continue;
      // If a rising step failed by chance and holds corrected that, no rate may be known to be too high.
      if (found.broken === null) continue;
      confirmed += 1;
      expect(found.held).toBe(last.perSecond);
      const failed = steps.filter(({ held }) => !held).map(({ perSecond }) => perSecond);
      expect(failed).toContain(found.broken);
      expect(found.broken).toBeGreaterThan(found.held!);
      // By chance, a hold may succeed at rates from the knee to 5% above it.
      if (found.held! <= knee * 1.05 && found.broken! >= knee) within += 1;
      if (found.held! > knee * 1.05) above += 1;
    }
    expect(confirmed / searches).toBeGreaterThan(0.98);
    expect(within / confirmed).toBeGreaterThan(0.93);
    expect(above / confirmed).toBeLessThan(0.01);
  });
});
