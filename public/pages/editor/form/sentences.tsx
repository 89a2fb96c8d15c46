/** A list of sentences, such as claims. A sentence can be typed, chosen from examples, or built from choices. */
import {
  EuiBadge,
  EuiButtonIcon,
  EuiFieldText,
  EuiFlexGroup,
  EuiFlexItem,
  EuiFormRow,
  EuiSpacer,
  useGeneratedHtmlId,
} from '@elastic/eui';
import { useRef, useState, type ReactNode } from 'react';
import type { EditPath } from '../../../../common/experiment/text/edit';
import type { SentencesField } from '../../../../common/fields/form';
import { i18n } from '../../../i18n';
import { asList, asText, useField, useForm, valueAtPath, type Part } from './context';
import { AddButton, ItemButtons } from './item-buttons';
import { itemName, ListRow, useAdd } from './list';

interface SentencesProps<Name extends string> {
  path: EditPath;
  field: SentencesField<Name>;
  parts: Readonly<Record<Name, Part>>;
}

export function Sentences<Name extends string>({ path, field, parts }: SentencesProps<Name>): ReactNode {
  const { values, disabled } = useForm();
  const { builder, adds, examples, suggestions } = field;
  const present = asList(valueAtPath(values, path));
  const offered = suggestions?.(values) ?? [];
  const offeredId = useGeneratedHtmlId();
  const [opened, setOpened] = useState<number | null>(null);
  const box = useRef<HTMLDivElement>(null);
  const append = useAdd(path);
  const add = (sentence: unknown): void => {
    append(sentence);
    // The new field exists after the next rendering.
    setTimeout(() => [...(box.current?.querySelectorAll('input') ?? [])].at(-1)?.focus());
  };
  const first = builder?.first(values);
  return (
    <ListRow path={path} field={field}>
      {offered.length === 0 ? null : (
        <datalist id={offeredId}>
          {offered.map((text) => (
            <option key={text} value={text} />
          ))}
        </datalist>
      )}
      <div ref={box}>
        {present.map((_, at) => (
          <Sentence
            key={at}
            {...{ path, field, at }}
            list={offered.length === 0 ? undefined : offeredId}
            builder={builder === undefined || first === undefined ? undefined : parts[builder.part]}
            isOpen={opened === at}
            onToggle={() => setOpened(opened === at ? null : at)}
          />
        ))}
      </div>
      <EuiFlexGroup gutterSize="s" alignItems="center" wrap responsive={false}>
        {builder === undefined || first === undefined ? null : (
          <AddButton
            icon="controls"
            text={i18n.say(builder.add)}
            onClick={() => {
              setOpened(present.length);
              append(first);
            }}
          />
        )}
        {adds.map(({ text, item }) => (
          <AddButton key={text.id} text={i18n.say(text)} onClick={() => add(item(present))} />
        ))}
        {(disabled ? [] : (examples?.(values) ?? []))
          .filter((example) => !present.includes(example))
          .map((example) => (
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
      <EuiSpacer size="m" />
    </ListRow>
  );
}

interface SentenceProps {
  /** Path of the list. */
  path: EditPath;
  at: number;
  field: SentencesField<string>;
  /** Id of the HTML element with the suggested sentences; undefined if there are no suggestions. */
  list: string | undefined;
  builder: Part | undefined;
  isOpen: boolean;
  onToggle: () => void;
}

function Sentence({ path, at, field, list, builder: Builder, isOpen, onToggle }: SentenceProps): ReactNode {
  const { item: texts, keepsOne } = field;
  const own = [...path, at];
  const { value, set, disabled, errors, onFocus } = useField(own);
  const builderId = useGeneratedHtmlId();
  const name = itemName(field, undefined, at);
  return (
    <>
      <EuiFormRow fullWidth isInvalid={errors.length > 0} error={errors} css={{ marginBlockEnd: 6 }}>
        <EuiFlexGroup gutterSize="s" alignItems="center" responsive={false}>
          <EuiFlexItem>
            <EuiFieldText
              fullWidth
              compressed
              className="eui-textFontMono"
              aria-label={name}
              list={list}
              value={asText(value)}
              disabled={disabled}
              isInvalid={errors.length > 0}
              onFocus={onFocus}
              onChange={({ target }) => set(target.value)}
            />
          </EuiFlexItem>
          {Builder === undefined ? null : (
            <EuiFlexItem grow={false}>
              <EuiButtonIcon
                iconType="controls"
                color="text"
                aria-expanded={isOpen}
                aria-controls={builderId}
                aria-label={i18n.say(field.builder!.open, { number: at + 1 })}
                onClick={onToggle}
              />
            </EuiFlexItem>
          )}
          <ItemButtons {...{ path, at, texts, name, keepsOne }} />
        </EuiFlexGroup>
      </EuiFormRow>
      {Builder === undefined ? null : (
        <div id={builderId} css={isOpen ? { marginBlockEnd: 12 } : undefined}>
          {isOpen ? <Builder path={own} value={{}} /> : null}
        </div>
      )}
    </>
  );
}
