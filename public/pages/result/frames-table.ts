/** A table of the methods that used the most CPU time themselves. It is also the flame chart in a form that screen readers can read. */
import type { Profile } from '../../../common/report/model/profile';
import { shortFrame } from '../../../common/profile/stacks';
import { cell, left, right, type Table } from '../../../common/report/tables/table';
import { formatPercent } from '../../../common/units/format';
import { i18n } from '../../i18n';

const MOST_METHODS = 25;

interface Method {
  name: string;
  /** Share of the total in the method itself, and including the methods that it called. */
  own: number;
  all: number;
  /** The same as `own` in the reference cell. */
  ownAgainst: number;
}

/** Adds up all frames of each method. Recursive calls count once in `all`. */
export function methodsOf({ tree }: Pick<Profile, 'tree'>): Method[] {
  const { names, name, parent, share, against } = tree;
  const own = Float64Array.from(share);
  const ownAgainst = Float64Array.from(against ?? share);
  for (let frame = 1; frame < parent.length; frame += 1) {
    own[parent[frame]!]! -= share[frame]!;
    ownAgainst[parent[frame]!]! -= (against ?? share)[frame]!;
  }
  const isRecursive = (frame: number): boolean => {
    for (let at = parent[frame]!; at > 0; at = parent[at]!) if (name[at] === name[frame]) return true;
    return false;
  };
  const methods = new Map<number, Method>();
  for (let frame = 1; frame < parent.length; frame += 1) {
    const known = methods.get(name[frame]!) ?? { name: names[name[frame]!]!, own: 0, all: 0, ownAgainst: 0 };
    methods.set(name[frame]!, known);
    known.own += Math.max(0, own[frame]!);
    known.ownAgainst += Math.max(0, ownAgainst[frame]!);
    if (!isRecursive(frame)) known.all += share[frame]!;
  }
  return [...methods.values()];
}

/** Returns the methods that used the most CPU time themselves, the largest share first. `names`: names of the cells, by index in the plan. */
export function framesTable(profile: Profile, names: readonly string[]): Table {
  const { cell: index, against } = profile;
  const methods = methodsOf(profile)
    .filter(({ own, ownAgainst }) => own > 0 || ownAgainst > 0)
    .sort((a, b) => Math.max(b.own, b.ownAgainst) - Math.max(a.own, a.ownAgainst))
    .slice(0, MOST_METHODS);
  const nameOf = (at: number): string =>
    names[at] ?? profile.cells.find((own) => own.cell === at)?.label ?? '';
  return {
    title: i18n.translate('dyno.result.profile.methods', {
      defaultMessage: 'Methods with the largest share',
    }),
    note: i18n.translate('dyno.result.profile.methodsNote', {
      defaultMessage:
        'Share of the method itself, without the methods that it calls. The last column includes them.',
    }),
    columns: [
      left(i18n.translate('dyno.result.profile.method', { defaultMessage: 'method' })),
      right(nameOf(index)),
      ...(against === null ? [] : [right(nameOf(against))]),
      right(i18n.translate('dyno.result.profile.withCalls', { defaultMessage: 'with its calls' })),
    ],
    rows: methods.map(({ name, own, ownAgainst, all }) => [
      cell(shortFrame(name)),
      cell(formatPercent(own)),
      ...(against === null ? [] : [cell(formatPercent(ownAgainst))]),
      cell(formatPercent(all)),
    ]),
  };
}
