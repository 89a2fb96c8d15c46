/** Lists the charts of a task as SVG, with their positions before, between and after the task's tables. */
import type { Report } from '../model/report';
import { driftChart } from './drift';
import { frontierChart } from './frontier';
import { intervalsChart } from './intervals';
import { latencyChart } from './latency';
import { rateStepsChart } from './rate-steps';
import { scalingChart } from './scaling';
import { timelineChart } from './timeline';

export interface ReportChart {
  svg: string;
  /** Text that explains how to read the chart. */
  caption: string;
  /** Position of the chart: `above` or `below` all tables of the task, or the id of the table that is above the chart. */
  place: string;
}

/** Returns the charts of a task, without empty charts. */
export const taskCharts = (report: Report, task: string): ReportChart[] =>
  [
    { place: 'above', ...intervalsChart(report, task) },
    {
      place: 'searches',
      svg: rateStepsChart(report, task),
      caption:
        'The steps of each search in order; the height is the offered rate. The band is the bracket of the answer. Where it reaches the top, every rate was held.',
    },
    {
      place: 'recall',
      svg: frontierChart(report, task),
      caption:
        'A point for each cell, with its 95% intervals as lines. Filled and joined: cells that no other cell beats, by their means.',
    },
    {
      place: 'scaling',
      svg: scalingChart(report, task),
      caption:
        'A dot for each trial. The line is the fitted scalability law, the band its 95% interval, dashed beyond the measured range.',
    },
    {
      place: 'latency',
      svg: latencyChart(report, task),
      caption: "Percentiles of all requests of a cell's trials, from merged histograms.",
    },
    {
      place: 'below',
      svg: timelineChart(report, task),
      caption:
        'Throughput over time: a thin line for each trial, a bold one for their mean, and the measured phase shaded. Only seconds in which the load ran the whole time are shown.',
    },
    { place: 'below', ...driftChart(report, task) },
  ].filter(({ svg }) => svg !== '');
