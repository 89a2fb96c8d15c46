import { fireEvent, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState, type ReactNode } from 'react';
import { show } from '../../testing/fake-host';
import { FlameChart, type FlameChartProps } from './flame-chart';

const NAMES = ['all', 'a.Bulk.index', 'a.T.cu', 'a.D.parse', 'b.Merge.merge'];
const TREE = { parent: [-1, 0, 1, 1, 0], share: [1, 0.6, 0.25, 0.35, 0.4], against: null };
const nameOf = (frame: number): string => NAMES[frame]!;
const linesOf = (frame: number): { label: string; value: string }[] => [
  { label: 'share', value: `${TREE.share[frame]! * 100}%` },
];

function Chart({
  search = '',
  changes = null,
}: Partial<Pick<FlameChartProps, 'search' | 'changes'>>): ReactNode {
  const [zoom, setZoom] = useState(0);
  return (
    <FlameChart
      {...{ title: 'Flames', tree: TREE, nameOf, linesOf, changes, search, zoom, onZoom: setZoom }}
    />
  );
}

const chart = (): HTMLElement => screen.getByRole('application', { name: 'Flames' });
const labels = (): string[] => [...chart().querySelectorAll('text')].map(({ textContent }) => textContent!);

test('each frame is a box with the class and the method; a click zooms, Escape shows all', async () => {
  show(<Chart />);
  expect(labels()).toEqual(['all', 'Bulk.index', 'T.cu', 'D.parse', 'Merge.merge']);
  await userEvent.click([...chart().querySelectorAll('g')][1]!);
  expect(labels()).toEqual(['all', 'Bulk.index', 'T.cu', 'D.parse']);
  fireEvent.keyDown(chart(), { key: 'Escape' });
  expect(labels()).toHaveLength(5);
});

test('arrow keys move between boxes, Enter zooms, and a text describes the box', () => {
  show(<Chart />);
  const described = (): string => document.querySelector('[aria-live]')!.textContent!;
  for (const [key, text] of [
    ['ArrowDown', 'Bulk.index: share 60%'],
    ['ArrowDown', 'D.parse: share 35%'],
    ['ArrowLeft', 'T.cu: share 25%'],
    ['ArrowUp', 'Bulk.index: share 60%'],
    ['ArrowRight', 'Merge.merge: share 40%'],
  ] as const) {
    fireEvent.keyDown(chart(), { key });
    expect(described()).toBe(text);
  }
  fireEvent.keyDown(chart(), { key: 'Enter' });
  expect(labels()).toEqual(['all', 'Merge.merge']);
});

test('a search makes all other boxes pale, and a mark shows the direction of a change', () => {
  show(<Chart search="CU" changes={new Map([[2, { difference: -0.1, isDecided: true }]])} />);
  const full = [...chart().querySelectorAll('g')].filter((box) => box.getAttribute('opacity') === '1');
  expect(full.map(({ textContent }) => textContent)).toEqual(['▼ T.cu']);
});

test('a chart that is reached with the keyboard outlines its active box and shows its tooltip', () => {
  show(<Chart />);
  const outlines = (): Element[] => [...chart().querySelectorAll('rect[fill=none]')];
  expect(outlines()).toHaveLength(0);
  fireEvent.focus(chart());
  expect(outlines()).toHaveLength(1);
  screen.getByText('100%');
  fireEvent.keyDown(chart(), { key: 'ArrowDown' });
  expect(outlines()).toHaveLength(1);
  screen.getByText('60%');
  fireEvent.keyDown(chart(), { key: 'Escape' });
  screen.getByText('100%');
  fireEvent.blur(chart());
  expect(outlines()).toHaveLength(0);
});
