/** Links from alerts on regressions to pages of Dyno, as paths within the app. */

/** Returns the path of the page of a history. If `series` is not null, the page shows the chart of this series. */
export function historyPath(experiment: string, series: { metric: string; cell: string } | null): string {
  const page = `/experiments/${encodeURIComponent(experiment)}/history`;
  return series === null
    ? page
    : `${page}?${new URLSearchParams({ series: series.metric, of: series.cell })}`;
}

export const resultPath = (run: string): string => `/runs/${encodeURIComponent(run)}/result`;
