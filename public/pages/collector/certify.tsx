/**
 * The section *Certify this instrument*: tests Dyno's load generator on this machine against servers of known behaviour, and shows the
 * result.
 */
import {
  EuiAccordion,
  EuiButton,
  EuiCallOut,
  EuiFlexGroup,
  EuiFlexItem,
  EuiPanel,
  EuiProgress,
  EuiSpacer,
  EuiText,
  useGeneratedHtmlId,
} from '@elastic/eui';
import { useMemo, useState, type ReactNode } from 'react';
import type { CertificationStatus, LastCertification } from '../../../common/api/certification';
import type { CertificationAnswer } from '../../../common/measurement/certification';
import type { TableCell } from '../../../common/report/tables/table';
import { formatDuration, formatNumber } from '../../../common/units/format';
import { useApi, useApiChange } from '../../api/queries';
import { useApp, usePrivilege } from '../../app/context';
import { i18n } from '../../i18n';
import { ConfirmDialog } from '../../ui/confirm-dialog';
import { OWN_HEIGHT } from '../../ui/accordion';
import { Loadable } from '../../ui/loadable';
import { Part } from '../../ui/page';
import { ReportTable } from '../../ui/report-table';
import { Time, useNow } from '../../ui/time';
import { useToasts } from '../../ui/toasts';
import { figuresCounted, figuresTable } from './certified-figures';
import { parseTime } from '../../../common/units/time';

/**
 * Refresh interval in ms while no certification is running. It limits how late the page shows a certification that another user started.
 */
const RENEW_MS = 10_000;
/** Refresh interval during a certification, in ms. */
const GOING_MS = 1000;

const LOOK: Readonly<
  Record<CertificationAnswer, { color: 'success' | 'danger' | 'warning'; iconType: string }>
> = {
  certified: { color: 'success', iconType: 'checkCircle' },
  'not-certified': { color: 'danger', iconType: 'crossCircle' },
  busy: { color: 'warning', iconType: 'question' },
};

const titleOf = (answer: CertificationAnswer): string =>
  ({
    certified: i18n.translate('dyno.certify.certified', { defaultMessage: 'This instrument is certified' }),
    'not-certified': i18n.translate('dyno.certify.notCertified', {
      defaultMessage: 'This instrument is not certified',
    }),
    busy: i18n.translate('dyno.certify.busy', {
      defaultMessage: 'Undecided: the machine was too busy',
    }),
  })[answer];

/** Returns advice on the result of a certification; null if no advice is needed. */
const adviceOn = (answer: CertificationAnswer): string | null =>
  ({
    certified: null,
    'not-certified': i18n.translate('dyno.certify.notCertified.advice', {
      defaultMessage:
        'Do not rely on values like the wrong ones below before you know the cause. Certify again while the machine does nothing else. If the answer is the same, generate the load on another machine.',
    }),
    busy: i18n.translate('dyno.certify.busy.advice', {
      defaultMessage:
        'Wait until other work on this machine has ended, such as an Elasticsearch under load, builds, or other virtual machines on the same hardware. Then certify again.',
    }),
  })[answer];

function machineText({ host, cores }: { host: string; cores: number }): string {
  return i18n.translate('dyno.certify.machine', {
    defaultMessage: '{host} ({cores, plural, one {one core} other {# cores}})',
    values: { host, cores },
  });
}

/** Returns the text of a table cell without further formatting. */
const plainText = (_row: number, _column: number, { text }: TableCell): string => text;

function FiguresTable({ measured }: Pick<LastCertification, 'measured'>): ReactNode {
  const table = useMemo(() => figuresTable(measured), [measured]);
  return <ReportTable table={table} titled={false} render={plainText} />;
}

function Result({ last, dyno }: { last: LastCertification; dyno: string }): ReactNode {
  const { certification, measured } = last;
  const { answer, why, at, machine } = certification;
  const figures = useGeneratedHtmlId();
  const advice = adviceOn(answer);
  return (
    <>
      <EuiCallOut {...LOOK[answer]} title={titleOf(answer)} data-test-subj="dynoCertification">
        <p>{i18n.translate('dyno.certify.why', { defaultMessage: 'Why: {why}.', values: { why } })}</p>
        {advice === null ? null : <p>{advice}</p>}
        <p>
          <Time iso={at} />
          {', '}
          {i18n.translate('dyno.certify.where', {
            defaultMessage:
              '{machine}, Dyno {version}. Reports of runs from this machine quote this certification.',
            values: { machine: machineText(machine), version: certification.dyno },
          })}
          {certification.dyno === dyno ? null : (
            <>
              {' '}
              {i18n.translate('dyno.certify.otherVersion', {
                defaultMessage: 'Dyno has version {version} now, so certify again.',
                values: { version: dyno },
              })}
            </>
          )}
        </p>
      </EuiCallOut>
      {measured.length === 0 ? null : (
        <>
          <EuiSpacer size="m" />
          <EuiAccordion
            id={figures}
            buttonContent={i18n.translate('dyno.certify.figuresCounted', {
              defaultMessage: 'Measured and true values: {counted}',
              values: { counted: figuresCounted(measured) },
            })}
            initialIsOpen={answer === 'not-certified'}
            paddingSize="s"
            css={OWN_HEIGHT}
          >
            <FiguresTable measured={measured} />
          </EuiAccordion>
        </>
      )}
    </>
  );
}

function Progress({ progress }: { progress: NonNullable<CertificationStatus['progress']> }): ReactNode {
  // Repeats the request of the page more often during a certification.
  useApi('getCertification', {}, { every: GOING_MS });
  const passed = useNow(true) - parseTime(progress.started);
  const cancel = useApiChange('cancelCertification', ['getCertification']);
  const toasts = useToasts();
  const mayCancel = usePrivilege('run');
  const { done, of, now } = progress;
  return (
    <EuiPanel hasBorder paddingSize="m" data-test-subj="dynoCertifying">
      <EuiFlexGroup gutterSize="m" alignItems="center" justifyContent="spaceBetween" responsive={false} wrap>
        <EuiFlexItem grow={false}>
          <EuiText size="s">
            {now === null ? (
              i18n.translate('dyno.certify.starting', {
                defaultMessage: 'The simulated target is starting.',
              })
            ) : (
              <>
                <strong>
                  {i18n.translate('dyno.certify.done', {
                    defaultMessage: '{done} of {of} measured.',
                    values: { done, of },
                  })}
                </strong>{' '}
                {i18n.translate('dyno.certify.now', {
                  defaultMessage: 'Now: {behaviour} ({text}) at {perSecond} requests per second.',
                  values: {
                    behaviour: now.behaviour,
                    text: now.text,
                    perSecond: formatNumber(now.perSecond),
                  },
                })}
              </>
            )}
          </EuiText>
        </EuiFlexItem>
        <EuiFlexItem grow={false}>
          <EuiFlexGroup gutterSize="m" alignItems="center" responsive={false}>
            <EuiText size="s" color="subdued" css={{ fontVariantNumeric: 'tabular-nums' }}>
              {i18n.translate('dyno.certify.passed', {
                defaultMessage: 'for {passed}',
                values: { passed: formatDuration(Math.max(0, passed)) },
              })}
            </EuiText>
            {mayCancel ? (
              <EuiButton
                size="s"
                color="danger"
                isLoading={cancel.isPending}
                onClick={() =>
                  cancel.mutate(
                    {},
                    {
                      onError: (error) =>
                        toasts.failed(
                          i18n.translate('dyno.certify.notCancelled', {
                            defaultMessage: 'The certification was not cancelled',
                          }),
                          error,
                        ),
                    },
                  )
                }
              >
                {i18n.translate('dyno.certify.cancel', { defaultMessage: 'Cancel certification' })}
              </EuiButton>
            ) : null}
          </EuiFlexGroup>
        </EuiFlexItem>
      </EuiFlexGroup>
      <EuiSpacer size="s" />
      <EuiProgress
        value={done}
        max={Math.max(1, of)}
        size="m"
        color="primary"
        aria-label={i18n.translate('dyno.certify.bar', { defaultMessage: 'Measured behaviours' })}
      />
    </EuiPanel>
  );
}

/** A button that starts a certification. If other people use the machine, it asks for confirmation first. */
function Start(): ReactNode {
  const { loadsMachine } = useApp().host;
  const toasts = useToasts();
  const [isAsked, setAsked] = useState(false);
  const change = useApiChange('startCertification', ['getCertification']);
  const start = (): void => {
    setAsked(false);
    change.mutate(
      {},
      {
        onError: (error) =>
          toasts.failed(
            i18n.translate('dyno.certify.notStarted', { defaultMessage: 'The certification did not start' }),
            error,
          ),
      },
    );
  };
  const asked = isAsked ? loadsMachine?.() : undefined;
  return (
    <>
      <EuiButton
        iconType="visGauge"
        isLoading={change.isPending}
        onClick={loadsMachine ? () => setAsked(true) : start}
      >
        {i18n.translate('dyno.certify.start', { defaultMessage: 'Certify this instrument' })}
      </EuiButton>
      {asked === undefined ? null : (
        <ConfirmDialog
          title={asked.title}
          onCancel={() => setAsked(false)}
          onConfirm={start}
          cancelButtonText={i18n.translate('dyno.certify.notNow', { defaultMessage: 'Not now' })}
          confirmButtonText={i18n.translate('dyno.certify.confirm', { defaultMessage: 'Certify now' })}
          buttonColor="primary"
        >
          <p>{asked.text}</p>
        </ConfirmDialog>
      )}
    </>
  );
}

function State({ status }: { status: CertificationStatus }): ReactNode {
  const { progress, problem, last, dyno } = status;
  const mayStart = usePrivilege('run');
  if (progress !== null) return <Progress progress={progress} />;
  return (
    <>
      {problem === '' ? null : (
        <>
          <EuiCallOut
            color="warning"
            iconType="warning"
            title={i18n.translate('dyno.certify.problem', {
              defaultMessage: 'The last certification ended with an error',
            })}
          >
            <p>{problem}</p>
          </EuiCallOut>
          <EuiSpacer size="m" />
        </>
      )}
      {last === null ? (
        <EuiText size="s">
          <p>
            {i18n.translate('dyno.certify.never', {
              defaultMessage: 'The load generator of this machine has never been certified.',
            })}
          </p>
        </EuiText>
      ) : (
        <Result key={last.certification.at} last={last} dyno={dyno} />
      )}
      {mayStart ? (
        <>
          <EuiSpacer size="m" />
          <Start />
        </>
      ) : null}
    </>
  );
}

export function Certify(): ReactNode {
  const query = useApi('getCertification', {}, { every: RENEW_MS });
  return (
    <Part
      title={i18n.translate('dyno.certify.title', { defaultMessage: 'Certification of the load generator' })}
      note={i18n.translate('dyno.certify.note', {
        defaultMessage:
          'For two minutes, Dyno measures a simulated target with seven known behaviours, at 200 and 2,000 requests per second, and compares each value with the log of this target. The test only loads the machine of Dyno{machine}, over the loopback interface. No cluster is affected. The test cannot start while a run is active here. Runs that start during the test wait until it ends. Before you start it, wait until other work on the machine has ended.',
        values: { machine: query.data === undefined ? '' : `, ${machineText(query.data.machine)}` },
      })}
    >
      <Loadable query={query}>{(status) => <State status={status} />}</Loadable>
    </Part>
  );
}
