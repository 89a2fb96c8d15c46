/** Builds the panels that the registry of node metrics describes. They show one line for each node or host over time. */
import { fieldsOfCourse, type Course, type NodePanel } from '../../../common/measurement/node-metric';
import { NODE_METRICS } from '../../../common/measurement/node-metrics';
import { GRID_WIDTH } from './assemble';
import { average, max, plus, ratio, sum, times, type Expression, type Format } from './expression';
import { chart, type Panel } from './panel';
import { byHost, byNode, BYTES, courseBy, measure, OF_HOSTS, OF_NODES, PERCENT, WHOLE } from './shown';

const FORMATS: Readonly<Record<NodePanel['format'], Format>> = {
  whole: WHOLE,
  'two decimals': { id: 'number', decimals: 2 },
  percent: PERCENT,
  bytes: BYTES,
};

/** Maximum number of panels in a row. */
const IN_A_ROW = 3;

const isOfHost = (field: string): boolean => field.startsWith('dyno.host.');

/**
 * Returns the increase of a counter per ms. Every event contains the change of the counter and the time since the previous event. The
 * result is the sum of the changes, divided by the sum of these times. Events without the counter do not count, because nodes of some roles
 * do not have it.
 */
export const byItsTime = (field: string): Expression =>
  ratio(sum(field), sum(`${isOfHost(field) ? 'dyno.host' : 'dyno.node'}.interval.ms`, `${field}: *`));

const sumOf = (fields: readonly string[]): Expression =>
  fields.map((field): Expression => sum(field)).reduce((all, one) => plus(all, one));

function expressionOf(course: Course): Expression {
  switch (course.kind) {
    case 'average':
      return average(course.field);
    case 'highest':
      return max(course.field);
    case 'rate':
      return course.per === 1 ? byItsTime(course.field) : times(byItsTime(course.field), course.per);
    case 'of':
      return ratio(max(course.part), max(course.whole));
    case 'share':
      return ratio(sumOf(course.part), sumOf(course.whole));
  }
}

/** Returns the panels of node metrics for one dashboard, in rows. They have the order of the registry. */
export function nodePanels(dashboard: NodePanel['dashboard']): Panel[][] {
  const described = NODE_METRICS.flatMap(({ chart: own, panel }) => {
    const course = panel?.course ?? own?.courses[0];
    return panel?.dashboard === dashboard && course !== undefined ? [{ panel, course }] : [];
  });
  const rows = Array.from({ length: Math.ceil(described.length / IN_A_ROW) }, (_, row) =>
    described.slice(row * IN_A_ROW, (row + 1) * IN_A_ROW),
  );
  return rows.map((row) =>
    row.map(({ panel: { title, description, axis, line, format }, course }) => {
      const [query, part] = isOfHost(fieldsOfCourse(course)[0]!)
        ? [OF_HOSTS, byHost()]
        : [OF_NODES, byNode()];
      return chart({
        width: GRID_WIDTH / row.length,
        height: 13,
        title,
        description,
        series: 'line',
        axis,
        layer: courseBy('metrics', query, part, measure(line, expressionOf(course), FORMATS[format])),
      });
    }),
  );
}
