/** Lists the charts of a task as SVG, and their places among its tables. */
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
  /** Explains how to read the chart. */
  caption: string;
  /** `above` or `below` all tables of the task, or the id of the table above the chart. */
  place: string;
}

/** Returns the charts that are not empty. */
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
        'Each cell a point, its 95% intervals the lines across. Filled and joined: cells that no other one beats, by their means.',
    },
    {
      place: 'scaling',
      svg: scalingChart(report, task),
      caption:
        'Each trial a dot; the line is the fitted scalability law, the band its 95% interval, dashed beyond what was measured.',
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
        'Throughput over time: a thin line for each trial, a bold one for their mean, and the measured phase shaded. Only seconds that the load ran through as a whole are shown.',
    },
    { place: 'below', ...driftChart(report, task) },
  ].filter(({ svg }) => svg !== '');
