/** Assembles panels to a dashboard in the form that Kibana stores. */
import type { SpaceId } from '../../results/space';
import { dataViewId } from './ids';
import { LAYER_ID, panelContent, type Panel } from './panel';
import { DASHBOARD_VERSION, dashboardObject, type ImportedObject, type Reference } from './saved-object';

export interface DashboardDefinition {
  title: string;
  description: string;
  /** Start of the time range when the dashboard is opened, in Kibana's notation. Default: `now-24h`. */
  from?: string;
  /** Rows of the dashboard from top to bottom. The panels of a row are next to each other. */
  rows: readonly (readonly Panel[])[];
}

/** Width of Kibana's grid for dashboards, in columns. */
export const GRID_WIDTH = 48;

interface Placed {
  panel: Panel;
  gridData: { x: number; y: number; w: number; h: number; i: string };
}

/**
 * Returns the panels with their positions and ids. `prefix` makes the ids unique across all dashboards. If a user follows a link to another
 * dashboard, Kibana reuses panels with the same id and type. Without unique ids, it would show the old panels under the new titles.
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

/**
 * Returns the references from a panel to its data view. Newer versions of Kibana look for a reference that is named after the layer. Kibana
 * 8.3 needs both names.
 */
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
      // The dashboard stores its time range. Runs are hours apart, so Kibana's default of 15 minutes would mostly show nothing. A time
      // range in a link takes precedence.
      timeRestore: true,
      timeFrom: from,
      timeTo: 'now',
      kibanaSavedObjectMeta: {
        searchSourceJSON: JSON.stringify({ query: { query: '', language: 'kuery' }, filter: [] }),
      },
    },
    // The references of the panels are repeated at the dashboard, each under the name of its panel.
    references: all.flatMap(({ panel, gridData }) =>
      referencesOf(panel, space).map((reference) => ({
        ...reference,
        name: `${gridData.i}:${reference.name}`,
      })),
    ),
  });
}
