/** What a task asks: a list of searches that comes with Dyno, searches of one's own, or requests of any kind. */
import {
  EuiButtonEmpty,
  EuiButtonIcon,
  EuiConfirmModal,
  EuiFlexGroup,
  EuiFlexItem,
  EuiFormErrorText,
  EuiPanel,
  EuiSpacer,
  useGeneratedHtmlId,
} from '@elastic/eui';
import { useState, type ReactNode } from 'react';
import type { EditPath } from '../../../../common/experiment/text/edit';
import { sameValue } from '../../../../common/experiment/text/values';
import { plainValue } from '../../../../common/json/exact';
import type { RequestExample } from '../../../../common/requests/kind';
import { REQUEST_KINDS } from '../../../../common/requests/registry';
import { REQUEST_SETS } from '../../../../common/tasks/request-sets';
import { i18n } from '../../../i18n';
import { asList, asRecord, asText, useErrors, useForm, valueAtPath } from './context';
import type { PartProps } from './described';
import { ChoiceRow, NumberRow, TextRow } from './fields';
import { LinesRow } from './lines-row';
import { Columns } from './part';
import { StructureRow } from './structure-row';
import { TryRequest } from './try-request';
import { isUnreadWithin } from '../unread';

const OWN = 'requests';
const FIRST_SEARCH = { name: 'search', body: { query: { match_all: {} } } };

/** Of which requests a list may consist: searches by their body, requests by their kind, or both. */
type Written = 'search' | 'kind' | 'either';
const BODY = 'body';

interface RequestProps {
  path: EditPath;
  request: Record<string, unknown>;
  only: boolean;
  /** They are drawn by weight; otherwise all are sent in their order. */
  drawn: boolean;
  written: Written;
}

function Request({ path, request, only, drawn, written }: RequestProps): ReactNode {
  const { edit, disabled, values, unread } = useForm();
  const name = asText(request['name']);
  const all = kindOptions();
  // A search may be written by its body alone: shown once, whichever way it is written.
  const offered =
    written === 'kind' || request['search'] !== undefined
      ? all
      : all.map(({ value, text }) => ({ value: value === 'search' ? BODY : value, text }));
  const given = offered.find(({ value }) => request[value] !== undefined)?.value;
  const shown = given ?? (written === 'kind' ? undefined : BODY);
  const choose = (kind: string): void => {
    const first = kind === BODY ? FIRST_SEARCH.body : REQUEST_KINDS.find((one) => one.name === kind)!.first;
    const gone = given === undefined ? [] : given === BODY ? [BODY, 'params'] : [given];
    edit([
      { path: [...path, kind], value: first },
      ...gone.map((key) => ({ path: [...path, key], remove: true as const })),
    ]);
  };
  const named = REQUEST_KINDS.find((one) => one.name === (shown === BODY ? 'search' : shown));
  const {
    request: example,
    expect,
    parameters = {},
  } = (named?.example ?? { request: {} }) as RequestExample<{
    body?: unknown;
  }>;
  const exampleWork = shown === BODY ? example.body : example;
  const insertExample = (): void => {
    const work = path.slice(0, -2);
    const known = asRecord(asRecord(valueAtPath(values, work))['parameters']);
    const own = [...path, 'expect'];
    edit([
      { path: [...path, shown!], value: exampleWork },
      expect === undefined ? { path: own, remove: true } : { path: own, value: expect },
      ...Object.entries(parameters)
        .filter(([parameter]) => known[parameter] === undefined)
        .map(([parameter, value]) => ({ path: [...work, 'parameters', parameter], value })),
    ]);
  };
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
      {written === 'search' ? null : (
        <ChoiceRow
          path={path}
          label={i18n.translate('dyno.editor.request.kind', { defaultMessage: 'Kind of request' })}
          chosen={shown}
          onChoose={choose}
          options={offered}
        />
      )}
      <EuiFlexGroup gutterSize="s" alignItems="flexEnd" responsive={false}>
        <EuiFlexItem>
          {shown === undefined ? null : (
            <StructureRow
              key={shown}
              path={[...path, shown]}
              rows={shown === BODY ? 5 : 4}
              label={
                shown === BODY
                  ? i18n.translate('dyno.editor.search.body', { defaultMessage: 'Body of the search' })
                  : i18n.translate('dyno.editor.request.work', { defaultMessage: 'What is sent' })
              }
            />
          )}
        </EuiFlexItem>
        {only ? null : (
          <EuiFlexItem grow={false}>
            <EuiButtonIcon
              iconType="trash"
              color="danger"
              isDisabled={disabled}
              aria-label={i18n.translate('dyno.editor.search.remove', {
                defaultMessage: 'Remove {name}',
                values: { name },
              })}
              onClick={() => edit([{ path, remove: true }])}
            />
          </EuiFlexItem>
        )}
      </EuiFlexGroup>
      <EuiSpacer size="s" />
      <LinesRow
        path={[...path, 'expect']}
        rows={1}
        label={i18n.translate('dyno.editor.request.expect', { defaultMessage: 'The answer must hold' })}
        help={i18n.translate('dyno.editor.request.expectHelp', {
          defaultMessage: 'One condition a line; an answer that misses one counts as failed.',
        })}
        placeholder="hits.total.value > 0"
      />
      {named === undefined ? null : (
        <EuiFlexGroup gutterSize="s" responsive={false} wrap>
          <EuiFlexItem grow={false}>
            {/* What is sent is what the definition has, so not while a field shows something else. */}
            <TryRequest path={path} disabled={disabled || isUnreadWithin(unread, path.slice(0, -2))} />
          </EuiFlexItem>
          <EuiFlexItem grow={false}>
            <InsertExample
              name={name}
              disabled={disabled}
              replaces={
                isUnreadWithin(unread, path) ||
                isOwn(request[shown!], exampleWork, shown === BODY ? FIRST_SEARCH.body : named.first) ||
                isOwn(request['expect'], expect)
              }
              onInsert={insertExample}
            />
          </EuiFlexItem>
        </EuiFlexGroup>
      )}
    </EuiPanel>
  );
}

/** Whether somebody has written it: it is not empty, and none of `known`, which Dyno puts there. */
const isOwn = (written: unknown, ...known: unknown[]): boolean =>
  Object.keys(Object(written ?? {})).length > 0 &&
  !known.some((value) => sameValue(plainValue(written), value));

interface InsertExampleProps {
  /** Of the request. */
  name: string;
  disabled: boolean;
  /** Whether it replaces what somebody has written, so that it asks first. */
  replaces: boolean;
  onInsert: () => void;
}

function InsertExample({ name, disabled, replaces, onInsert }: InsertExampleProps): ReactNode {
  const [asks, setAsks] = useState(false);
  const title = useGeneratedHtmlId();
  return (
    <>
      <EuiButtonEmpty
        size="s"
        iconType="copy"
        isDisabled={disabled}
        onClick={() => (replaces ? setAsks(true) : onInsert())}
      >
        {i18n.translate('dyno.editor.request.example', { defaultMessage: 'Insert example' })}
      </EuiButtonEmpty>
      {asks ? (
        <EuiConfirmModal
          aria-labelledby={title}
          titleProps={{ id: title }}
          title={i18n.translate('dyno.editor.request.replaceTitle', {
            defaultMessage: 'Replace {name} with the example?',
            values: { name },
          })}
          onCancel={() => setAsks(false)}
          onConfirm={() => {
            setAsks(false);
            onInsert();
          }}
          buttonColor="danger"
          defaultFocusedButton="cancel"
          cancelButtonText={i18n.translate('dyno.editor.request.keep', { defaultMessage: 'Keep it' })}
          confirmButtonText={i18n.translate('dyno.editor.request.replace', { defaultMessage: 'Replace' })}
        >
          <p>
            {i18n.translate('dyno.editor.request.replaceBody', {
              defaultMessage:
                'The example replaces what is sent and what the answer must hold. Undo brings both back.',
            })}
          </p>
        </EuiConfirmModal>
      ) : null}
    </>
  );
}

const kindOptions = (): { value: string; text: string }[] =>
  REQUEST_KINDS.map(({ name, label }) => ({ value: name, text: i18n.say(label) }));

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

/** Requests of any kind, of which one is drawn each time, by weight. */
export const DrawnRequests = ({ path, value }: PartProps): ReactNode => (
  <RequestList
    path={[...path, 'list']}
    requests={asList(value['list'])}
    drawn
    written="kind"
    first={{ name: 'count', count: REQUEST_KINDS.find(({ name }) => name === 'count')!.first }}
    add={i18n.translate('dyno.editor.requests.add', { defaultMessage: 'Add request' })}
  />
);

function Searches({
  path,
  value: search,
  drawn,
  label,
}: PartProps & { drawn: boolean; label: string }): ReactNode {
  const { edit } = useForm();
  const isOwn = search['requests'] !== undefined;
  const set = search['set'];
  return (
    <>
      <ChoiceRow
        path={path}
        label={label}
        chosen={isOwn ? OWN : set === undefined ? undefined : asText(set)}
        onChoose={(chosen) =>
          edit([{ path, value: chosen === OWN ? { requests: [FIRST_SEARCH] } : { set: chosen } }])
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
      {isOwn ? (
        <RequestList
          path={[...path, OWN]}
          requests={asList(search[OWN])}
          drawn={drawn}
          written={drawn ? 'search' : 'either'}
          first={FIRST_SEARCH}
          add={i18n.translate('dyno.editor.search.add', { defaultMessage: 'Add search' })}
        />
      ) : null}
    </>
  );
}

interface RequestListProps {
  path: EditPath;
  requests: unknown[];
  drawn: boolean;
  written: Written;
  /** What is added, under another name. */
  first: { name: string; [key: string]: unknown };
  add: string;
}

function RequestList({ path, requests, drawn, written, first, add }: RequestListProps): ReactNode {
  const { edit, disabled } = useForm();
  const errors = useErrors(path);
  return (
    <>
      {errors.length > 0 ? <EuiFormErrorText>{errors.join(' ')}</EuiFormErrorText> : null}
      {requests.map((request, index) => (
        <Request
          key={index}
          path={[...path, index]}
          request={asRecord(request)}
          only={requests.length === 1}
          drawn={drawn}
          written={written}
        />
      ))}
      <EuiButtonEmpty
        size="s"
        flush="left"
        iconType="plusCircle"
        isDisabled={disabled}
        onClick={() =>
          edit([
            {
              path: [...path, requests.length],
              value: { ...first, name: `${first.name}-${requests.length + 1}` },
            },
          ])
        }
      >
        {add}
      </EuiButtonEmpty>
    </>
  );
}
