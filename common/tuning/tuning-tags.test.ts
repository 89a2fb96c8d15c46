import { tuningOf, tuningTags, withoutTuning } from './tuning-tags';

const ID = 'tuning-20261126t165738-ab1z';

test('an experiment of a tuning is recognised by its tags, unlike an experiment of a user with only one of them', () => {
  expect(tuningOf(tuningTags(['nightly'], ID))).toBe(ID);
  expect(tuningOf(['tuning'])).toBeNull();
  expect(tuningOf(['tuning', 'tuning-of-my-cluster'])).toBeNull();
  expect(tuningOf([])).toBeNull();
});

test('a copy keeps only the tags of the user', () => {
  expect(withoutTuning(tuningTags(['nightly'], ID))).toEqual(['nightly']);
  expect(withoutTuning(['tuning', 'mine'])).toEqual(['tuning', 'mine']);
});
