/** Pages of Dyno to which alerts on regressions lead, within the app. */

/** With the chart of one series, where one is named. */
export function historyPath(experiment: string, series: { metric: string; cell: string } | null): string {
  const page = `/experiments/${encodeURIComponent(experiment)}/history`;
  return series === null
    ? page
    : `${page}?${new URLSearchParams({ series: series.metric, of: series.cell })}`;
}

export const resultPath = (run: string): string => `/runs/${encodeURIComponent(run)}/result`;
