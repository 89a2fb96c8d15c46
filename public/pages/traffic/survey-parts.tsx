/** Sections of the page of a recording: its most important values, and its tables. */
import { EuiFlexGroup, EuiFlexItem, EuiSpacer, EuiText } from '@elastic/eui';
import { useMemo, type ReactNode } from 'react';
import type { Table } from '../../../common/report/tables/table';
import type { TrafficSurvey } from '../../../common/survey/survey';
import {
  busiest,
  clientsTable,
  errorsTable,
  indicesTable,
  kindsTable,
  leftOutTable,
  shapesTable,
  sizesTable,
  slowestFirst,
  slowestTable,
  statusesTable,
} from '../../../common/survey/tables';
import { formatDuration, formatMs, formatNumber, formatPercent } from '../../../common/units/format';
import { i18n } from '../../i18n';
import { Part } from '../../ui/page';
import { ReportTable } from '../../ui/report-table';

interface Figure {
  name: string;
  value: string;
}

function figuresOf(survey: TrafficSurvey): Figure[] {
  const { requests, firstAt, lastAt, effects, repeats, latency, clients } = survey;
  const spanMs = (lastAt ?? 0) - (firstAt ?? 0);
  const ofReads = repeats.reads === 0 ? null : repeats.repeated / repeats.reads;
  return [
    {
      name: i18n.translate('dyno.traffic.figure.requests', { defaultMessage: 'requests' }),
      value: formatNumber(requests),
    },
    {
      name: i18n.translate('dyno.traffic.figure.duration', { defaultMessage: 'duration' }),
      value: formatDuration(spanMs),
    },
    ...(spanMs < 1000
      ? []
      : [
          {
            name: i18n.translate('dyno.traffic.figure.rate', { defaultMessage: 'requests/s, mean' }),
            value: formatNumber(requests / (spanMs / 1000)),
          },
        ]),
    {
      name: i18n.translate('dyno.traffic.figure.peak', {
        defaultMessage: 'requests/s, highest in {width}',
        values: { width: formatDuration(survey.rates.widthMs) },
      }),
      value: formatNumber(busiest(survey)),
    },
    {
      name: i18n.translate('dyno.traffic.figure.writes', { defaultMessage: 'writes' }),
      value: formatPercent(requests === 0 ? null : effects.write / requests),
    },
    {
      name: i18n.translate('dyno.traffic.figure.repeated', { defaultMessage: 'repeated reads' }),
      value: `${repeats.isLowerBound ? '≥ ' : ''}${formatPercent(ofReads)}`,
    },
    {
      name: i18n.translate('dyno.traffic.figure.p50', { defaultMessage: 'recorded p50' }),
      value: formatMs(latency.p50),
    },
    {
      name: i18n.translate('dyno.traffic.figure.p99', { defaultMessage: 'recorded p99' }),
      value: formatMs(latency.p99),
    },
    {
      name: i18n.translate('dyno.traffic.figure.connections', { defaultMessage: 'connections' }),
      value: `${survey.areMoreConnections ? '> ' : ''}${formatNumber(survey.connections)}`,
    },
    ...(clients.top.length === 0
      ? []
      : [
          {
            name: i18n.translate('dyno.traffic.figure.clients', { defaultMessage: 'clients' }),
            value: `${clients.others > 0 ? '> ' : ''}${formatNumber(clients.top.length)}`,
          },
        ]),
  ];
}

export function Figures({ survey }: { survey: TrafficSurvey }): ReactNode {
  return (
    <EuiFlexGroup gutterSize="xl" responsive={false} wrap css={{ rowGap: 12 }}>
      {figuresOf(survey).map(({ name, value }) => (
        <EuiFlexItem key={name} grow={false}>
          <EuiText size="s" css={{ fontVariantNumeric: 'tabular-nums' }}>
            <strong css={{ fontSize: 20 }}>{value}</strong>
          </EuiText>
          <EuiText size="xs" color="subdued">
            {name}
          </EuiText>
        </EuiFlexItem>
      ))}
    </EuiFlexGroup>
  );
}

/** Shows a table about a recording as a section of the page. If the table is null, shows nothing. */
function TablePart({ table }: { table: Table | null }): ReactNode {
  if (table === null) return null;
  return (
    <Part title={table.title}>
      <ReportTable table={table} titled={false} />
    </Part>
  );
}

/**
 * A table of recorded requests, grouped by shape: requests in a group differ only in values. The user can unfold a row to see the body of
 * its requests. `places`: for each row, the index of its group in `survey.shapes`. Undefined for rows without a group.
 */
function Shapes({
  table,
  survey,
  places,
}: {
  table: Table;
  survey: TrafficSurvey;
  places: readonly number[];
}): ReactNode {
  const below = useMemo(
    () =>
      (row: number): ReactNode => {
        const body = survey.shapes[places[row] ?? -1]?.body ?? '';
        return body === '' ? null : (
          <code css={{ display: 'block', overflowWrap: 'anywhere', maxInlineSize: 'min(100ch, 80vw)' }}>
            {body}
          </code>
        );
      },
    [survey, places],
  );
  return (
    <Part title={table.title}>
      <ReportTable table={table} titled={false} below={below} />
    </Part>
  );
}

const ROWS = 20;

export function SurveyTables({ survey }: { survey: TrafficSurvey }): ReactNode {
  const frequent = useMemo(() => survey.shapes.slice(0, ROWS).map((_, at) => at), [survey]);
  const slow = useMemo(() => slowestFirst(survey, ROWS), [survey]);
  const slowest = useMemo(() => slowestTable(survey, ROWS), [survey]);
  return (
    <>
      <Shapes table={useMemo(() => shapesTable(survey, ROWS), [survey])} survey={survey} places={frequent} />
      {slowest === null ? null : <Shapes table={slowest} survey={survey} places={slow} />}
      <TablePart table={kindsTable(survey)} />
      <TablePart table={sizesTable(survey)} />
      <TablePart table={indicesTable(survey)} />
      <TablePart table={clientsTable(survey)} />
      <TablePart table={statusesTable(survey)} />
      <TablePart table={errorsTable(survey)} />
      <TablePart table={leftOutTable(survey)} />
      <EuiSpacer size="s" />
    </>
  );
}
