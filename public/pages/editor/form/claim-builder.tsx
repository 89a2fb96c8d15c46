/**
 * Lets the user build a claim from choices: a metric, a direction and an experiment factor. Each choice changes the text of the claim in
 * the definition.
 */
import { EuiFieldNumber, EuiFormRow, EuiPanel, EuiSelect, EuiText } from '@elastic/eui';
import { useMemo, type ReactNode } from 'react';
import { levelTexts } from '../../../../common/experiment/cells';
import { firstClaim, levelsByFactor, tasksNamed } from '../../../../common/experiment/claim-choices';
import { CLUSTER } from '../../../../common/measurement/cluster-metrics';
import {
  metricNames,
  parseClaim,
  writtenClaim,
  type Claim,
  type NamedTask,
} from '../../../../common/measurement/condition';
import { INDEX, parseMetric, writtenMetric } from '../../../../common/measurement/metric';
import { i18n } from '../../../i18n';
import { asText, useField, useForm, type PartProps as FormPartProps } from './context';
import { Columns } from './part';

type Parts = Pick<Claim, 'relation' | 'factor' | 'range' | 'atLeast' | 'atMost'> & { metric: string };

const usualRelation = (metric: string): Claim['relation'] =>
  parseMetric(metric)?.better === 'higher' ? 'rises' : 'falls';

/**
 * Splits a metric such as `ingest.latency.p99` into `owner` (`ingest`) and `figure` (`latency.p99`). The owner is a task, a task and a
 * request, the indices or the cluster.
 */
function ownerOf(metric: string): { owner: string; figure: string } {
  const parsed = parseMetric(metric);
  const owner = [parsed?.task, parsed?.request].filter((part) => part !== undefined).join('.');
  return { owner, figure: metric.slice(owner.length + 1) };
}

const options = (values: readonly string[], current: string) =>
  [...new Set([...values, current])].map((value) => ({ value, text: value }));

interface ChoiceProps {
  label: string;
  value: string;
  disabled: boolean;
  options: { value: string; text: string }[];
  onChange: (value: string) => void;
}

function Choice({ label, value, disabled, options: offered, onChange }: ChoiceProps): ReactNode {
  return (
    <EuiFormRow label={label}>
      <EuiSelect
        compressed
        disabled={disabled}
        options={offered}
        value={value}
        onChange={({ target }) => onChange(target.value)}
      />
    </EuiFormRow>
  );
}

const ANY = 'any';
const LEAST = 'least';
const MOST = 'most';
/** Percentage that is entered when the user adds a minimum or maximum effect to a claim. */
const FIRST_BOUND = 10;

interface ClaimBuilderProps {
  /** Text of the claim in the definition. It may not be a valid claim. */
  text: string;
  tasks: readonly NamedTask[];
  factors: Readonly<Record<string, readonly unknown[]>>;
  disabled: boolean;
  onChange: (text: string) => void;
}

/** Lets the user build the claim at a path of the definition from choices. */
export function ClaimPart({ path }: FormPartProps): ReactNode {
  const { values } = useForm();
  const { value, set, disabled } = useField(path);
  const tasks = useMemo(() => tasksNamed(values['tasks']), [values]);
  const factors = levelsByFactor(values['factors']);
  return <ClaimBuilder text={asText(value)} {...{ tasks, factors, disabled }} onChange={set} />;
}

export function ClaimBuilder({ text, tasks, factors, disabled, onChange }: ClaimBuilderProps): ReactNode {
  const paths = Object.keys(factors);
  const parsed = parseClaim(text);
  const isClaim = !('message' in parsed);
  const start = isClaim ? parsed : parseClaim(firstClaim(tasks, paths));
  if ('message' in start) {
    return (
      <EuiText size="s" color="subdued">
        <p>
          {i18n.translate('dyno.editor.claim.noFactor', {
            defaultMessage: 'A claim needs a factor. First add a factor under “What varies”.',
          })}
        </p>
      </EuiText>
    );
  }
  const { relation, factor, range, atLeast, atMost } = start;
  const parts: Parts = { metric: writtenMetric(start.metric), relation, factor, range, atLeast, atMost };
  const write = (changed: Partial<Parts>): void => onChange(writtenClaim({ ...parts, ...changed }));
  return (
    <EuiPanel
      hasBorder
      hasShadow={false}
      paddingSize="s"
      color="subdued"
      role="group"
      aria-label={i18n.translate('dyno.editor.claim.builder', { defaultMessage: 'Parts of the claim' })}
    >
      {isClaim ? null : (
        <EuiText size="s">
          <p>
            {i18n.translate('dyno.editor.claim.replaced', {
              defaultMessage: 'This text is not a claim. If you choose something here, it replaces the text.',
            })}
          </p>
        </EuiText>
      )}
      <Columns>
        <MetricChoices {...{ parts, tasks, disabled, write }} />
        <Choice
          label={i18n.translate('dyno.editor.claim.direction', { defaultMessage: 'Direction' })}
          value={relation}
          disabled={disabled}
          options={[
            {
              value: 'rises',
              text: i18n.translate('dyno.editor.claim.rises', { defaultMessage: 'rises' }),
            },
            {
              value: 'falls',
              text: i18n.translate('dyno.editor.claim.falls', { defaultMessage: 'falls' }),
            },
            {
              value: 'stays',
              text: i18n.translate('dyno.editor.claim.stays', { defaultMessage: 'stays the same' }),
            },
          ]}
          onChange={(value) =>
            write({
              relation: value as Claim['relation'],
              // “stays” has no bounds, because the margin of the experiment limits it.
              ...(value === 'stays' ? { atLeast: null, atMost: null } : {}),
            })
          }
        />
        <Choice
          label={i18n.translate('dyno.editor.claim.factor', { defaultMessage: 'With factor' })}
          value={factor}
          disabled={disabled}
          options={options(paths, factor)}
          onChange={(value) => write({ factor: value, range: null })}
        />
      </Columns>
      <Columns>
        <RangeChoices {...{ parts, levels: factors[factor] ?? [], disabled, write }} />
        {relation === 'stays' ? null : <Bound {...{ parts, disabled, write }} />}
      </Columns>
    </EuiPanel>
  );
}

interface PartProps {
  parts: Parts;
  disabled: boolean;
  write: (changed: Partial<Parts>) => void;
}

function MetricChoices({
  parts,
  tasks,
  disabled,
  write,
}: PartProps & { tasks: readonly NamedTask[] }): ReactNode {
  const names = metricNames(tasks);
  const { owner, figure } = ownerOf(parts.metric);
  const owners = [
    ...tasks.flatMap(({ name, requests }) => [name, ...(requests ?? []).map((one) => `${name}.${one}`)]),
    INDEX,
    CLUSTER,
  ];
  const figuresOf = (own: string): string[] =>
    names.flatMap((name) => {
      const split = ownerOf(name);
      return split.owner === own ? [split.figure] : [];
    });
  const become = (own: string, wanted: string): void => {
    const figures = figuresOf(own);
    const metric = `${own}.${figures.includes(wanted) ? wanted : (figures[0] ?? wanted)}`;
    // A new metric sets its usual direction, unless the direction is “stays”.
    const same = parts.relation === 'stays' || usualRelation(metric) === usualRelation(parts.metric);
    write({ metric, ...(same ? {} : { relation: usualRelation(metric) }) });
  };
  return (
    <>
      <Choice
        label={i18n.translate('dyno.editor.claim.task', { defaultMessage: 'Task' })}
        value={owner}
        disabled={disabled}
        options={options(owners, owner).map(({ value, text }) => ({
          value,
          text:
            value === INDEX
              ? i18n.translate('dyno.editor.claim.indices', { defaultMessage: 'the indices' })
              : value === CLUSTER
                ? i18n.translate('dyno.editor.claim.cluster', { defaultMessage: 'the cluster' })
                : text,
        }))}
        onChange={(value) => become(value, figure)}
      />
      <Choice
        label={i18n.translate('dyno.editor.claim.metric', { defaultMessage: 'Metric' })}
        value={figure}
        disabled={disabled}
        options={options(figuresOf(owner), figure)}
        onChange={(value) => become(owner, value)}
      />
    </>
  );
}

/** Returns whether the level of a factor can be written in a claim. Levels with spaces cannot. */
const isWritable = (level: string): boolean => /^\S+$/.test(level);

function RangeChoices({
  parts,
  levels,
  disabled,
  write,
}: PartProps & { levels: readonly unknown[] }): ReactNode {
  const { range, factor } = parts;
  const text = levelTexts({ factors: levels.map((level) => ({ [factor]: level })) });
  const shown = [...new Set(levels.map((level) => text(factor, level)))].filter(isWritable);
  if (shown.length < 3 && range === null) return null;
  const all = {
    value: '',
    text: i18n.translate('dyno.editor.claim.allLevels', { defaultMessage: 'all levels' }),
  };
  return (
    <>
      <Choice
        label={i18n.translate('dyno.editor.claim.from', { defaultMessage: 'From level' })}
        value={range?.from ?? ''}
        disabled={disabled}
        options={[all, ...options(shown, range?.from ?? shown[0]!)]}
        onChange={(from) => write({ range: from === '' ? null : { from, to: range?.to ?? shown.at(-1)! } })}
      />
      <Choice
        label={i18n.translate('dyno.editor.claim.to', { defaultMessage: 'To level' })}
        value={range?.to ?? ''}
        disabled={disabled}
        options={[all, ...options(shown, range?.to ?? shown[0]!)]}
        onChange={(to) => write({ range: to === '' ? null : { from: range?.from ?? shown[0]!, to } })}
      />
    </>
  );
}

function Bound({ parts, disabled, write }: PartProps): ReactNode {
  const { atLeast, atMost } = parts;
  const kind = atLeast !== null ? LEAST : atMost !== null ? MOST : ANY;
  const share = atLeast ?? atMost;
  const bound = (chosen: string, percent: number): void =>
    write({
      atLeast: chosen === LEAST ? percent / 100 : null,
      atMost: chosen === MOST ? percent / 100 : null,
    });
  const percentOf = (value: number): number => Number((value * 100).toPrecision(12));
  return (
    <>
      <Choice
        label={i18n.translate('dyno.editor.claim.by', { defaultMessage: 'By' })}
        value={kind}
        disabled={disabled}
        options={[
          {
            value: ANY,
            text: i18n.translate('dyno.editor.claim.any', { defaultMessage: 'more than the margin' }),
          },
          { value: LEAST, text: i18n.translate('dyno.editor.claim.least', { defaultMessage: 'at least' }) },
          { value: MOST, text: i18n.translate('dyno.editor.claim.most', { defaultMessage: 'at most' }) },
        ]}
        onChange={(chosen) => bound(chosen, share === null ? FIRST_BOUND : percentOf(share))}
      />
      {share === null ? null : (
        <EuiFormRow label={i18n.translate('dyno.editor.claim.percent', { defaultMessage: 'Percent' })}>
          <EuiFieldNumber
            compressed
            min={0}
            step="any"
            append="%"
            disabled={disabled}
            value={percentOf(share)}
            onChange={({ target }) => {
              // An empty field does not change the bound.
              if (target.value !== '' && target.valueAsNumber >= 0) bound(kind, target.valueAsNumber);
            }}
          />
        </EuiFormRow>
      )}
    </>
  );
}
