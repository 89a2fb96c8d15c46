/** Instructions that are shown while a run waits for machines that generate load. They explain how to start workers. */
import { EuiCodeBlock, EuiSpacer, EuiText } from '@elastic/eui';
import type { ReactNode } from 'react';
import type { Definition } from '../../../common/experiment/definition';
import { useApi } from '../../api/queries';
import { i18n } from '../../i18n';
import { AppLink } from '../../ui/link';
import { sentenceCase } from '../../../common/units/format';

/**
 * Returns whether only this machine can reach the addresses, because all of them are loopback addresses. `urls`: addresses, separated by
 * commas.
 */
const isHere = (urls: string): boolean =>
  urls.split(',').every((url) => /^https?:\/\/(127\.|localhost[:/]|localhost$|\[::1\])/.test(url.trim()));

const asSentence = (text: string): string => `${sentenceCase(text)}.`;

interface FreeSeatsProps {
  missing: number;
  load: Definition['load'];
  /** How machines can join the run without `dyno worker`; undefined if workers are the only way. */
  advice: string | undefined;
}

export function FreeSeats({ missing, load, advice }: FreeSeatsProps): ReactNode {
  const { data: status } = useApi('getStatus', {});
  const shares = load?.['share-machine'] ?? false;
  return (
    <>
      <EuiText size="s">
        <p>
          {i18n.translate('dyno.machines.start', {
            defaultMessage:
              'Start a worker for {missing, plural, one {the free seat} other {each of the # free seats}}{shares, select, true {; several workers may run on one machine} other {, each on a separate machine}}. A worker takes its seat automatically.',
            values: { missing, shares: String(shares) },
          })}
        </p>
      </EuiText>
      {advice === undefined ? null : (
        <EuiText size="s">
          <p>{asSentence(advice)}</p>
        </EuiText>
      )}
      <EuiSpacer size="s" />
      <EuiCodeBlock language="bash" isCopyable paddingSize="m" fontSize="s">
        {`dyno worker --join ${status?.results.url.replaceAll(' ', '') ?? '…'}`}
      </EuiCodeBlock>
      <EuiSpacer size="s" />
      <EuiText size="xs" color="subdued">
        <p>
          {isHere(status?.results.url ?? '') ? (
            <>
              {i18n.translate('dyno.machines.loopback', {
                defaultMessage:
                  'This address only works on this machine. Workers on other machines need a results cluster that they can reach.',
              })}{' '}
            </>
          ) : null}
          {load === undefined
            ? null
            : i18n.translate('dyno.machines.within', {
                defaultMessage: 'If seats are still free after {within}, the run fails.',
                values: { within: load.within },
              })}{' '}
          <AppLink to="/docs/machines">
            {i18n.translate('dyno.machines.docs', { defaultMessage: 'What a worker needs' })}
          </AppLink>
        </p>
      </EuiText>
    </>
  );
}
