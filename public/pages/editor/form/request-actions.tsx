/** Buttons of a request: one sends it once, the other replaces it with an example. */
import { EuiButtonEmpty, EuiConfirmModal, EuiFlexGroup, EuiFlexItem, useGeneratedHtmlId } from '@elastic/eui';
import { useState, type ReactNode } from 'react';
import { sameValue } from '../../../../common/experiment/text/values';
import { plainValue } from '../../../../common/json/exact';
import type { RequestExample } from '../../../../common/requests/kind';
import { requestKind } from '../../../../common/requests/registry';
import { BODY, FIRST_SEARCH, workKey } from '../../../../common/tasks/request-rows';
import { i18n } from '../../../i18n';
import { isUnreadWithin } from '../unread';
import { asRecord, asText, useForm, valueAtPath, type PartProps } from './context';
import { TryRequest } from './try-request';

export function RequestActions({ path, value: request }: PartProps): ReactNode {
  const { edit, disabled, values, unread } = useForm();
  const key = workKey(request, path.at(-2) === 'list');
  if (key === undefined) return null;
  const { first, example } = requestKind(key === BODY ? 'search' : key);
  const { request: whole, expect, parameters = {} } = example as RequestExample<{ body?: unknown }>;
  const exampleWork = key === BODY ? whole.body : whole;
  /** Path of the object in the task that contains the request and its parameters. */
  const work = path.slice(0, -2);
  const insertExample = (): void => {
    const known = asRecord(asRecord(valueAtPath(values, work))['parameters']);
    const own = [...path, 'expect'];
    edit([
      { path: [...path, key], value: exampleWork },
      expect === undefined ? { path: own, remove: true } : { path: own, value: expect },
      ...Object.entries(parameters)
        .filter(([parameter]) => known[parameter] === undefined)
        .map(([parameter, value]) => ({ path: [...work, 'parameters', parameter], value })),
    ]);
  };
  return (
    <EuiFlexGroup gutterSize="s" responsive={false} wrap>
      <EuiFlexItem grow={false}>
        {/* Disabled while a field shows a text that is not in the definition, because Dyno sends the request in the definition. */}
        <TryRequest path={path} disabled={disabled || isUnreadWithin(unread, work)} />
      </EuiFlexItem>
      <EuiFlexItem grow={false}>
        <InsertExample
          name={asText(request['name'])}
          disabled={disabled}
          replaces={
            isUnreadWithin(unread, path) ||
            isOwn(request[key], exampleWork, key === BODY ? FIRST_SEARCH.body : first) ||
            isOwn(request['expect'], expect)
          }
          onInsert={insertExample}
        />
      </EuiFlexItem>
    </EuiFlexGroup>
  );
}

/**
 * Returns whether the user has written this text. The answer is no for an empty text, and for texts in `known`, which Dyno inserts itself.
 */
const isOwn = (written: unknown, ...known: unknown[]): boolean =>
  Object.keys(Object(written ?? {})).length > 0 &&
  !known.some((value) => sameValue(plainValue(written), value));

interface InsertExampleProps {
  /** Name of the request. */
  name: string;
  disabled: boolean;
  /** Whether the example replaces a text that the user has written. The user is then asked for confirmation. */
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
                'The example replaces the request and the conditions on its answer (expect). Undo restores both.',
            })}
          </p>
        </EuiConfirmModal>
      ) : null}
    </>
  );
}
