/** Documents that are in the indices before anything is measured. */
import { EuiSpacer, EuiText } from '@elastic/eui';
import type { ReactNode } from 'react';
import { formatNumber } from '../../../../common/units/format';
import { i18n } from '../../../i18n';
import { asRecord, useForm } from './context';
import { NumberRow, SelectRow, TextRow } from './fields';
import { Columns, FormPart } from './part';
import { StructureRow } from './structure-row';

export function PreloadPart(): ReactNode {
  const { values } = useForm();
  const preload = asRecord(values['preload']);
  const { documents } = preload;
  const isGiven = Object.keys(preload).length > 0;
  return (
    <FormPart
      title={i18n.translate('dyno.editor.preload.title', { defaultMessage: 'Documents loaded beforehand' })}
      roots={['preload']}
      summary={
        typeof documents === 'number'
          ? formatNumber(documents)
          : i18n.translate('dyno.editor.preload.none', { defaultMessage: 'none' })
      }
      startsOpen={false}
    >
      <EuiText size="xs" color="subdued">
        <p>
          {i18n.translate('dyno.editor.preload.note', {
            defaultMessage:
              'They are loaded, refreshed and merged before a trial begins. None of this is measured.',
          })}
        </p>
      </EuiText>
      <EuiSpacer size="m" />
      <Columns>
        <NumberRow
          path={['preload', 'documents']}
          min={1}
          placeholder="0"
          label={i18n.translate('dyno.editor.preload.documents', { defaultMessage: 'Documents' })}
        />
        {isGiven ? (
          <NumberRow
            path={['preload', 'force-merge']}
            min={1}
            max={1000}
            label={i18n.translate('dyno.editor.preload.forceMerge', {
              defaultMessage: 'Merge to segments of each shard',
            })}
          />
        ) : null}
        {isGiven ? (
          <TextRow
            path={['preload', 'routing', 'field']}
            label={i18n.translate('dyno.editor.preload.routing', { defaultMessage: 'Routing by the field' })}
            help={i18n.translate('dyno.editor.preload.routingHelp', {
              defaultMessage:
                'Documents with the same value go to the same shard. Without it, their ids decide.',
            })}
          />
        ) : null}
      </Columns>
      {isGiven ? (
        <>
          <SelectRow
            wide
            path={['preload', 'reuse']}
            fallback="never"
            label={i18n.translate('dyno.editor.preload.reuse', { defaultMessage: 'Loaded' })}
            options={[
              {
                value: 'never',
                text: i18n.translate('dyno.editor.preload.never', { defaultMessage: 'for every trial' }),
              },
              {
                value: 'copy',
                text: i18n.translate('dyno.editor.preload.copy', {
                  defaultMessage: 'once, with a copy for each trial',
                }),
              },
              {
                value: 'same',
                text: i18n.translate('dyno.editor.preload.same', {
                  defaultMessage: 'once, shared by all trials (searches only)',
                }),
              },
            ]}
          />
          <EuiSpacer size="m" />
          <StructureRow
            path={['preload', 'source']}
            rows={2}
            optional
            placeholder="generator: systembase"
            label={i18n.translate('dyno.editor.preload.source', {
              defaultMessage: 'Source, as YAML or JSON',
            })}
            help={i18n.translate('dyno.editor.preload.sourceHelp', {
              defaultMessage: 'Without it, the source of the first ingest task.',
            })}
          />
        </>
      ) : null}
    </FormPart>
  );
}
