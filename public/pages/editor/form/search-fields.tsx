/** What a search or a transaction asks: a list of searches that comes with Dyno, or searches of one's own. */
import {
  EuiButtonEmpty,
  EuiButtonIcon,
  EuiFlexGroup,
  EuiFlexItem,
  EuiFormRow,
  EuiPanel,
  EuiSelect,
} from '@elastic/eui';
import type { ReactNode } from 'react';
import type { EditPath } from '../../../../common/experiment/text/edit';
import { REQUEST_SETS } from '../../../../common/tasks/requests';
import { i18n } from '../../../i18n';
import { asList, asRecord, asText, useErrors, useForm } from './context';
import type { PartProps } from './described';
import { NumberRow, TextRow } from './fields';
import { Columns } from './part';
import { StructureRow } from './structure-row';

const OWN = 'requests';
const FIRST_REQUEST = { name: 'search', body: { query: { match_all: {} } } };

interface RequestProps {
  path: EditPath;
  name: string;
  only: boolean;
  /** They are drawn by weight; otherwise all are sent in their order. */
  drawn: boolean;
}

function Request({ path, name, only, drawn }: RequestProps): ReactNode {
  const { edit, disabled } = useForm();
  return (
    <EuiPanel
      hasShadow={false}
      hasBorder
      paddingSize="s"
      css={{ marginBlockEnd: 8 }}
      role="group"
      aria-label={name}
    >
      <Columns>
        <TextRow
          path={[...path, 'name']}
          required
          label={i18n.translate('dyno.editor.search.name', { defaultMessage: 'Name' })}
        />
        {drawn ? (
          <NumberRow
            path={[...path, 'weight']}
            min={0}
            step="any"
            placeholder="1"
            label={i18n.translate('dyno.editor.search.weight', { defaultMessage: 'Weight' })}
            help={i18n.translate('dyno.editor.search.weightHelp', {
              defaultMessage: 'How often, relative to the others.',
            })}
          />
        ) : null}
      </Columns>
      <EuiFlexGroup gutterSize="s" alignItems="flexEnd" responsive={false}>
        <EuiFlexItem>
          <StructureRow
            path={[...path, 'body']}
            rows={5}
            label={i18n.translate('dyno.editor.search.body', { defaultMessage: 'Body of the search' })}
          />
        </EuiFlexItem>
        {only ? null : (
          <EuiFlexItem grow={false}>
            <EuiButtonIcon
              iconType="trash"
              color="danger"
              isDisabled={disabled}
              aria-label={i18n.translate('dyno.editor.search.remove', {
                defaultMessage: 'Remove the search {name}',
                values: { name },
              })}
              onClick={() => edit([{ path, remove: true }])}
            />
          </EuiFlexItem>
        )}
      </EuiFlexGroup>
    </EuiPanel>
  );
}

/** A list of which one is drawn each time, by weight. */
export const DrawnSearches = (props: PartProps): ReactNode => (
  <Searches
    {...props}
    drawn
    label={i18n.translate('dyno.editor.search.what', { defaultMessage: 'Searches' })}
  />
);

/** A list of which all are sent each time, in their order. */
export const SearchesInOrder = (props: PartProps): ReactNode => (
  <Searches
    {...props}
    drawn={false}
    label={i18n.translate('dyno.editor.transaction.what', {
      defaultMessage: 'Searches, one after the other',
    })}
  />
);

function Searches({
  path,
  value: search,
  drawn,
  label,
}: PartProps & { drawn: boolean; label: string }): ReactNode {
  const { edit, disabled } = useForm();
  const errors = useErrors(path);
  const requests = asList(search['requests']);
  const isOwn = search['requests'] !== undefined;
  return (
    <>
      <EuiFormRow
        fullWidth
        label={label}
        isInvalid={errors.length > 0}
        error={errors}
        css={{ marginBlockEnd: 16 }}
      >
        <EuiSelect
          fullWidth
          disabled={disabled}
          value={isOwn ? OWN : asText(search['set'])}
          hasNoInitialSelection={!isOwn && search['set'] === undefined}
          onChange={({ target }) =>
            edit([
              { path, value: target.value === OWN ? { requests: [FIRST_REQUEST] } : { set: target.value } },
            ])
          }
          options={[
            ...REQUEST_SETS.map((name) => ({
              value: name,
              text: i18n.translate('dyno.editor.search.set', {
                defaultMessage: 'Dyno’s own list: {name}',
                values: { name },
              }),
            })),
            { value: OWN, text: i18n.translate('dyno.editor.search.own', { defaultMessage: 'Your own' }) },
          ]}
        />
      </EuiFormRow>
      {requests.map((request, index) => (
        <Request
          key={index}
          path={[...path, 'requests', index]}
          name={asText(asRecord(request)['name'])}
          only={requests.length === 1}
          drawn={drawn}
        />
      ))}
      {isOwn ? (
        <EuiButtonEmpty
          size="s"
          flush="left"
          iconType="plusCircle"
          isDisabled={disabled}
          onClick={() =>
            edit([
              {
                path: [...path, 'requests', requests.length],
                value: { ...FIRST_REQUEST, name: `search-${requests.length + 1}` },
              },
            ])
          }
        >
          {i18n.translate('dyno.editor.search.add', { defaultMessage: 'Add search' })}
        </EuiButtonEmpty>
      ) : null}
    </>
  );
}
