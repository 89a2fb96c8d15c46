/** A section of the form that opens and closes, with a summary and the number of its problems. */
import {
  EuiAccordion,
  EuiBadge,
  EuiFlexGroup,
  EuiFlexItem,
  EuiPanel,
  EuiText,
  EuiTitle,
  useGeneratedHtmlId,
} from '@elastic/eui';
import { useEffect, useState, type ReactNode } from 'react';
import { i18n } from '../../../i18n';
import { OWN_HEIGHT } from '../../../ui/accordion';
import { useForm } from './context';

interface FormPartProps {
  title: string;
  /** Short summary of the section's content, which is shown while the section is closed. */
  summary?: string;
  /** Top-level keys of the definition that this section edits. */
  roots: readonly string[];
  startsOpen?: boolean;
  children: ReactNode;
}

const rootOf = (path: string): string => /^[^.[\s(]*/.exec(path)![0];

/** On a phone, the summary of a closed section is truncated instead of its title. */
const SUMMARY_GIVES_WAY = {
  '& > .euiAccordion__triggerWrapper': {
    '.euiAccordion__optionalAction, .euiAccordion__optionalAction .euiFlexItem': {
      flexShrink: 1,
      minInlineSize: 0,
    },
    h2: { overflowWrap: 'normal', wordBreak: 'normal' },
  },
} as const;

export function FormPart({ title, summary, roots, startsOpen = true, children }: FormPartProps): ReactNode {
  const { problems } = useForm();
  const [open, setOpen] = useState(startsOpen);
  const id = useGeneratedHtmlId();
  const wrong = problems.filter(({ path }) => roots.includes(rootOf(path))).length;
  // The section opens when a new problem occurs. The user can close it again.
  const broken = wrong > 0;
  useEffect(() => {
    if (broken) setOpen(true);
  }, [broken]);
  return (
    <EuiPanel hasBorder hasShadow={false} paddingSize="m" css={{ marginBlockEnd: 12 }}>
      <EuiAccordion
        id={id}
        css={[OWN_HEIGHT, SUMMARY_GIVES_WAY]}
        forceState={open ? 'open' : 'closed'}
        onToggle={setOpen}
        paddingSize="none"
        buttonElement="div"
        buttonContent={
          <EuiTitle size="xs">
            <h2>{title}</h2>
          </EuiTitle>
        }
        extraAction={
          <EuiFlexGroup gutterSize="s" alignItems="center" responsive={false}>
            {summary === undefined || open ? null : (
              <EuiFlexItem>
                <EuiText
                  size="s"
                  color="subdued"
                  className="eui-textTruncate"
                  css={{ maxInlineSize: 'min(320px, 45vw)' }}
                >
                  {summary}
                </EuiText>
              </EuiFlexItem>
            )}
            {wrong === 0 ? null : (
              <EuiFlexItem grow={false}>
                <EuiBadge color="danger">
                  {i18n.translate('dyno.editor.part.problems', {
                    defaultMessage: '{count, plural, one {# problem} other {# problems}}',
                    values: { count: wrong },
                  })}
                </EuiBadge>
              </EuiFlexItem>
            )}
          </EuiFlexGroup>
        }
      >
        <div css={{ paddingBlockStart: 16 }}>{children}</div>
      </EuiAccordion>
    </EuiPanel>
  );
}

/** Shows fields next to each other if there is space. */
export function Columns({ children }: { children: ReactNode }): ReactNode {
  return (
    <div
      css={{
        display: 'grid',
        gap: 16,
        gridTemplateColumns: 'repeat(auto-fit, minmax(min(130px, 100%), 1fr))',
        alignItems: 'start',
        marginBlockEnd: 16,
        '& > .euiFormRow': { marginBlock: '0 !important', maxInlineSize: 'none' },
        '& .euiFormControlLayout, & .euiFieldText, & .euiFieldNumber, & .euiSelect': {
          maxInlineSize: 'none',
        },
      }}
    >
      {children}
    </div>
  );
}

/** A section with rarely needed fields, which is closed at first. */
export function Advanced({ label, children }: { label: string; children: ReactNode }): ReactNode {
  const id = useGeneratedHtmlId();
  return (
    <EuiAccordion
      id={id}
      css={OWN_HEIGHT}
      buttonContent={<EuiText size="s">{label}</EuiText>}
      paddingSize="s"
    >
      {children}
    </EuiAccordion>
  );
}
