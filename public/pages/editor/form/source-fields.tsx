/** Where an ingestion has its documents from: a generator, a profile, a file, or a set of vectors. */
import type { ReactNode } from 'react';
import type { EditPath } from '../../../../common/experiment/text/edit';
import { GENERATORS } from '../../../../common/generators/registry';
import { useApp } from '../../../app/context';
import { i18n } from '../../../i18n';
import { asRecord, asText, useForm } from './context';
import type { PartProps } from './described';
import { DocumentPreviewPart } from './document-preview';
import { ChoiceRow, SelectRow, SwitchRow, TextRow } from './fields';
import { Columns } from './part';
import { StructureRow } from './structure-row';

const FROM_FILE = 'file:';
const VECTORS = 'vectors:';
const PROFILE = 'profile:';
const FIRST_PROFILE = 'learned.profile.json';
const FIRST_VECTORS = { dimensions: 96, clusters: 100 };

/** `path` and `value` are those of the work. */
export function SourceFields({ path: work, value }: PartProps): ReactNode {
  const { edit } = useForm();
  const { host } = useApp();
  const path: EditPath = [...work, 'source'];
  const source = asRecord(value['source']);
  const isFile = source['file'] !== undefined;
  const isVectors = source['vectors'] !== undefined;
  const isProfile = typeof source['generator'] === 'object' && source['generator'] !== null;
  const choose = (value: string): void =>
    edit(
      value === FROM_FILE
        ? [{ path, value: { file: 'documents.ndjson', repeat: true } }]
        : value === VECTORS
          ? [{ path, value: { vectors: FIRST_VECTORS } }]
          : value === PROFILE
            ? [{ path, value: { generator: { profile: FIRST_PROFILE } } }]
            : isFile || isVectors || isProfile
              ? [{ path, value: { generator: value } }]
              : [{ path: [...path, 'generator'], value }],
    );
  return (
    <>
      <ChoiceRow
        path={path}
        label={i18n.translate('dyno.editor.source.label', { defaultMessage: 'Documents' })}
        chosen={
          isFile
            ? FROM_FILE
            : isVectors
              ? VECTORS
              : isProfile
                ? PROFILE
                : asText(source['generator']) || undefined
        }
        onChoose={choose}
        options={[
          ...GENERATORS.map(({ name, label }) => ({ value: name as string, text: i18n.say(label) })),
          {
            value: PROFILE,
            text: i18n.translate('dyno.editor.source.profile', {
              defaultMessage: 'Like your own documents (a profile of dyno learn)',
            }),
          },
          {
            value: VECTORS,
            text: i18n.translate('dyno.editor.source.vectors', { defaultMessage: 'Vectors' }),
          },
          {
            value: FROM_FILE,
            text: i18n.translate('dyno.editor.source.file', { defaultMessage: 'From a file' }),
          },
        ]}
      />
      {isProfile ? (
        <Columns>
          <TextRow
            path={[...path, 'generator', 'profile']}
            required
            label={i18n.translate('dyno.editor.source.profileFile', { defaultMessage: 'Profile' })}
            help={i18n.translate('dyno.editor.source.profileHelp', {
              defaultMessage:
                '{place} dyno learn writes it, and a definition with the mapping that its documents need.',
              values: { place: host.filesPlace() },
            })}
          />
          <SelectRow
            path={[...path, 'generator', 'time']}
            fallback="now"
            label={i18n.translate('dyno.editor.source.profileTime', { defaultMessage: 'Times' })}
            options={[
              {
                value: 'now',
                text: i18n.translate('dyno.editor.source.profileNow', {
                  defaultMessage: 'At which documents are made',
                }),
              },
              {
                value: 'learned',
                text: i18n.translate('dyno.editor.source.profileLearned', {
                  defaultMessage: 'As far apart as in your documents',
                }),
              },
            ]}
          />
        </Columns>
      ) : null}
      {isVectors ? (
        <StructureRow
          path={[...path, 'vectors']}
          rows={2}
          placeholder="dimensions: 96"
          label={i18n.translate('dyno.editor.source.vectorSet', { defaultMessage: 'Set of vectors' })}
        />
      ) : null}
      {isFile ? (
        <>
          <Columns>
            <TextRow
              path={[...path, 'file']}
              required
              label={i18n.translate('dyno.editor.source.path', { defaultMessage: 'File' })}
              help={i18n.translate('dyno.editor.source.pathHelp', {
                defaultMessage: '{place} .gz and .zst are unpacked.',
                values: { place: host.filesPlace() },
              })}
            />
            <SelectRow
              path={[...path, 'format']}
              fallback="ndjson"
              label={i18n.translate('dyno.editor.source.format', { defaultMessage: 'Format' })}
              options={[
                {
                  value: 'ndjson',
                  text: i18n.translate('dyno.editor.source.ndjson', {
                    defaultMessage: 'One JSON document per line',
                  }),
                },
                {
                  value: 'lines',
                  text: i18n.translate('dyno.editor.source.lines', { defaultMessage: 'Plain lines' }),
                },
              ]}
            />
          </Columns>
          <SwitchRow
            path={[...path, 'repeat']}
            label={i18n.translate('dyno.editor.source.repeat', {
              defaultMessage: 'Start again at the end of the file',
            })}
          />
        </>
      ) : null}
      <DocumentPreviewPart source={value['source']} />
    </>
  );
}
