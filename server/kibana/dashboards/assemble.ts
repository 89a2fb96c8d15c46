/** Puts panels together to a dashboard as Kibana keeps it. */
import type { SpaceId } from '../../results/space';
import { dataViewId } from './ids';
import { LAYER_ID, panelContent, type Panel } from './panel';
import { DASHBOARD_VERSION, dashboardObject, type ImportedObject, type Reference } from './saved-object';

export interface DashboardDefinition {
  title: string;
  description: string;
  /** Of the time that it opens with, as Kibana writes it; the last day without. */
  from?: string;
  /** From the top; panels of a row stand side by side. */
  rows: readonly (readonly Panel[])[];
}

/** Of Kibana's grid. */
export const GRID_WIDTH = 48;

interface Placed {
  panel: Panel;
  gridData: { x: number; y: number; w: number; h: number; i: string };
}

/**
 * The panels with their places. `prefix` makes their ids unique over all dashboards: when a link leads from one dashboard to
 * another, Kibana keeps the panels that have the same id and type, and shows the former ones under the new titles.
 */
function placed(rows: DashboardDefinition['rows'], prefix: string): Placed[] {
  const all: Placed[] = [];
  let y = 0;
  for (const row of rows) {
    let x = 0;
    for (const panel of row) {
      const { width: w, height: h } = panel;
      all.push({ panel, gridData: { x, y, w, h, i: `${prefix}-panel${all.length + 1}` } });
      x += w;
    }
    if (x > GRID_WIDTH) throw new Error(`a row is ${x} columns wide`);
    y += Math.max(...row.map(({ height }) => height));
  }
  return all;
}

/** Newer versions look for the layer's name, 8.3 for both. */
const referencesOf = (panel: Panel, space: SpaceId): Reference[] =>
  panel.kind === 'text'
    ? []
    : ['indexpattern-datasource-current-indexpattern', `indexpattern-datasource-layer-${LAYER_ID}`].map(
        (name) => ({ type: 'index-pattern', id: dataViewId(panel.layer.view, space), name }),
      );

export function assemble(
  id: string,
  { title, description, from = 'now-24h', rows }: DashboardDefinition,
  space: SpaceId,
): ImportedObject {
  const all = placed(rows, id);
  const panels = all.map(({ panel, gridData }) => ({
    version: DASHBOARD_VERSION,
    panelIndex: gridData.i,
    gridData,
    ...panelContent(panel, referencesOf(panel, space)),
  }));
  return dashboardObject({
    id,
    attributes: {
      title,
      description,
      panelsJSON: JSON.stringify(panels),
      optionsJSON: JSON.stringify({ useMargins: true, syncColors: true, hidePanelTitles: false }),
      version: 1,
      // Runs are hours apart: Kibana's own quarter of an hour would mostly show nothing. A link's time comes first.
      timeRestore: true,
      timeFrom: from,
      timeTo: 'now',
      kibanaSavedObjectMeta: {
        searchSourceJSON: JSON.stringify({ query: { query: '', language: 'kuery' }, filter: [] }),
      },
    },
    // Once more beside the panels' own, each under its panel's name.
    references: all.flatMap(({ panel, gridData }) =>
      referencesOf(panel, space).map((reference) => ({
        ...reference,
        name: `${gridData.i}:${reference.name}`,
      })),
    ),
  });
}
