/** Page of an experiment's definition: a saved one, a new one, a preset, or a copy. */
import { EuiCallOut, EuiSkeletonText } from '@elastic/eui';
import { useRef, useState, type ReactNode } from 'react';
import { useLocation, useParams } from 'react-router';
import type { Experiment } from '../../../common/api/experiments';
import { useApi } from '../../api/queries';
import { useApp } from '../../app/context';
import { i18n } from '../../i18n';
import { Loadable } from '../../ui/loadable';
import { Page } from '../../ui/page';
import { keepDraft } from './draft';
import { Editor } from './editor';
import { LOCAL_TARGET } from '../../../common/api/targets';
import { blankText, copyText, presetText, trafficText } from './start';

/** Where the text of the editor comes from: a saved experiment, a copy of a saved experiment, or the text itself. */
type Source = { kind: 'saved' | 'copy'; id: string } | { kind: 'text'; text: string };

const pageTitle = (): string => i18n.translate('dyno.editor.title', { defaultMessage: 'Experiment' });

interface OpenedProps {
  source: Source;
  subject: string;
  onCreated: (experiment: Experiment) => void;
}

function Opened({ source: given, subject, onCreated }: OpenedProps): ReactNode {
  // The origin is kept for the lifetime of the page, even if a new experiment gets its own URL.
  const [source] = useState(given);
  const id = source.kind === 'text' ? '' : source.id;
  const query = useApi('getExperiment', { params: { id } }, { enabled: id !== '' });
  if (source.kind === 'text') {
    return <Editor subject={subject} saved={null} start={source.text} onCreated={onCreated} />;
  }
  // Only the first response from the server is used. If another user changes the experiment later, this is detected when it is saved.
  const outdated = query.isFetching && !query.isFetchedAfterMount;
  if (query.data === undefined || outdated) {
    return (
      <Page title={pageTitle()}>
        {outdated ? (
          <EuiSkeletonText lines={10} />
        ) : (
          <Loadable query={query} skeleton={<EuiSkeletonText lines={10} />}>
            {() => null}
          </Loadable>
        )}
      </Page>
    );
  }
  return source.kind === 'copy' ? (
    <Editor subject={subject} saved={null} start={copyText(query.data.text)} onCreated={onCreated} />
  ) : (
    <Editor subject={subject} saved={query.data} start="" onCreated={onCreated} />
  );
}

/** Returns where the text of the editor comes from. Undefined for an unknown preset. */
function sourceOf(id: string | undefined, search: string, state: unknown): Source | undefined {
  if (id !== undefined) return { kind: 'saved', id };
  const query = new URLSearchParams(search);
  const copy = query.get('copy');
  if (copy !== null) return { kind: 'copy', id: copy };
  const imported = (state as { text?: unknown } | null)?.text;
  if (typeof imported === 'string') return { kind: 'text', text: imported };
  const traffic = query.get('traffic');
  if (traffic !== null) {
    const lastsMs = Number(query.get('lasts') ?? NaN);
    return {
      kind: 'text',
      text: trafficText(traffic, {
        target: query.get('target') ?? LOCAL_TARGET,
        format: query.get('format'),
        lastsMs: lastsMs >= 0 ? lastsMs : null,
      }),
    };
  }
  const preset = query.get('preset');
  if (preset === null) return { kind: 'text', text: blankText() };
  const text = presetText(preset, query.get('scale') === 'full' ? 'full' : 'quick');
  return text === undefined ? undefined : { kind: 'text', text };
}

export default function EditorPage(): ReactNode {
  const { id } = useParams();
  const { search, state } = useLocation();
  const { history } = useApp().host;
  const subject = id ?? `new${search}`;
  // A new experiment that was just saved continues in the same editor, including undo, at its new URL.
  const adopted = useRef<{ subject: string; shown: string } | null>(null);
  const shown = adopted.current?.subject === subject ? adopted.current.shown : subject;
  const source = sourceOf(id, search, state);
  const onCreated = (experiment: Experiment): void => {
    keepDraft(subject, null);
    adopted.current = { subject: experiment.id, shown };
    history.replace(`/experiments/${encodeURIComponent(experiment.id)}`);
  };
  if (source === undefined) {
    return (
      <Page title={pageTitle()}>
        <EuiCallOut
          announceOnMount
          color="danger"
          iconType="error"
          title={i18n.translate('dyno.editor.noPreset', {
            defaultMessage: 'This preset does not exist. Start from the list of published experiments',
          })}
        />
      </Page>
    );
  }
  return <Opened key={shown} source={source} subject={subject} onCreated={onCreated} />;
}
