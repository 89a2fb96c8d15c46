/** Texts, colours and icons of the history page. */
import type { EuiBadgeProps } from '@elastic/eui';
import { DEFINITION_BAND, type HistorySeries } from '../../../common/history/history';
import type { WatchState } from '../../../common/history/watch';
import { sentenceCase } from '../../../common/units/format';
import { i18n } from '../../i18n';
import type { Sort } from './view';

interface Badge {
  text: string;
  color: NonNullable<EuiBadgeProps['color']>;
  icon: string;
}

/** Returns a badge for the state of an experiment. The badge is next to a sentence that explains the state. */
export const stateBadge = (state: WatchState): Badge =>
  ({
    regression: {
      text: i18n.translate('dyno.history.badge.worse', { defaultMessage: 'Worse' }),
      color: 'danger',
      icon: 'warning',
    },
    'cannot-tell': {
      text: i18n.translate('dyno.history.badge.cannotTell', { defaultMessage: 'Undecided' }),
      color: 'warning',
      icon: 'question',
    },
    'no-regression': {
      text: i18n.translate('dyno.history.badge.good', { defaultMessage: 'Good' }),
      color: 'success',
      icon: 'checkCircle',
    },
    'too-few': {
      text: i18n.translate('dyno.history.badge.unknown', { defaultMessage: 'Not known yet' }),
      color: 'hollow',
      icon: 'question',
    },
  })[state];

export const nowBadge = (now: HistorySeries['now']): Badge =>
  ({
    steady: {
      text: i18n.translate('dyno.history.now.steady', { defaultMessage: 'steady' }),
      color: 'hollow',
      icon: 'check',
    },
    worse: {
      text: i18n.translate('dyno.history.now.worse', { defaultMessage: 'worse' }),
      color: 'danger',
      icon: 'warning',
    },
    better: {
      text: i18n.translate('dyno.history.now.better', { defaultMessage: 'better' }),
      color: 'success',
      icon: 'checkCircle',
    },
    recovered: {
      text: i18n.translate('dyno.history.now.recovered', { defaultMessage: 'recovered' }),
      color: 'success',
      icon: 'checkCircle',
    },
    suspect: {
      text: i18n.translate('dyno.history.now.suspect', { defaultMessage: 'suspect' }),
      color: 'warning',
      icon: 'question',
    },
    'too-few': {
      text: i18n.translate('dyno.history.now.tooFew', { defaultMessage: 'too few runs' }),
      color: 'hollow',
      icon: 'minus',
    },
  })[now];

export const sortName = (sort: Sort): string =>
  ({
    run: i18n.translate('dyno.history.sort.run', { defaultMessage: 'run, with its 95% interval' }),
    outlier: i18n.translate('dyno.history.sort.outlier', { defaultMessage: 'outlier, not part of a level' }),
    worse: i18n.translate('dyno.history.sort.worse', { defaultMessage: 'worse from here' }),
    better: i18n.translate('dyno.history.sort.better', { defaultMessage: 'better from here' }),
    recovery: i18n.translate('dyno.history.sort.recovery', { defaultMessage: 'recovered from here' }),
  })[sort];

/** Returns the title of a row below the chart. `what`: the fact that the row shows, such as the version of Elasticsearch. */
export const laneName = (what: string): string =>
  what === DEFINITION_BAND
    ? i18n.translate('dyno.history.lane.definition', { defaultMessage: 'Definition' })
    : sentenceCase(what);

/** Returns the text for a value in a row below the chart: `version 2` for the definition, the value itself for other facts. */
export const bandText = (what: string, value: string): string =>
  what === DEFINITION_BAND
    ? i18n.translate('dyno.history.lane.version', {
        defaultMessage: 'version {number}',
        values: { number: value },
      })
    : counted(value.split('; ')).join('; ');

/** Combines equal descriptions of nodes: three times `8 CPUs` becomes `3 × 8 CPUs`. */
const counted = (parts: readonly string[]): string[] =>
  [...new Set(parts)].map((part) => {
    const count = parts.filter((own) => own === part).length;
    return count === 1 ? part : `${count} × ${part}`;
  });
