/** How long is measured, how often, in which order. */
import { EuiFormRow, EuiSelect, EuiSpacer } from '@elastic/eui';
import type { ReactNode } from 'react';
import { DEFAULT_PATIENCE } from '../../../../common/experiment/definition';
import { i18n } from '../../../i18n';
import { asRecord, asText, useErrors, useForm } from './context';
import { NumberRow, SelectRow, SwitchRow, TextRow } from './fields';
import { Advanced, Columns, FormPart } from './part';
import { Recipe } from './recipe';

function End(): ReactNode {
  const { values, edit, disabled } = useForm();
  const measure = asRecord(values['measure']);
  const byDocuments = measure['documents'] !== undefined;
  const ofMeasure = useErrors(['measure']);
  const ofDocuments = useErrors(['measure', 'documents']);
  // A number that is asked for and not there has no field of its own.
  const errors = byDocuments ? ofMeasure : [...ofMeasure, ...ofDocuments];
  return (
    <Columns>
      <EuiFormRow
        label={i18n.translate('dyno.editor.measure.end', { defaultMessage: 'A trial is measured for' })}
        isInvalid={errors.length > 0}
        error={errors}
      >
        <EuiSelect
          disabled={disabled}
          value={byDocuments ? 'documents' : 'duration'}
          onChange={({ target }) =>
            edit(
              target.value === 'documents'
                ? [
                    { path: ['measure', 'documents'], value: 1_000_000 },
                    { path: ['measure', 'duration'], remove: true },
                  ]
                : [
                    { path: ['measure', 'duration'], value: '5m' },
                    { path: ['measure', 'documents'], remove: true },
                  ],
            )
          }
          options={[
            {
              value: 'duration',
              text: i18n.translate('dyno.editor.measure.time', { defaultMessage: 'a time' }),
            },
            {
              value: 'documents',
              text: i18n.translate('dyno.editor.measure.count', { defaultMessage: 'documents' }),
            },
          ]}
        />
      </EuiFormRow>
      {byDocuments ? (
        <NumberRow
          path={['measure', 'documents']}
          min={1}
          label={i18n.translate('dyno.editor.measure.documents', { defaultMessage: 'Documents' })}
        />
      ) : (
        <TextRow
          path={['measure', 'duration']}
          placeholder="5m"
          label={i18n.translate('dyno.editor.measure.duration', { defaultMessage: 'Time' })}
        />
      )}
      <TextRow
        path={['measure', 'warmup']}
        placeholder={byDocuments ? '0s' : '30s'}
        label={i18n.translate('dyno.editor.measure.warmup', { defaultMessage: 'Warm-up before each' })}
      />
    </Columns>
  );
}

/** What the head of the part says of them. */
const trialsShown = (trials: unknown): string => {
  const until = asRecord(trials)['until-decided'];
  return until === undefined ? asText(trials ?? 3) : `≤ ${asText(asRecord(until)['most'] ?? 20)}`;
};

const UNTIL = ['trials', 'until-decided'];

/** A number of them, or as many as it takes. */
function Trials(): ReactNode {
  const { values, edit, disabled } = useForm();
  const trials = values['trials'];
  const isOpen = asRecord(trials)['until-decided'] !== undefined;
  const label = i18n.translate('dyno.editor.measure.trials', { defaultMessage: 'Trials of each cell' });
  return (
    <Columns>
      <EuiFormRow label={label}>
        <EuiSelect
          disabled={disabled}
          value={isOpen ? 'until' : 'number'}
          onChange={({ target }) =>
            edit([
              { path: ['trials'], value: target.value === 'until' ? { 'until-decided': { most: 20 } } : 3 },
            ])
          }
          options={[
            {
              value: 'number',
              text: i18n.translate('dyno.editor.measure.fixed', { defaultMessage: 'a number' }),
            },
            {
              value: 'until',
              text: i18n.translate('dyno.editor.measure.until', {
                defaultMessage: 'until the claims are decided',
              }),
            },
          ]}
        />
      </EuiFormRow>
      {isOpen ? (
        <>
          <NumberRow
            path={[...UNTIL, 'least']}
            min={3}
            max={50}
            placeholder="3"
            label={i18n.translate('dyno.editor.measure.least', { defaultMessage: 'At least' })}
          />
          <NumberRow
            path={[...UNTIL, 'most']}
            min={3}
            max={50}
            placeholder="20"
            label={i18n.translate('dyno.editor.measure.most', { defaultMessage: 'At most' })}
          />
          <TextRow
            path={[...UNTIL, 'time']}
            placeholder={i18n.translate('dyno.editor.measure.noLimit', { defaultMessage: 'no limit' })}
            help={i18n.translate('dyno.editor.measure.timeHelp', {
              defaultMessage: 'No repetition begins later than this after the start of the run.',
            })}
            label={i18n.translate('dyno.editor.measure.runTime', { defaultMessage: 'Time for the run' })}
          />
        </>
      ) : (
        <NumberRow
          path={['trials']}
          min={1}
          max={1000}
          placeholder="3"
          label={i18n.translate('dyno.editor.measure.number', { defaultMessage: 'Number' })}
        />
      )}
    </Columns>
  );
}

function Order(): ReactNode {
  return (
    <>
      <Columns>
        <SelectRow
          path={['order']}
          fallback="interleaved"
          label={i18n.translate('dyno.editor.measure.order', { defaultMessage: 'Order of the trials' })}
          options={[
            {
              value: 'interleaved',
              text: i18n.translate('dyno.editor.measure.interleaved', { defaultMessage: 'Cells in turn' }),
            },
            {
              value: 'randomised',
              text: i18n.translate('dyno.editor.measure.randomised', { defaultMessage: 'Random' }),
            },
            {
              value: 'sequential',
              text: i18n.translate('dyno.editor.measure.sequential', { defaultMessage: 'Cell after cell' }),
            },
          ]}
        />
        <NumberRow
          path={['margin']}
          min={0}
          max={100}
          step="any"
          scale={100}
          append="%"
          placeholder="5"
          label={i18n.translate('dyno.editor.measure.margin', {
            defaultMessage: 'Differences below this are none',
          })}
        />
        <NumberRow
          path={['seed']}
          min={0}
          placeholder="1"
          label={i18n.translate('dyno.editor.measure.seed', { defaultMessage: 'Seed' })}
          help={i18n.translate('dyno.editor.measure.seedHelp', {
            defaultMessage: 'The same seed makes the same documents.',
          })}
        />
      </Columns>
      <Columns>
        <SelectRow
          path={['measure', 'caches']}
          fallback=""
          label={i18n.translate('dyno.editor.measure.caches', {
            defaultMessage: 'Caches when the measured phase begins',
          })}
          help={i18n.translate('dyno.editor.measure.cachesHelp', {
            defaultMessage: 'Cold trials have no warm-up.',
          })}
          options={[
            {
              value: '',
              text: i18n.translate('dyno.editor.measure.cachesAsTheyAre', { defaultMessage: 'as they are' }),
            },
            {
              value: 'cold',
              text: i18n.translate('dyno.editor.measure.cold', { defaultMessage: 'cold: emptied' }),
            },
            {
              value: 'warm',
              text: i18n.translate('dyno.editor.measure.warm', { defaultMessage: 'warm by the warm-up' }),
            },
          ]}
        />
      </Columns>
      <Columns>
        <TextRow
          path={['measure', 'burn-in']}
          placeholder="0s"
          label={i18n.translate('dyno.editor.measure.burnIn', { defaultMessage: 'Burn-in of the cluster' })}
          help={i18n.translate('dyno.editor.measure.burnInHelp', {
            defaultMessage: 'Once, before the first trial.',
          })}
        />
        <TextRow
          path={['measure', 'drain']}
          placeholder="30s"
          label={i18n.translate('dyno.editor.measure.drain', { defaultMessage: 'Wait for late answers' })}
        />
        <TextRow
          path={['request-timeout']}
          placeholder="60s"
          label={i18n.translate('dyno.editor.measure.timeout', { defaultMessage: 'Requests fail after' })}
        />
      </Columns>
      <Columns>
        <NumberRow
          path={['measure', 'force-merge']}
          min={1}
          max={1000}
          label={i18n.translate('dyno.editor.measure.forceMerge', {
            defaultMessage: 'Segments a shard is merged into afterwards',
          })}
          help={i18n.translate('dyno.editor.measure.forceMergeHelp', {
            defaultMessage: 'Before bytes and segments are read, after everything else.',
          })}
        />
        <SwitchRow
          path={['measure', 'disk-usage']}
          label={i18n.translate('dyno.editor.measure.diskUsage', {
            defaultMessage: 'Read the bytes of each field afterwards',
          })}
        />
      </Columns>
      <Columns>
        <TextRow
          path={['patience']}
          placeholder={DEFAULT_PATIENCE}
          label={i18n.translate('dyno.editor.measure.patience', {
            defaultMessage: 'Wait for a target that is away',
          })}
          help={i18n.translate('dyno.editor.measure.patienceHelp', {
            defaultMessage: 'A trial that an outage hits is repeated at the end.',
          })}
        />
        <SelectRow
          path={['on-interruption']}
          fallback="end"
          label={i18n.translate('dyno.editor.measure.interruption', {
            defaultMessage: 'If Dyno is interrupted',
          })}
          options={[
            {
              value: 'end',
              text: i18n.translate('dyno.editor.measure.stop', { defaultMessage: 'end the run' }),
            },
            {
              value: 'continue',
              text: i18n.translate('dyno.editor.measure.goOn', {
                defaultMessage: 'go on with the next trial',
              }),
            },
          ]}
        />
      </Columns>
      <Columns>
        <NumberRow
          path={['load', 'seats']}
          min={1}
          placeholder="1"
          label={i18n.translate('dyno.editor.measure.seats', {
            defaultMessage: 'Machines that generate the load',
          })}
          help={i18n.translate('dyno.editor.measure.seatsHelp', {
            defaultMessage:
              'More than one: workers on other machines take part, and the results need another cluster than the target.',
          })}
        />
        <SelectRow
          path={['spread']}
          fallback="data-nodes"
          label={i18n.translate('dyno.editor.measure.spread', { defaultMessage: 'Requests go to' })}
          options={[
            {
              value: 'data-nodes',
              text: i18n.translate('dyno.editor.measure.dataNodes', {
                defaultMessage: 'all data nodes in turn',
              }),
            },
            {
              value: 'given-hosts',
              text: i18n.translate('dyno.editor.measure.givenHosts', {
                defaultMessage: "the target's hosts in turn",
              }),
            },
            {
              value: 'one-host',
              text: i18n.translate('dyno.editor.measure.oneHost', { defaultMessage: 'the first host alone' }),
            },
          ]}
        />
      </Columns>
    </>
  );
}

export function MeasurePart(): ReactNode {
  const { values } = useForm();
  const measure = asRecord(values['measure']);
  const documents = measure['documents'];
  const length = documents === undefined ? asText(measure['duration'] ?? '5m') : asText(documents);
  return (
    <FormPart
      title={i18n.translate('dyno.editor.measure.title', { defaultMessage: 'Measurement' })}
      roots={[
        'measure',
        'trials',
        'order',
        'seed',
        'margin',
        'load',
        'spread',
        'request-timeout',
        'patience',
        'on-interruption',
      ]}
      summary={`${trialsShown(values['trials'])} × ${length}`}
    >
      <End />
      <Trials />
      <Recipe />
      <EuiSpacer size="m" />
      <Advanced>
        <Order />
      </Advanced>
    </FormPart>
  );
}
