/**
 * Builds the panels of a dashboard: text, and charts, tiles and tables of Lens, all stored within the dashboard. Kibana's own builders of
 * panels are not used, because they are not on npm.
 */
import { bucketId, layerOf, measureId, type LayerDefinition } from './layer';

/** Size of a panel in Kibana's grid of 48 columns. */
export interface Size {
  width: number;
  height: number;
}

interface Titled extends Size {
  title: string;
  /** Explanation of the panel. Kibana shows it next to the title. */
  description: string;
}

/** Panel that shows data. */
export interface LensPanel extends Titled {
  kind: 'lens';
  visualizationType: 'lnsXY' | 'lnsMetric' | 'lnsDatatable';
  layer: LayerDefinition;
  visualization: object;
}

export interface TextPanel extends Size {
  kind: 'text';
  markdown: string;
}

export type Panel = LensPanel | TextPanel;

export const LAYER_ID = 'layer';
const LAYER = { layerId: LAYER_ID, layerType: 'data' } as const;

interface ChartOptions extends Titled {
  layer: LayerDefinition;
  series: 'line' | 'area_stacked' | 'bar' | 'bar_stacked';
  /** Title of the axis, with its unit. */
  axis: string;
  /** The last `count` measures are drawn on the right axis. `axis`: title of the right axis. */
  right?: { count: number; axis: string };
  /** Colours of the measures as `#rrggbb`. If absent, Kibana chooses the colours. */
  colours?: readonly string[];
  /** Number of measures that only sort the buckets and are not drawn. They are the last ones in the list. Default: 0. */
  hidden?: number;
  /** Position of the legend. If absent, the legend is below the chart. */
  legend?: 'right';
}

const shown = (x: boolean, yLeft: boolean, yRight: boolean): object => ({ x, yLeft, yRight });

/** Returns a chart. The first bucket is the x axis. A second bucket splits the data into series. */
export function chart(options: ChartOptions): LensPanel {
  const { layer, series, axis, right, colours = [], hidden = 0, legend = 'bottom', ...titled } = options;
  const drawn = layer.measures.slice(0, layer.measures.length - hidden).map((_, at) => measureId(at));
  const onRight = drawn.slice(drawn.length - (right?.count ?? 0));
  const styled = drawn.map((forAccessor, at) => ({
    forAccessor,
    ...(colours[at] === undefined ? {} : { color: colours[at] }),
    ...(onRight.includes(forAccessor) ? { axisMode: 'right' } : {}),
  }));
  return {
    kind: 'lens',
    ...titled,
    visualizationType: 'lnsXY',
    layer,
    visualization: {
      preferredSeriesType: series,
      legend: {
        isVisible: true,
        position: legend,
        showSingleSeries: true,
        shouldTruncate: false,
        ...(legend === 'right' ? { legendSize: 'large' } : {}),
      },
      valueLabels: 'hide',
      // Gaps are not filled with a line, because nothing was measured between trials.
      fittingFunction: 'None',
      axisTitlesVisibilitySettings: shown(false, true, true),
      tickLabelsVisibilitySettings: shown(true, true, true),
      gridlinesVisibilitySettings: shown(false, true, false),
      labelsOrientation: { x: 0, yLeft: 0, yRight: 0 },
      yTitle: axis,
      yLeftExtent: { mode: 'full' },
      ...(right === undefined ? {} : { yRightTitle: right.axis, yRightExtent: { mode: 'full' } }),
      layers: [
        {
          ...LAYER,
          seriesType: series,
          xAccessor: bucketId(0),
          accessors: drawn,
          ...(layer.buckets.length > 1 ? { splitAccessor: bucketId(1) } : {}),
          ...(styled.some((style) => Object.keys(style).length > 1) ? { yConfig: styled } : {}),
          palette: { type: 'palette', name: 'default' },
        },
      ],
    },
  };
}

/** Returns a panel that shows one number. */
export const tile = ({ layer, ...titled }: Titled & { layer: LayerDefinition }): LensPanel => ({
  kind: 'lens',
  ...titled,
  visualizationType: 'lnsMetric',
  layer,
  visualization: {
    ...LAYER,
    accessor: measureId(0),
    size: 'm',
    titlePosition: 'bottom',
    textAlign: 'center',
    colorMode: 'None',
  },
});

/** Returns a table. `widths`: widths of the first columns in px. The other columns share the remaining space. */
export function table({
  layer,
  widths = [],
  ...titled
}: Titled & { layer: LayerDefinition; widths?: readonly number[] }): LensPanel {
  const ids = [
    ...layer.buckets.map((_, at) => bucketId(at)),
    ...layer.measures.map((_, at) => measureId(at)),
  ];
  return {
    kind: 'lens',
    ...titled,
    visualizationType: 'lnsDatatable',
    layer,
    visualization: {
      ...LAYER,
      columns: ids.map((columnId, at) => ({
        columnId,
        isTransposed: false,
        ...(widths[at] === undefined ? {} : { width: widths[at] }),
      })),
      paging: { size: 20, enabled: true },
    },
  };
}

export const text = (markdown: string, size: Size): TextPanel => ({ kind: 'text', markdown, ...size });

/** Returns the panel in the form that Kibana stores, without its position. */
export function panelContent(panel: Panel, references: readonly object[]): Record<string, unknown> {
  if (panel.kind === 'text') {
    return {
      type: 'visualization',
      embeddableConfig: {
        hidePanelTitles: true,
        enhancements: {},
        savedVis: {
          title: '',
          description: '',
          type: 'markdown',
          params: { fontSize: 12, openLinksInNewTab: false, markdown: panel.markdown },
          uiState: {},
          data: { aggs: [], searchSource: { query: { query: '', language: 'kuery' }, filter: [] } },
        },
      },
    };
  }
  const { title, description, visualizationType, visualization, layer } = panel;
  return {
    type: 'lens',
    title,
    embeddableConfig: {
      // A tile gets no title, because its label already contains the name.
      hidePanelTitles: visualizationType === 'lnsMetric',
      enhancements: {},
      attributes: {
        title,
        description,
        type: 'lens',
        visualizationType,
        references,
        state: {
          visualization,
          query: { language: 'kuery', query: layer.query },
          filters: [],
          datasourceStates: { indexpattern: { layers: { [LAYER_ID]: layerOf(layer) } } },
        },
      },
    },
  };
}
