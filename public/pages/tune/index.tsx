/** The page of all automatic tunings, the newest first, with a button for a new one. */
import { EuiBasicTable, EuiButton, EuiEmptyPrompt, EuiText, type EuiBasicTableColumn } from '@elastic/eui';
import { type ReactNode } from 'react';
import type { TuningSummary } from '../../../common/api/tunings';
import { useApi } from '../../api/queries';
import { usePrivilege } from '../../app/context';
import { i18n } from '../../i18n';
import { AppLink, useLinkProps } from '../../ui/link';
import { Loadable } from '../../ui/loadable';
import { Page } from '../../ui/page';
import { StateBadge } from '../../ui/run-state';
import { Time } from '../../ui/time';

/** Refresh interval, in ms. */
const RENEW_MS = 5000;

export const tuneTitle = (): string => i18n.translate('dyno.tune.title', { defaultMessage: 'Tune an index' });

const columns = (): EuiBasicTableColumn<TuningSummary>[] => [
  {
    name: i18n.translate('dyno.tune.list.name', { defaultMessage: 'Tuning' }),
    width: '26%',
    render: ({ id, name }: TuningSummary) => <AppLink to={`/tune/${encodeURIComponent(id)}`}>{name}</AppLink>,
  },
  {
    name: i18n.translate('dyno.tune.list.state', { defaultMessage: 'State' }),
    width: '130px',
    render: ({ state }: TuningSummary) => <StateBadge state={state} />,
  },
  {
    name: i18n.translate('dyno.tune.list.began', { defaultMessage: 'Began' }),
    width: '220px',
    render: ({ created }: TuningSummary) => <Time iso={created} />,
  },
  {
    name: i18n.translate('dyno.tune.list.found', { defaultMessage: 'Result' }),
    render: ({ sentence }: TuningSummary) => <EuiText size="s">{sentence}</EuiText>,
  },
];

export default function TuningsPage(): ReactNode {
  const query = useApi('listTunings', {}, { every: RENEW_MS, keep: true });
  const linkProps = useLinkProps();
  const mayStart = usePrivilege('manage');
  const isEmpty = query.data?.tunings.length === 0;
  const begin = mayStart ? (
    <EuiButton key="new" fill iconType="plusCircle" {...linkProps('/tune/new')}>
      {i18n.translate('dyno.tune.new', { defaultMessage: 'Tune this index' })}
    </EuiButton>
  ) : null;
  return (
    <Page
      title={tuneTitle()}
      description={i18n.translate('dyno.tune.description', {
        defaultMessage:
          'Dyno tries settings on your target within a time that you choose. It recommends the settings that improved the goal, with the run that shows it for each.',
      })}
      actions={begin === null || isEmpty ? [] : [begin]}
    >
      <Loadable query={query}>
        {({ tunings }) =>
          tunings.length === 0 ? (
            <EuiEmptyPrompt
              iconType="gear"
              title={
                <h2>{i18n.translate('dyno.tune.none', { defaultMessage: 'Nothing has been tuned yet' })}</h2>
              }
              actions={begin}
            />
          ) : (
            <EuiBasicTable
              tableCaption={tuneTitle()}
              items={tunings}
              columns={columns()}
              rowHeader="name"
              itemId="id"
            />
          )
        }
      </Loadable>
    </Page>
  );
}
