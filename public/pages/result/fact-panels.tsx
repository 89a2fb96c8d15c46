/** Five facts about the run, shown below the verdict. Each fact links to the tab with its details. */
import { EuiIcon, EuiPanel, useEuiTheme } from '@elastic/eui';
import type { ReactNode } from 'react';
import type { GlanceFact } from '../../../common/report/glance';
import { useTab } from './use-tab';
import type { Tab } from './tabs';

/** The tab to which a fact links. */
const TAB_OF: Partial<Record<GlanceFact['id'], Tab>> = {
  latency: 'latency',
  losses: 'trials',
  limit: 'cluster',
};

interface FactPanelsProps {
  facts: readonly GlanceFact[];
  onNotes: () => void;
  onStep: (() => void) | null;
}

export function FactPanels({ facts, onNotes, onStep }: FactPanelsProps): ReactNode {
  const [, open] = useTab();
  const actionOf = ({ id }: GlanceFact): (() => void) | undefined => {
    if (id === 'notes') return onNotes;
    if (id === 'next') return onStep ?? undefined;
    const tab = TAB_OF[id];
    return tab === undefined ? undefined : () => open(tab);
  };
  return (
    <div
      css={{
        display: 'grid',
        gridTemplateColumns: `repeat(${facts.length === 1 ? 1 : 5}, minmax(0, 1fr))`,
        gap: 10,
        '@container (max-width: 860px)': { gridTemplateColumns: 'repeat(auto-fit, minmax(150px, 1fr))' },
      }}
      data-test-subj="dynoFacts"
    >
      {facts.map((fact) => (
        <FactPanel key={fact.id} fact={fact} onClick={actionOf(fact)} />
      ))}
    </div>
  );
}

function FactPanel({ fact, onClick }: { fact: GlanceFact; onClick: (() => void) | undefined }): ReactNode {
  const { euiTheme } = useEuiTheme();
  const { id, value, label, tone } = fact;
  return (
    <EuiPanel
      hasBorder
      hasShadow={false}
      paddingSize="none"
      {...(onClick === undefined ? {} : { onClick })}
      css={{
        '&&': { display: 'flex', flexDirection: 'column', justifyContent: 'flex-start' },
        padding: '10px 14px',
        textAlign: 'start',
        minInlineSize: 0,
      }}
      data-test-subj={`dynoFact-${id}`}
    >
      <span
        css={{
          display: 'block',
          fontSize: 17,
          lineHeight: '24px',
          fontWeight: euiTheme.font.weight.bold,
          color: tone === 'bad' ? euiTheme.colors.textDanger : euiTheme.colors.textHeading,
          overflowWrap: 'anywhere',
        }}
      >
        {value}
        {id === 'next' && onClick !== undefined ? (
          <EuiIcon type="chevronSingleRight" size="m" aria-hidden css={{ marginInlineStart: 4 }} />
        ) : null}
      </span>
      <span
        title={label}
        css={{
          display: '-webkit-box',
          WebkitBoxOrient: 'vertical',
          WebkitLineClamp: 2,
          overflow: 'hidden',
          fontSize: 12,
          lineHeight: '17px',
          color: euiTheme.colors.textSubdued,
        }}
      >
        {label}
      </span>
    </EuiPanel>
  );
}
