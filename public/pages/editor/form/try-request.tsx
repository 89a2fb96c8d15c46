/** Sends a request of the definition once and shows the response: a button, and the flyout that it opens. */
import {
  EuiButton,
  EuiButtonEmpty,
  EuiCallOut,
  EuiCodeBlock,
  EuiComboBox,
  EuiFlexGroup,
  EuiFlexItem,
  EuiFlyout,
  EuiFlyoutBody,
  EuiFlyoutFooter,
  EuiFlyoutHeader,
  EuiFormRow,
  EuiRadioGroup,
  EuiSpacer,
  EuiText,
  EuiTitle,
  useGeneratedHtmlId,
} from '@elastic/eui';
import { useState, type ReactNode } from 'react';
import { LOCAL_TARGET } from '../../../../common/api/targets';
import type { TriedRequest, TriedStep } from '../../../../common/api/tries';
import type { EditPath } from '../../../../common/experiment/text/edit';
import { parseExact, stringifyExact } from '../../../../common/json/exact';
import { formatBytes, formatMs } from '../../../../common/units/format';
import type { RouteRequest } from '../../../../common/api/route';
import type { Api } from '../../../../common/api';
import { useApi, useApiChange } from '../../../api/queries';
import { i18n } from '../../../i18n';
import { ProblemList } from '../../../ui/problems';
import { asRecord, asText, useForm, valueAtPath } from './context';

type TryBody = RouteRequest<Api['tryRequest']>['body'];

/** For each target, the name of the index to which the last request was sent. It is forgotten when the page is reloaded. */
const lastIndex = new Map<string, string>();

/**
 * Button that opens a flyout, in which the user sends a request. `path`: path of the request in the definition. The current text is sent,
 * whether it is saved or not.
 */
export function TryRequest({ path, disabled }: { path: EditPath; disabled: boolean }): ReactNode {
  const [open, setOpen] = useState(false);
  return (
    <>
      <EuiButtonEmpty size="s" iconType="play" isDisabled={disabled} onClick={() => setOpen(true)}>
        {i18n.translate('dyno.editor.try.open', { defaultMessage: 'Try it' })}
      </EuiButtonEmpty>
      {open ? <TryFlyout path={path} onClose={() => setOpen(false)} /> : null}
    </>
  );
}

/**
 * Returns the HTTP body with which Dyno's server is asked to send a request of the definition once. The values are not checked here,
 * because the server reports invalid ones.
 */
function bodyOf(
  values: Record<string, unknown>,
  path: EditPath,
  /** Name of an existing index for the request. Null if the request is sent to a temporary index, which is created as in a trial. */
  index: string | null,
  draw: number,
): TryBody {
  // The weight has no effect on a request that is sent once.
  const request: unknown = { ...asRecord(valueAtPath(values, path)), weight: undefined };
  const { parameters, window } = asRecord(valueAtPath(values, path.slice(0, -2)));
  const where = index === null ? { definition: values } : { index: index || undefined };
  const given = { request, parameters, window, seed: values['seed'], draw, ...where };
  return given as TryBody;
}

function TryFlyout({ path, onClose }: { path: EditPath; onClose: () => void }): ReactNode {
  const { values } = useForm();
  const target = values['target'] === undefined ? LOCAL_TARGET : asText(values['target']);
  const existing = asText(asRecord(values['index'])['existing']);
  const [index, setIndex] = useState(existing || (lastIndex.get(target) ?? ''));
  const [isTemporary, setTemporary] = useState(existing === '');
  const [draw, setDraw] = useState(0);
  const { mutate, data, error, isPending } = useApiChange('tryRequest');
  const title = useGeneratedHtmlId();
  const name = asText(asRecord(valueAtPath(values, path))['name']);
  const send = (number: number): void => {
    if (!isTemporary && existing === '' && index !== '') lastIndex.set(target, index);
    setDraw(number + 1);
    mutate({ params: { id: target }, body: bodyOf(values, path, isTemporary ? null : index, number) });
  };
  return (
    <EuiFlyout onClose={onClose} size="m" aria-labelledby={title}>
      <EuiFlyoutHeader hasBorder>
        <EuiTitle size="m">
          <h2 id={title}>
            {i18n.translate('dyno.editor.try.title', { defaultMessage: 'Try {name}', values: { name } })}
          </h2>
        </EuiTitle>
        <EuiSpacer size="s" />
        <EuiText size="s" color="subdued">
          <p>
            {i18n.translate('dyno.editor.try.text', {
              defaultMessage:
                'Dyno sends each step of the request once, with values drawn by the seed of the definition, and judges the answers as in a run.',
            })}
          </p>
        </EuiText>
      </EuiFlyoutHeader>
      <EuiFlyoutBody>
        {existing === '' ? <WhereChoice isTemporary={isTemporary} onChange={setTemporary} /> : null}
        {isTemporary ? null : (
          <IndexChoice target={target} existing={existing} index={index} onChange={setIndex} />
        )}
        <EuiSpacer size="m" />
        {error ? (
          <EuiCallOut
            announceOnMount
            color="danger"
            iconType="error"
            title={i18n.translate('dyno.editor.try.refused', {
              defaultMessage: 'The request could not be tried',
            })}
          >
            <ProblemList problems={error.problems} />
          </EuiCallOut>
        ) : data ? (
          <Outcome tried={data} />
        ) : null}
      </EuiFlyoutBody>
      <EuiFlyoutFooter>
        <EuiFlexGroup justifyContent="spaceBetween" responsive={false}>
          <EuiFlexItem grow={false}>
            <EuiButtonEmpty flush="left" onClick={onClose}>
              {i18n.translate('dyno.editor.try.close', { defaultMessage: 'Close' })}
            </EuiButtonEmpty>
          </EuiFlexItem>
          <EuiFlexItem grow={false}>
            <EuiButton fill iconType="play" isLoading={isPending} onClick={() => send(draw)}>
              {draw === 0
                ? i18n.translate('dyno.editor.try.send', { defaultMessage: 'Send once' })
                : i18n.translate('dyno.editor.try.again', { defaultMessage: 'Draw again and send' })}
            </EuiButton>
          </EuiFlexItem>
        </EuiFlexGroup>
      </EuiFlyoutFooter>
    </EuiFlyout>
  );
}

const TEMPORARY = 'temporary';
const EXISTING = 'existing';

interface WhereChoiceProps {
  isTemporary: boolean;
  onChange: (isTemporary: boolean) => void;
}

function WhereChoice({ isTemporary, onChange }: WhereChoiceProps): ReactNode {
  const name = useGeneratedHtmlId();
  return (
    <EuiFormRow
      fullWidth
      hasChildLabel={false}
      label={i18n.translate('dyno.editor.try.where', { defaultMessage: 'Send it to' })}
      helpText={
        isTemporary
          ? i18n.translate('dyno.editor.try.temporaryHelp', {
              defaultMessage:
                'Dyno creates a small index with the settings and the mapping of this definition, stores 300 of its documents there, sends the request, and deletes the index.',
            })
          : undefined
      }
    >
      <EuiRadioGroup
        name={name}
        idSelected={`${name}-${isTemporary ? TEMPORARY : EXISTING}`}
        onChange={(id) => onChange(id === `${name}-${TEMPORARY}`)}
        options={[
          {
            id: `${name}-${TEMPORARY}`,
            label: i18n.translate('dyno.editor.try.temporary', {
              defaultMessage: 'a temporary index of this definition',
            }),
          },
          {
            id: `${name}-${EXISTING}`,
            label: i18n.translate('dyno.editor.try.existing', {
              defaultMessage: 'an index of the target that exists',
            }),
          },
        ]}
      />
    </EuiFormRow>
  );
}

interface IndexChoiceProps {
  target: string;
  /** Name of the existing index that the definition uses; '' if trials create their own indices. */
  existing: string;
  index: string;
  onChange: (index: string) => void;
}

function IndexChoice({ target, existing, index, onChange }: IndexChoiceProps): ReactNode {
  const { data, error } = useApi('listTargetIndices', { params: { id: target } });
  const names = data?.names ?? [];
  return (
    <EuiFormRow
      fullWidth
      label={i18n.translate('dyno.editor.try.index', { defaultMessage: 'Index of the target' })}
      helpText={
        existing === ''
          ? i18n.translate('dyno.editor.try.indexOfTrial', {
              defaultMessage:
                'Trials create their indices when they begin. To try the request before that, choose an existing index, which replaces {index}.',
              values: { index: '{{index}}' },
            })
          : i18n.translate('dyno.editor.try.indexExisting', {
              defaultMessage:
                'The definition uses {existing}. Here you may replace {index} with another index.',
              values: { existing, index: '{{index}}' },
            })
      }
      isInvalid={error !== null}
      error={error?.problems.map(({ message }) => message)}
    >
      <EuiComboBox
        fullWidth
        singleSelection={{ asPlainText: true }}
        aria-label={i18n.translate('dyno.editor.try.index', { defaultMessage: 'Index of the target' })}
        options={names.map((label) => ({ label }))}
        selectedOptions={index === '' ? [] : [{ label: index }]}
        onChange={([chosen]) => onChange(chosen?.label ?? '')}
        onCreateOption={(typed) => onChange(typed.trim())}
        customOptionText={i18n.translate('dyno.editor.try.indexOther', {
          defaultMessage: 'Use {searchValue}',
          values: { searchValue: '{searchValue}' },
        })}
      />
    </EuiFormRow>
  );
}

const OUTCOMES = {
  accepted: {
    color: 'success',
    icon: 'check',
    title: () =>
      i18n.translate('dyno.editor.try.accepted', { defaultMessage: 'A run would count it as accepted' }),
  },
  rejected: {
    color: 'warning',
    icon: 'warning',
    title: () =>
      i18n.translate('dyno.editor.try.rejected', { defaultMessage: 'A run would count it as rejected' }),
  },
  failed: {
    color: 'danger',
    icon: 'error',
    title: () =>
      i18n.translate('dyno.editor.try.failed', { defaultMessage: 'A run would count it as failed' }),
  },
  unknown: {
    color: 'danger',
    icon: 'error',
    title: () =>
      i18n.translate('dyno.editor.try.unknown', {
        defaultMessage: 'A run would count it as unknown: it was sent, and no usable answer came',
      }),
  },
} as const;

function Outcome({ tried: { outcome, steps, temporary } }: { tried: TriedRequest }): ReactNode {
  const { color, icon, title } = OUTCOMES[outcome];
  return (
    <>
      <EuiCallOut announceOnMount size="s" color={color} iconType={icon} title={title()}>
        {temporary === null ? null : (
          <EuiText size="s">
            <p>
              {i18n.translate('dyno.editor.try.wasTemporary', {
                defaultMessage:
                  'The temporary index had {documents, plural, one {# document} other {# documents}}. It is deleted.',
                values: { documents: temporary.documents },
              })}
            </p>
            {temporary.notes.map((note) => (
              <p key={note} css={{ overflowWrap: 'anywhere' }}>
                {note}
              </p>
            ))}
          </EuiText>
        )}
      </EuiCallOut>
      {steps.map((step, at) => (
        <Step key={at} step={step} />
      ))}
    </>
  );
}

/** Returns the text of a response for display: JSON is indented, other texts are unchanged. `isJson`: whether the text is JSON. */
function readable(text: string): { text: string; isJson: boolean } {
  try {
    return { text: stringifyExact(parseExact(text), 2), isJson: true };
  } catch {
    return { text, isJson: false };
  }
}

/** Maximum number of characters that are highlighted; longer texts would take too long. */
const MOST_HIGHLIGHTED = 20_000;

function Code({ text, label }: { text: string; label: string }): ReactNode {
  const shown = readable(text);
  return (
    <EuiCodeBlock
      language={shown.isJson && shown.text.length <= MOST_HIGHLIGHTED ? 'json' : 'text'}
      isCopyable
      paddingSize="s"
      fontSize="s"
      overflowHeight={360}
      aria-label={label}
    >
      {shown.text}
    </EuiCodeBlock>
  );
}

function Step({ step }: { step: TriedStep }): ReactNode {
  const { part, method, path, headers, body, bodyBytes, status, tookMs, answer, answerBytes, answerCut } =
    step;
  const { times, failure } = step;
  const facts = [
    status === 0
      ? i18n.translate('dyno.editor.try.noAnswer', { defaultMessage: 'no answer' })
      : i18n.translate('dyno.editor.try.status', { defaultMessage: 'status {status}', values: { status } }),
    formatMs(tookMs),
    answerCut
      ? i18n.translate('dyno.editor.try.more', {
          defaultMessage: 'more than {size}',
          values: { size: formatBytes(answerBytes) },
        })
      : formatBytes(answerBytes),
  ];
  return (
    <section>
      <EuiSpacer size="m" />
      <EuiTitle size="xxs">
        <h3 css={{ overflowWrap: 'anywhere' }}>
          {part === '' ? '' : `${part}: `}
          {method} {path}
        </h3>
      </EuiTitle>
      <EuiText size="s" color={failure === null ? 'subdued' : 'danger'}>
        <p>
          {facts.join(' · ')}
          {failure === null ? null : (
            <>
              <br />
              <span css={{ overflowWrap: 'anywhere' }}>
                {failure.type}: {failure.reason}
              </span>
            </>
          )}
        </p>
      </EuiText>
      {times > 1 ? (
        <EuiText size="s" color="subdued">
          <p>
            {i18n.translate('dyno.editor.try.times', {
              defaultMessage: 'A run sends this step up to {times} times, one after another.',
              values: { times },
            })}
          </p>
        </EuiText>
      ) : null}
      {Object.keys(headers).length === 0 && body === null ? null : (
        <Message
          label={i18n.translate('dyno.editor.try.sent', { defaultMessage: 'Sent' })}
          text={body ?? ''}
          note={Object.entries(headers)
            .map(([name, value]) => `${name}: ${value}`)
            .join(', ')}
          wholeBytes={bodyBytes}
        />
      )}
      {answer === '' ? null : (
        <Message
          label={i18n.translate('dyno.editor.try.answer', { defaultMessage: 'Answer' })}
          text={answer}
          note=""
          wholeBytes={answerBytes}
        />
      )}
    </section>
  );
}

interface MessageProps {
  label: string;
  text: string;
  note: string;
  wholeBytes: number;
}

function Message({ label, text, note, wholeBytes }: MessageProps): ReactNode {
  const shownBytes = new TextEncoder().encode(text).length;
  const cut =
    shownBytes < wholeBytes
      ? i18n.translate('dyno.editor.try.cut', {
          defaultMessage: 'the first {shown} of {whole}',
          values: { shown: formatBytes(shownBytes), whole: formatBytes(wholeBytes) },
        })
      : '';
  return (
    <>
      <EuiSpacer size="s" />
      <EuiText size="xs">
        <p>
          <strong>{label}</strong> {[note, cut].filter(Boolean).join('; ')}
        </p>
      </EuiText>
      <EuiSpacer size="xs" />
      {text === '' ? null : <Code label={label} text={text} />}
    </>
  );
}
