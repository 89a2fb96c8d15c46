/** Where the nodes spent their CPU time, or what else the profile counts: the activities, a flame chart, and what changed between two cells. */
import {
  EuiButtonEmpty,
  EuiFieldSearch,
  EuiFlexGroup,
  EuiFlexItem,
  EuiSelect,
  EuiSkeletonRectangle,
  EuiSkeletonText,
  EuiSpacer,
  EuiText,
} from '@elastic/eui';
import { useCallback, useMemo, useState, type ReactNode } from 'react';
import type { Profile, ProfileChange } from '../../../common/report/model/profile';
import { cellNames } from '../../../common/report/model/cell-names';
import type { Report } from '../../../common/report/model/report';
import { groupTables } from '../../../common/report/tables';
import { eventTable } from '../../../common/report/tables/profile';
import { isProfiled } from '../../../common/report/why';
import { withLevels } from '../../../common/tuning/template';
import { formatPoints, formatPointsInterval } from '../../../common/analysis/wording';
import type { ProfileFormat } from '../../../common/measurement/profile-document';
import { EVENTS, profiledIn, type ProfileEvent } from '../../../common/profile/events';
import { ACTIVITIES } from '../../../common/profile/activities';
import { formatPercent } from '../../../common/units/format';
import { useApi } from '../../api/queries';
import { useApp } from '../../app/context';
import { ChartFrame } from '../../charts/result/chart-frame';
import type { TooltipEntry } from '../../charts/result/chart-tooltip';
import { FlameChart, useFlameColours } from '../../charts/result/flame-chart';
import { NearViewport } from '../../charts/result/near-viewport';
import { i18n } from '../../i18n';
import { Loadable } from '../../ui/loadable';
import { Part } from '../../ui/page';
import { useQueryState } from '../../ui/query-state';
import { ReportTable } from '../../ui/report-table';
import { framesTable } from './frames-table';
import { WhySentences } from './why';

const HEIGHT = 480;
const HEIGHT_OF_WHY = 140;
/** Value in the URL for a comparison with no other cell. */
const NONE = 'none';
/** Value of a select for all nodes or thread pools. */
const ALL = '';

function Choice(props: {
  name: string;
  value: string;
  options: readonly { value: string; text: string }[];
  onChange: (value: string) => void;
}): ReactNode {
  const { name, value, options, onChange } = props;
  return (
    <EuiFlexItem grow={false}>
      <EuiSelect
        compressed
        prepend={name}
        aria-label={name}
        value={value}
        options={
          options.some((option) => option.value === value)
            ? [...options]
            : [...options, { value, text: value }]
        }
        onChange={(event) => onChange(event.target.value)}
      />
    </EuiFlexItem>
  );
}

const nameOfEvent = (event: ProfileEvent): string =>
  i18n.say({ id: `dyno.result.profile.${event}`, text: EVENTS[event].name });

const isEvent = (text: string): text is ProfileEvent => Object.hasOwn(EVENTS, text);

/** The choices of the user. The URL contains them. */
function useChoices() {
  const [cell, setCell] = useQueryState('profile-cell');
  const [against, setAgainst] = useQueryState('profile-against');
  const [eventText, setEvent] = useQueryState('profile-event', 'cpu');
  const event = isEvent(eventText) ? eventText : 'cpu';
  const [node, setNode] = useQueryState('profile-node');
  const [pool, setPool] = useQueryState('profile-pool');
  return { cell, setCell, against, setAgainst, event, setEvent, node, setNode, pool, setPool };
}
type Choices = ReturnType<typeof useChoices>;

function Controls(props: { profile: Profile; names: readonly string[]; choices: Choices }): ReactNode {
  const { profile, names, choices } = props;
  const { cells, cell, against, events, event, nodes, pools } = profile;
  const cellOptions = cells.map(({ cell: index, label }) => ({
    value: String(index),
    text: names[index] ?? label,
  }));
  const all = (text: string, values: readonly string[]): { value: string; text: string }[] => [
    { value: ALL, text },
    ...values.map((value) => ({ value, text: value })),
  ];
  return (
    <EuiFlexGroup gutterSize="s" wrap responsive={false} alignItems="center">
      <Choice
        name={i18n.translate('dyno.result.profile.cell', { defaultMessage: 'Cell' })}
        value={String(cell)}
        options={cellOptions}
        onChange={(chosen) => {
          choices.setCell(chosen);
          // Choosing the reference cell swaps the cells.
          if (chosen === String(against)) choices.setAgainst(String(cell));
        }}
      />
      {cells.length < 2 ? null : (
        <Choice
          name={i18n.translate('dyno.result.profile.against', { defaultMessage: 'compared with' })}
          value={against === null ? NONE : String(against)}
          options={[
            ...cellOptions.filter(({ value }) => value !== String(cell)),
            {
              value: NONE,
              text: i18n.translate('dyno.result.profile.nothing', { defaultMessage: 'nothing' }),
            },
          ]}
          onChange={choices.setAgainst}
        />
      )}
      {events.length < 2 ? null : (
        <Choice
          name={i18n.translate('dyno.result.profile.event', { defaultMessage: 'Shows' })}
          value={event}
          options={events.map((value) => ({ value, text: nameOfEvent(value) }))}
          onChange={choices.setEvent}
        />
      )}
      {nodes.length < 2 && choices.node === ALL ? null : (
        <Choice
          name={i18n.translate('dyno.result.profile.node', { defaultMessage: 'Node' })}
          value={choices.node}
          options={all(
            i18n.translate('dyno.result.profile.allNodes', { defaultMessage: 'all nodes' }),
            nodes,
          )}
          onChange={choices.setNode}
        />
      )}
      <Choice
        name={i18n.translate('dyno.result.profile.pool', { defaultMessage: 'Thread pool' })}
        value={choices.pool}
        options={all(
          i18n.translate('dyno.result.profile.allPools', { defaultMessage: 'all threads' }),
          pools,
        )}
        onChange={choices.setPool}
      />
    </EuiFlexGroup>
  );
}

/** Returns the words of the tooltips. */
const words = () => ({
  share: i18n.translate('dyno.result.profile.share', { defaultMessage: 'share' }),
  activity: i18n.translate('dyno.result.profile.activity', { defaultMessage: 'activity' }),
  difference: i18n.translate('dyno.result.profile.difference', { defaultMessage: 'difference' }),
  interval: i18n.translate('dyno.result.profile.interval', { defaultMessage: '95% interval' }),
  changed: i18n.translate('dyno.result.profile.changed', { defaultMessage: 'changed' }),
  yes: i18n.translate('dyno.result.profile.yes', { defaultMessage: 'yes, decided' }),
  undecided: i18n.translate('dyno.result.profile.undecided', { defaultMessage: 'undecided' }),
  rare: i18n.translate('dyno.result.profile.rare', { defaultMessage: 'too rare to test' }),
});

const points = (text: string): string =>
  i18n.translate('dyno.result.profile.points', { defaultMessage: '{text} points', values: { text } });

const TITLES = new Map(ACTIVITIES.map(({ key, title }) => [key, title]));

/** Returns the lines of a frame's tooltip. `names`: names of the cell and of the reference cell. */
function linesOf(
  { tree, against }: Profile,
  change: ProfileChange | undefined,
  [cell, reference]: readonly [string, string],
  frame: number,
): TooltipEntry['lines'] {
  const text = words();
  const activity = TITLES.get(tree.activity[frame] ?? '');
  const lines = activity === undefined ? [] : [{ label: text.activity, value: activity }];
  if (tree.against === null || against === null)
    return [{ label: text.share, value: formatPercent(tree.share[frame]!) }, ...lines];
  return [
    { label: cell, value: formatPercent(tree.share[frame]!) },
    { label: reference, value: formatPercent(tree.against[frame]!) },
    { label: text.difference, value: points(formatPoints(tree.share[frame]! - tree.against[frame]!)) },
    ...(change === undefined ? [] : [{ label: text.interval, value: points(formatPointsInterval(change)) }]),
    {
      label: text.changed,
      value: change === undefined ? text.rare : change.isDecided ? text.yes : text.undecided,
    },
    ...lines,
  ];
}

function Flames({ profile, names }: { profile: Profile; names: readonly string[] }): ReactNode {
  const { tree, cells, cell, against, event } = profile;
  const [search, setSearch] = useState('');
  // A frame has another index in each tree.
  const [zoomed, setZoomed] = useState({ tree, frame: 0 });
  const zoom = zoomed.tree === tree ? zoomed.frame : 0;
  const setZoom = useCallback((frame: number) => setZoomed({ tree, frame }), [tree]);
  const colours = useFlameColours();
  const nameOfCell = useCallback(
    (index: number): string => names[index] ?? cells.find((own) => own.cell === index)?.label ?? '',
    [names, cells],
  );
  const changes = useMemo(() => new Map(tree.changes.map((change) => [change.frame, change])), [tree]);
  const nameOf = useCallback((frame: number): string => tree.names[tree.name[frame]!]!, [tree]);
  const lines = useCallback(
    (frame: number) =>
      linesOf(
        profile,
        changes.get(frame),
        [nameOfCell(cell), against === null ? '' : nameOfCell(against)],
        frame,
      ),
    [profile, changes, nameOfCell, cell, against],
  );
  const title =
    against === null
      ? i18n.translate('dyno.result.profile.flame', {
          defaultMessage: 'Flame chart of {cell}: {event}',
          values: { cell: nameOfCell(cell), event: nameOfEvent(event) },
        })
      : i18n.translate('dyno.result.profile.flameCompared', {
          defaultMessage: 'Flame chart of {cell} compared with {against}: {event}',
          values: {
            cell: nameOfCell(cell),
            against: nameOfCell(against),
            event: nameOfEvent(event),
          },
        });
  const how = i18n.translate('dyno.result.profile.how', {
    defaultMessage:
      'Each box is a method, above the methods that it calls. Its width is its share. Calls without branches share a box. Click a box to enlarge it, or use the arrow keys, Enter and Escape.',
  });
  const description =
    against === null
      ? how
      : `${how} ${i18n.translate('dyno.result.profile.howCompared', {
          defaultMessage:
            'The width is the mean of both cells. A box has a colour only if the trials decide that its share changed. Shares add up to 100%: if one falls, others rise.',
        })}`;
  const legend =
    against === null
      ? []
      : [
          {
            name: i18n.translate('dyno.result.profile.more', {
              defaultMessage: 'larger share with {cell}',
              values: { cell: nameOfCell(cell) },
            }),
            colour: colours.more,
            glyph: '■ ▲',
          },
          {
            name: i18n.translate('dyno.result.profile.less', {
              defaultMessage: 'smaller share with {cell}',
              values: { cell: nameOfCell(cell) },
            }),
            colour: colours.less,
            glyph: '■ ▼',
          },
          {
            name: i18n.translate('dyno.result.profile.grey', {
              defaultMessage: 'undecided, or too rare to test',
            }),
            colour: colours.grey,
            glyph: '■',
          },
        ];
  return (
    <>
      <EuiFlexGroup gutterSize="s" wrap responsive={false} alignItems="center">
        <EuiFlexItem css={{ maxInlineSize: 400 }}>
          <EuiFieldSearch
            compressed
            placeholder={i18n.translate('dyno.result.profile.search', {
              defaultMessage: 'Search methods and classes',
            })}
            aria-label={i18n.translate('dyno.result.profile.searchLabel', {
              defaultMessage: 'Search the flame chart',
            })}
            value={search}
            onChange={(changed) => setSearch(changed.target.value)}
          />
        </EuiFlexItem>
        <EuiFlexItem grow={false}>
          <EuiButtonEmpty size="s" iconType="magnifyMinus" isDisabled={zoom === 0} onClick={() => setZoom(0)}>
            {i18n.translate('dyno.result.profile.whole', { defaultMessage: 'Show the whole chart' })}
          </EuiButtonEmpty>
        </EuiFlexItem>
      </EuiFlexGroup>
      <EuiSpacer size="s" />
      <ChartFrame title={title} description={description} height="auto" legend={legend}>
        <FlameChart
          title={title}
          tree={tree}
          nameOf={nameOf}
          changes={against === null ? null : changes}
          linesOf={lines}
          search={search}
          zoom={zoom}
          onZoom={setZoom}
        />
      </ChartFrame>
    </>
  );
}

function Sentences({ profile, names }: { profile: Profile; names: readonly string[] }): ReactNode {
  const { against, changes, cell, undecidable } = profile;
  if (against === null) return null;
  return (
    <EuiText size="s">
      <h3>
        {i18n.translate('dyno.result.profile.changes', {
          defaultMessage: 'What changed with {cell}',
          values: { cell: names[cell] ?? '' },
        })}
      </h3>
      {changes.length === 0 ? (
        <p>
          {undecidable === ''
            ? i18n.translate('dyno.result.profile.noChange', {
                defaultMessage:
                  'No change is decided: differences of this size also occur between equal trials. More or longer trials would show smaller changes.',
              })
            : i18n.translate('dyno.result.profile.undecidable', {
                defaultMessage: 'No change is decided: {why}.',
                values: { why: undecidable },
              })}
        </p>
      ) : (
        <ol>
          {changes.map(({ frame, sentence }) => (
            <li key={frame}>{sentence}</li>
          ))}
        </ol>
      )}
    </EuiText>
  );
}

/** Links that download the stacks of the shown cell, of all nodes and thread pools. */
function Downloads({
  run,
  profile,
  names,
}: {
  run: string;
  profile: Profile;
  names: readonly string[];
}): ReactNode {
  const { client } = useApp();
  const { cell, event } = profile;
  const hrefOf = (format: ProfileFormat): string =>
    client.urlOf('exportProfile', { params: { id: run }, query: { format, cell, event } });
  const subject = i18n.translate('dyno.result.profile.download', {
    defaultMessage: 'Download all stacks of {cell}:',
    values: { cell: names[cell] ?? '' },
  });
  const link = (format: ProfileFormat, tools: string): ReactNode => (
    <EuiFlexItem grow={false}>
      <EuiButtonEmpty size="s" iconType="download" aria-label={`${subject} ${tools}`} href={hrefOf(format)}>
        {tools}
      </EuiButtonEmpty>
    </EuiFlexItem>
  );
  return (
    <EuiFlexGroup gutterSize="s" wrap responsive={false} alignItems="center">
      <EuiFlexItem grow={false}>
        <EuiText size="s">{subject}</EuiText>
      </EuiFlexItem>
      {link(
        'collapsed',
        i18n.translate('dyno.result.profile.collapsed', { defaultMessage: 'for FlameGraph and speedscope' }),
      )}
      {link(
        'firefox',
        i18n.translate('dyno.result.profile.firefox', { defaultMessage: 'for the Firefox Profiler' }),
      )}
    </EuiFlexGroup>
  );
}

/** Reads the profile of the cells that the user chose. `choices`: further choices. */
function useProfile(
  report: Report,
  { cell, against }: Choices,
  { event = 'cpu', node = ALL, pool = ALL }: Partial<Choices> = {},
) {
  return useApi(
    'getProfile',
    {
      params: { id: report.run.id },
      query: {
        event,
        ...(cell === '' ? {} : { cell: Number(cell) }),
        ...(against === '' ? {} : { against: against === NONE ? NONE : Number(against) }),
        ...(node === ALL ? {} : { node }),
        ...(pool === ALL ? {} : { pool }),
      },
    },
    { keep: true },
  );
}

/** Why the chosen cells differ, over all nodes and threads. */
function Why({ report }: { report: Report }): ReactNode {
  const { data, isPending } = useProfile(report, useChoices());
  return isPending ? <EuiSkeletonText lines={5} /> : <WhySentences report={report} profile={data} />;
}

/** A sentence that replaces the flame chart. */
const Absent = ({ text }: { text: string }): ReactNode => (
  <EuiText size="s">
    <p>{text}</p>
  </EuiText>
);

/** The flame chart, what changed, and the methods. Before them, the activities, unless they are metrics. */
function Stacks({ profile, names }: { profile: Profile; names: readonly string[] }): ReactNode {
  const { share, against } = profile.tree;
  if (share[0] === 0 && (against?.[0] ?? 0) === 0)
    return (
      <Absent
        text={i18n.translate('dyno.result.profile.noStacks', {
          defaultMessage: 'These cells have no stacks of this node and thread pool.',
        })}
      />
    );
  const activities = eventTable(profile, names);
  return (
    <>
      {activities === null ? null : (
        <>
          <ReportTable table={activities} titled={false} />
          <EuiSpacer size="m" />
        </>
      )}
      <Sentences profile={profile} names={names} />
      <EuiSpacer size="m" />
      <Flames profile={profile} names={names} />
      <EuiSpacer size="m" />
      <ReportTable table={framesTable(profile, names)} />
    </>
  );
}

function Loaded({ report }: { report: Report }): ReactNode {
  const choices = useChoices();
  const { names } = cellNames(report);
  const query = useProfile(report, choices, choices);
  // The activities of old runs remain when their stacks are deleted.
  if (query.error?.code === 'profile.none')
    return (
      <Absent
        text={i18n.translate('dyno.result.profile.none', {
          defaultMessage:
            'The stacks of this run are not stored, so there is no flame chart. Dyno deletes them together with old samples.',
        })}
      />
    );
  return (
    <Loadable query={query} skeleton={<EuiSkeletonRectangle width="100%" height={HEIGHT} />}>
      {(profile) => (
        <>
          <Controls profile={profile} names={names} choices={choices} />
          <EuiSpacer size="m" />
          <div
            aria-busy={query.isPlaceholderData}
            css={query.isPlaceholderData ? { opacity: 0.5, pointerEvents: 'none' } : undefined}
          >
            <Stacks profile={profile} names={names} />
          </div>
          <EuiSpacer size="m" />
          <Downloads run={report.run.id} profile={profile} names={names} />
        </>
      )}
    </Loadable>
  );
}

/**
 * Returns the event after which the section of the profile is named: CPU time if trials have its metrics, otherwise another event that
 * completed trials count. Undefined without a profile.
 */
function eventOf(report: Report): ProfileEvent | undefined {
  if (isProfiled(report)) return 'cpu';
  const { cells, definition, trials } = report;
  if (!trials.some(({ state }) => state === 'completed')) return undefined;
  return cells
    .map(({ levels }) => profiledIn(withLevels(definition, levels).measure)?.event)
    .find((event) => event !== undefined && event !== 'cpu');
}

/** Section with the profile of the nodes. Absent if no trial has a profile. */
export function ProfilePart({ report }: { report: Report }): ReactNode {
  const tables = useMemo(
    () => groupTables(report, 'cluster').filter(({ id }) => id === 'nodes-activities'),
    [report],
  );
  const event = useMemo(() => eventOf(report), [report]);
  if (event === undefined) return null;
  return (
    <Part title={i18n.say({ id: `dyno.result.profile.title.${event}`, text: EVENTS[event].title })}>
      {event === 'cpu' ? (
        <NearViewport height={HEIGHT_OF_WHY}>{() => <Why report={report} />}</NearViewport>
      ) : null}
      {tables.map(({ id, content }) => (
        <ReportTable key={id} table={content} titled={false} />
      ))}
      <EuiSpacer size="l" />
      <NearViewport height={HEIGHT}>{() => <Loaded report={report} />}</NearViewport>
    </Part>
  );
}
