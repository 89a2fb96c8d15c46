import { figureSummaries, joinFigures, noFigure, noteFigure } from './answer-figure';

test('numbers of several threads are added up with equal weight for each answer', () => {
  const [one, other] = [noFigure(), noFigure()];
  for (const value of [1, 2, 3]) noteFigure(one, value);
  noteFigure(other, 10);
  const joined = joinFigures([{ took: one }, { took: other, rows: { ...other } }]);
  expect(figureSummaries(joined)).toEqual({
    took: { count: 4, mean: 4, min: 1, max: 10 },
    rows: { count: 1, mean: 10, min: 10, max: 10 },
  });
  expect(one).toEqual({ count: 3, sum: 6, min: 1, max: 3 });
});
