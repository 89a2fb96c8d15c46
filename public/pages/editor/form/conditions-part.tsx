/** What is claimed, what must hold, what ends a run: lists of short sentences, with examples to begin with. */
import {
  EuiBadge,
  EuiButtonEmpty,
  EuiButtonIcon,
  EuiFieldText,
  EuiFlexGroup,
  EuiFlexItem,
  EuiFormRow,
  EuiSpacer,
  useGeneratedHtmlId,
} from '@elastic/eui';
import { useMemo, useRef, useState, type ReactNode } from 'react';
import { CLUSTER } from '../../../../common/measurement/cluster-figures';
import { NODE_METRICS } from '../../../../common/measurement/node-metrics';
import { parseMetric } from '../../../../common/measurement/metric';
import { i18n } from '../../../i18n';
import { ClaimBuilder, firstClaim, levelsByFactor, tasksNamed } from './claim-builder';
import { asList, asRecord, asText, useErrors, useForm } from './context';
import { FormPart } from './part';

interface SentencesProps {
  list: 'expect' | 'thresholds' | 'stop-when';
  label: string;
  help: string;
  addLabel: string;
  examples: readonly string[];
  /** Offered while a sentence is typed. */
  suggestions?: readonly string[];
  /** Puts a sentence together from choices. */
  builder?: Builder;
}

interface Builder {
  /** Of the button that adds a sentence and opens its parts. */
  addLabel: string;
  /** What that button adds. */
  first: string;
  draw: (sentence: { text: string; disabled: boolean; onChange: (text: string) => void }) => ReactNode;
}

interface SentenceProps {
  list: string;
  at: number;
  label: string;
  /** Id of the list of what is offered. */
  offered: string | undefined;
  builder: Builder | undefined;
  isOpen: boolean;
  onToggle: () => void;
}

function Sentence({ list, at, label, offered, builder, isOpen, onToggle }: SentenceProps): ReactNode {
  const { values, edit, disabled, reveal } = useForm();
  const errors = useErrors([list, at]);
  const parts = useGeneratedHtmlId();
  const text = asText(asList(values[list])[at]);
  const write = (value: string): void => edit([{ path: [list, at], value }]);
  const row = (
    <EuiFormRow fullWidth isInvalid={errors.length > 0} error={errors} css={{ marginBlockEnd: 6 }}>
      <EuiFlexGroup gutterSize="s" alignItems="center" responsive={false}>
        <EuiFlexItem>
          <EuiFieldText
            fullWidth
            compressed
            className="eui-textFontMono"
            aria-label={`${label} ${at + 1}`}
            list={offered}
            value={text}
            disabled={disabled}
            isInvalid={errors.length > 0}
            onFocus={() => reveal(`${list}[${at}]`)}
            onChange={({ target }) => write(target.value)}
          />
        </EuiFlexItem>
        {builder === undefined ? null : (
          <EuiFlexItem grow={false}>
            <EuiButtonIcon
              iconType="controls"
              color="text"
              aria-expanded={isOpen}
              aria-controls={parts}
              aria-label={i18n.translate('dyno.editor.sentences.parts', {
                defaultMessage: 'Parts of {label} {number}',
                values: { label, number: at + 1 },
              })}
              onClick={onToggle}
            />
          </EuiFlexItem>
        )}
        <EuiFlexItem grow={false}>
          <EuiButtonIcon
            iconType="cross"
            color="text"
            isDisabled={disabled}
            aria-label={i18n.translate('dyno.editor.sentences.remove', {
              defaultMessage: 'Remove {label} {number}',
              values: { label, number: at + 1 },
            })}
            onClick={() => edit([{ path: [list, at], remove: true }])}
          />
        </EuiFlexItem>
      </EuiFlexGroup>
    </EuiFormRow>
  );
  if (builder === undefined) return row;
  return (
    <>
      {row}
      <div id={parts} css={isOpen ? { marginBlockEnd: 12 } : undefined}>
        {isOpen ? builder.draw({ text, disabled, onChange: write }) : null}
      </div>
    </>
  );
}

function Sentences({
  list,
  label,
  help,
  addLabel,
  examples,
  suggestions = [],
  builder,
}: SentencesProps): ReactNode {
  const offered = useGeneratedHtmlId();
  const [opened, setOpened] = useState<number | null>(null);
  const { values, edit, disabled } = useForm();
  const errors = useErrors([list]);
  const present = asList(values[list]);
  const box = useRef<HTMLDivElement>(null);
  const add = (text: string): void => {
    edit([{ path: [list, present.length], value: text }]);
    // The new field is there after the next drawing.
    setTimeout(() => [...(box.current?.querySelectorAll('input') ?? [])].at(-1)?.focus());
  };
  const fresh = examples.filter((example) => !present.includes(example));
  return (
    <EuiFormRow
      fullWidth
      label={label}
      helpText={help}
      isInvalid={errors.length > 0}
      error={errors}
      hasChildLabel={false}
    >
      <div ref={box} role="group" aria-label={label}>
        <datalist id={offered}>
          {suggestions.map((text) => (
            <option key={text} value={text} />
          ))}
        </datalist>
        {present.map((_, at) => (
          <Sentence
            key={at}
            {...{ list, at, label, builder }}
            offered={suggestions.length === 0 ? undefined : offered}
            isOpen={opened === at}
            onToggle={() => setOpened(opened === at ? null : at)}
          />
        ))}
        <EuiFlexGroup gutterSize="s" alignItems="center" wrap responsive={false}>
          {builder === undefined ? null : (
            <EuiFlexItem grow={false}>
              <EuiButtonEmpty
                size="s"
                flush="left"
                iconType="controls"
                isDisabled={disabled}
                onClick={() => {
                  setOpened(present.length);
                  edit([{ path: [list, present.length], value: builder.first }]);
                }}
              >
                {builder.addLabel}
              </EuiButtonEmpty>
            </EuiFlexItem>
          )}
          <EuiFlexItem grow={false}>
            <EuiButtonEmpty
              size="s"
              flush="left"
              iconType="plusCircle"
              isDisabled={disabled}
              onClick={() => add('')}
            >
              {addLabel}
            </EuiButtonEmpty>
          </EuiFlexItem>
          {disabled
            ? null
            : fresh.map((example) => (
                <EuiFlexItem grow={false} key={example} css={{ maxInlineSize: '100%' }}>
                  <EuiBadge
                    color="hollow"
                    iconType="plus"
                    onClick={() => add(example)}
                    onClickAriaLabel={i18n.translate('dyno.editor.sentences.example', {
                      defaultMessage: 'Add {example}',
                      values: { example },
                    })}
                  >
                    {example}
                  </EuiBadge>
                </EuiFlexItem>
              ))}
        </EuiFlexGroup>
      </div>
    </EuiFormRow>
  );
}

/** What claims and thresholds may be of: figures of the task, and of the cluster in their usual way. */
const metricsOf = (task: string): string[] => [
  ...['throughput', 'latency.p50', 'latency.p99', 'rejection_rate'].map((figure) => `${task}.${figure}`),
  ...NODE_METRICS.map(({ name }) => `${CLUSTER}.${name}`),
];

/** In the direction that is hoped for. */
const claimOf = (metric: string, path: string): string =>
  `${metric} ${parseMetric(metric)?.better === 'higher' ? 'rises' : 'falls'} with ${path}`;

export function ConditionsPart(): ReactNode {
  const { values } = useForm();
  const task = asText(asRecord(asList(values['tasks'])[0])['name']) || 'ingest';
  const levels = levelsByFactor(values['factors']);
  const factors = Object.keys(levels);
  const tasks = useMemo(() => tasksNamed(values['tasks']), [values]);
  const counts = (['expect', 'thresholds', 'stop-when'] as const).map((list) => asList(values[list]).length);
  return (
    <FormPart
      title={i18n.translate('dyno.editor.conditions.title', { defaultMessage: 'Claims and limits' })}
      roots={['expect', 'thresholds', 'stop-when']}
      summary={i18n.translate('dyno.editor.conditions.summary', {
        defaultMessage:
          '{claims, plural, one {# claim} other {# claims}}, {limits, plural, one {# threshold} other {# thresholds}}',
        values: { claims: counts[0], limits: counts[1] },
      })}
    >
      <Sentences
        list="expect"
        label={i18n.translate('dyno.editor.expect.label', { defaultMessage: 'Claims' })}
        help={i18n.translate('dyno.editor.expect.help', {
          defaultMessage:
            'The hypothesis in a form that can be tested. It is confirmed when all claims are confirmed.',
        })}
        addLabel={i18n.translate('dyno.editor.expect.add', { defaultMessage: 'Add claim' })}
        suggestions={factors.flatMap((path) => metricsOf(task).map((metric) => claimOf(metric, path)))}
        examples={[
          ...factors.slice(0, 2).map((path) => `${task}.throughput rises with ${path}`),
          ...factors.slice(0, 1).map((path) => claimOf('cluster.merges.count', path)),
        ]}
        builder={
          factors.length === 0
            ? undefined
            : {
                addLabel: i18n.translate('dyno.editor.expect.build', { defaultMessage: 'Build claim' }),
                first: firstClaim(tasks, factors),
                draw: (claim) => <ClaimBuilder {...claim} tasks={tasks} factors={levels} />,
              }
        }
      />
      <EuiSpacer size="m" />
      <Sentences
        list="thresholds"
        label={i18n.translate('dyno.editor.thresholds.label', { defaultMessage: 'Thresholds' })}
        help={i18n.translate('dyno.editor.thresholds.help', { defaultMessage: 'Every cell must meet them.' })}
        addLabel={i18n.translate('dyno.editor.thresholds.add', { defaultMessage: 'Add threshold' })}
        suggestions={metricsOf(task).map((metric) => `${metric} < `)}
        examples={[
          ...[`${task}.rejection_rate < 1%`, `${task}.latency.p99 < 2s`],
          'cluster.heap.busiest < 80%',
        ]}
      />
      <EuiSpacer size="m" />
      <Sentences
        list="stop-when"
        label={i18n.translate('dyno.editor.stopWhen.label', { defaultMessage: 'Stop the run when' })}
        help={i18n.translate('dyno.editor.stopWhen.help', {
          defaultMessage:
            'Watched over the last ten seconds. A red cluster or a full disk always stops a run.',
        })}
        addLabel={i18n.translate('dyno.editor.stopWhen.add', { defaultMessage: 'Add condition' })}
        examples={[`${task}.error_rate > 50%`]}
      />
    </FormPart>
  );
}
