/** Response times of two combinations of factor levels side by side: by percentile, and as distributions. */
import {
  EuiButtonGroup,
  EuiEmptyPrompt,
  EuiFlexGrid,
  EuiFlexGroup,
  EuiFlexItem,
  EuiSelect,
  EuiSkeletonRectangle,
  EuiSpacer,
} from '@elastic/eui';
import { useMemo, type ReactNode } from 'react';
import type { Distribution } from '../../../common/api/runs';
import { cellNames } from '../../../common/report/model/cell-names';
import type { Report } from '../../../common/report/model/report';
import { useApi } from '../../api/queries';
import { ChartFrame } from '../../charts/result/chart-frame';
import { lookOf } from '../../charts/result/marks';
import { NearViewport } from '../../charts/result/near-viewport';
import { PercentileChart } from '../../charts/result/percentile-chart';
import { ShareChart } from '../../charts/result/share-chart';
import { useSeriesColours } from '../../charts/theme';
import { i18n } from '../../i18n';
import { Loadable } from '../../ui/loadable';
import { Part } from '../../ui/page';
import { useQueryState } from '../../ui/query-state';
import { ReportTable } from '../../ui/report-table';
import { chosenCells, percentilesTable } from './distributions';
import { useTask } from './use-choice';
import { distributionsRequest } from './requests';

const HEIGHT = 300;

function CellSelect(props: {
  name: string;
  cells: Distribution['cells'];
  names: readonly string[];
  value: number;
  not: number | undefined;
  onChange: (cell: number) => void;
}): ReactNode {
  const { name, cells, names, value, not, onChange } = props;
  return (
    <EuiFlexItem grow={false}>
      <EuiSelect
        compressed
        prepend={name}
        aria-label={name}
        value={String(value)}
        options={cells
          .filter(({ cell }) => cell !== not)
          .map(({ cell, label }) => ({ value: String(cell), text: names[cell] ?? label }))}
        onChange={(event) => onChange(Number(event.target.value))}
      />
    </EuiFlexItem>
  );
}

function Distributions({ report, distribution }: { report: Report; distribution: Distribution }): ReactNode {
  const { cells, task } = distribution;
  const [text, setText] = useQueryState('cells');
  const [scale, setScale] = useQueryState('scale', 'linear');
  const colours = useSeriesColours();
  const { names } = cellNames(report);
  const chosen = chosenCells(text, cells, report.baseline);
  const key = chosen.join(',');
  const own = useMemo(
    () => key.split(',').flatMap((index) => cells.find(({ cell }) => String(cell) === index) ?? []),
    [cells, key],
  );
  const nameList = own.map(({ cell, label }) => names[cell] ?? label);
  const nameKey = nameList.join('\n');
  const lines = useMemo(
    () =>
      own.map(({ percentiles, buckets }, at) => ({
        name: nameKey.split('\n')[at]!,
        look: lookOf(colours, at),
        points: percentiles,
        buckets,
      })),
    [own, colours, nameKey],
  );
  const title = i18n.translate('dyno.result.distributions.percentiles', {
    defaultMessage: 'Response time of {task} by percentile',
    values: { task },
  });
  const sharesTitle = i18n.translate('dyno.result.distributions.shares', {
    defaultMessage: 'Response time of {task}: how the answers spread',
    values: { task },
  });
  const description = i18n.translate('dyno.result.distributions.description', {
    defaultMessage:
      'All requests of a cell’s trials, from merged histograms. Percentiles with too few values are left out.',
  });
  const sharesDescription = i18n.translate('dyno.result.distributions.sharesDescription', {
    defaultMessage:
      'Share of the answers in each step of a logarithmic axis. Two peaks mean that there are two kinds of answers.',
  });
  const legend = lines.map(({ name, look }, at) => ({
    name,
    colour: look.colour,
    glyph: at === 0 ? '━' : '╍',
  }));
  return (
    <>
      <EuiFlexGroup gutterSize="s" wrap responsive={false} alignItems="center">
        <CellSelect
          name={i18n.translate('dyno.result.distributions.one', { defaultMessage: 'Cell' })}
          cells={cells}
          names={names}
          value={chosen[0]!}
          not={chosen[1]}
          onChange={(cell) => setText([cell, chosen[1]].filter((index) => index !== undefined).join(','))}
        />
        {chosen[1] === undefined ? null : (
          <CellSelect
            name={i18n.translate('dyno.result.distributions.other', { defaultMessage: 'beside' })}
            cells={cells}
            names={names}
            value={chosen[1]}
            not={chosen[0]}
            onChange={(cell) => setText(`${chosen[0]},${cell}`)}
          />
        )}
        <EuiFlexItem grow={false}>
          <EuiButtonGroup
            legend={i18n.translate('dyno.result.distributions.scale', {
              defaultMessage: 'Scale of the response time',
            })}
            options={[
              {
                id: 'linear',
                label: i18n.translate('dyno.result.choose.linear', { defaultMessage: 'Linear' }),
              },
              { id: 'log', label: i18n.translate('dyno.result.choose.log', { defaultMessage: 'Log' }) },
            ]}
            idSelected={scale === 'log' ? 'log' : 'linear'}
            onChange={setScale}
            buttonSize="compressed"
          />
        </EuiFlexItem>
      </EuiFlexGroup>
      <EuiSpacer size="m" />
      <EuiFlexGrid
        columns={2}
        gutterSize="l"
        responsive
        css={{ '@media (max-width: 1100px)': { '&&': { gridTemplateColumns: '1fr' } } }}
      >
        <EuiFlexItem>
          <ChartFrame title={title} description={description} height={HEIGHT} legend={legend}>
            <PercentileChart lines={lines} logarithmic={scale === 'log'} />
          </ChartFrame>
        </EuiFlexItem>
        <EuiFlexItem>
          <ChartFrame title={sharesTitle} description={sharesDescription} height={HEIGHT} legend={legend}>
            <ShareChart series={lines} />
          </ChartFrame>
        </EuiFlexItem>
      </EuiFlexGrid>
      <EuiSpacer size="m" />
      <ReportTable table={percentilesTable(title, own, nameList)} titled={false} />
    </>
  );
}

function Loaded({ report }: { report: Report }): ReactNode {
  const [task] = useTask(report);
  const query = useApi('getDistributions', distributionsRequest(report.run.id));
  return (
    <Loadable query={query} skeleton={<EuiSkeletonRectangle width="100%" height={HEIGHT + 60} />}>
      {({ tasks }) => {
        const distribution = tasks.find((own) => own.task === task);
        return distribution === undefined || distribution.cells.every(({ count }) => count === 0) ? (
          <EuiEmptyPrompt
            iconType="visLine"
            title={
              <h3>
                {i18n.translate('dyno.result.distributions.none', {
                  defaultMessage: 'No answers were counted',
                })}
              </h3>
            }
          />
        ) : (
          <Distributions report={report} distribution={distribution} />
        );
      }}
    </Loadable>
  );
}

export function DistributionsPart({ report }: { report: Report }): ReactNode {
  return (
    <Part title={i18n.translate('dyno.result.distributions', { defaultMessage: 'Response times' })}>
      <NearViewport height={HEIGHT + 220}>{() => <Loaded report={report} />}</NearViewport>
    </Part>
  );
}
