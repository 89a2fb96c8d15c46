/**
 * Converts a Rally track or an OpenSearch Benchmark workload into experiments. Users choose a challenge and its parameters. The component
 * also lists what is not converted.
 */
import {
  EuiButton,
  EuiButtonEmpty,
  EuiCallOut,
  EuiFieldText,
  EuiFlexGroup,
  EuiFlexItem,
  EuiFormRow,
  EuiMarkdownFormat,
  EuiSelect,
  EuiSpacer,
  EuiText,
} from '@elastic/eui';
import { useDeferredValue, useMemo, useState, type ReactNode } from 'react';
import { parseValue } from '../../../../common/experiment/document';
import { challengeText } from '../../../../common/import/rally/account';
import {
  convertChallenge,
  definitionText,
  type ConvertedChallenge,
} from '../../../../common/import/rally/definitions';
import { filesInMemory } from '../../../../common/import/rally/files-in-memory';
import { pythonOf } from '../../../../common/import/rally/operations/operation';
import type { FoundTrack } from '../../../../common/import/rally/recognise';
import { readTrack, type Track } from '../../../../common/import/rally/track';
import { DynoError, messageOf, type Problem } from '../../../../common/problem';
import { i18n } from '../../../i18n';
import { ProblemList } from '../../../ui/problems';
import { Accordion } from './accordion';
import type { Files } from './dropped';

interface Converted {
  track: Track;
  /** Names of variables in the templates of the Rally track. */
  names: string[];
  converted: ConvertedChallenge;
}

interface Choice {
  challenge: string | null;
  params: Readonly<Record<string, string>>;
}

const folderName = ({ folder, benchmark }: FoundTrack): string => folder.split('/').at(-1) || benchmark.track;

/** Converts a Rally track to experiments. If the conversion fails, returns the problems. */
function convert(files: Files, found: FoundTrack, choice: Choice): Converted | readonly Problem[] {
  const { benchmark, folder, file } = found;
  try {
    const names = new Set<string>();
    const own = filesInMemory(files, folder, benchmark.shared);
    const given = Object.entries(choice.params).filter(([, text]) => text !== '');
    const params = Object.fromEntries(given.map(([name, text]) => [name, parseValue(text)]));
    const input = { files: own, params, now: Date.now(), onName: (name: string) => names.add(name) };
    const track = readTrack(folderName(found), input, benchmark, file);
    const { challenges } = track;
    const challenge =
      challenges.find(({ name }) => name === choice.challenge) ??
      challenges.find(({ isDefault }) => isDefault) ??
      challenges[0]!;
    return {
      track,
      names: [...names].sort(),
      converted: convertChallenge(track, challenge, pythonOf(own, benchmark)),
    };
  } catch (error) {
    if (error instanceof DynoError) return error.problems;
    return [{ code: 'import.track', path: file, message: messageOf(error) }];
  }
}

interface TrackPartProps {
  files: Files;
  tracks: readonly FoundTrack[];
  onOpen: (name: string, text: string) => void;
}

export default function TrackPart({ files, tracks, onOpen }: TrackPartProps): ReactNode {
  const [place, setPlace] = useState(0);
  const [choice, setChoice] = useState<Choice>({ challenge: null, params: {} });
  const found = tracks[Math.min(place, tracks.length - 1)]!;
  const settled = useDeferredValue(choice);
  const result = useMemo(() => convert(files, found, settled), [files, found, settled]);
  const { name, track: what } = found.benchmark;
  return (
    <>
      <EuiText size="s">
        <p>
          {i18n.translate('dyno.experiments.track.found', {
            defaultMessage: 'This is a {what} of {name}. Dyno converts it to experiments.',
            values: { what, name },
          })}
        </p>
      </EuiText>
      <EuiSpacer size="m" />
      {tracks.length === 1 ? null : (
        <EuiFormRow
          fullWidth
          label={i18n.translate('dyno.experiments.track.which', { defaultMessage: 'Track or workload' })}
        >
          <EuiSelect
            fullWidth
            value={String(place)}
            options={tracks.map((one, at) => ({ value: String(at), text: one.folder || one.file }))}
            onChange={({ target }) => {
              setPlace(Number(target.value));
              setChoice({ challenge: null, params: {} });
            }}
          />
        </EuiFormRow>
      )}
      {'track' in result ? (
        <Made result={result} choice={choice} onChoose={setChoice} onOpen={onOpen} />
      ) : (
        <EuiCallOut
          announceOnMount
          color="danger"
          iconType="error"
          title={i18n.translate('dyno.experiments.track.unread', {
            defaultMessage: 'It could not be converted',
          })}
        >
          <ProblemList problems={result} />
        </EuiCallOut>
      )}
    </>
  );
}

interface MadeProps {
  result: Converted;
  choice: Choice;
  onChoose: (choice: Choice) => void;
  onOpen: TrackPartProps['onOpen'];
}

function Made({ result: { track, names, converted }, choice, onChoose, onOpen }: MadeProps): ReactNode {
  const { challenges, benchmark } = track;
  // The heading is already shown above, and the buttons list the files.
  const account = challengeText(converted).replace(/^# .*\n/, '');
  return (
    <>
      <EuiFormRow
        fullWidth
        label={i18n.translate('dyno.experiments.track.challenge', {
          defaultMessage: '{what, select, challenge {Challenge} other {Test procedure}}',
          values: { what: benchmark.challenge },
        })}
      >
        <EuiSelect
          fullWidth
          value={converted.challenge.name}
          options={challenges.map(({ name }) => ({ value: name, text: name }))}
          onChange={({ target }) => onChoose({ ...choice, challenge: target.value })}
        />
      </EuiFormRow>
      {names.length === 0 ? null : (
        <>
          <EuiSpacer size="s" />
          <Accordion
            title={i18n.translate('dyno.experiments.track.params', {
              defaultMessage: 'Parameters ({count})',
              values: { count: names.length },
            })}
          >
            {names.map((name) => (
              <EuiFormRow key={name} fullWidth label={name} display="columnCompressed">
                <EuiFieldText
                  fullWidth
                  compressed
                  placeholder={i18n.translate('dyno.experiments.track.default', {
                    defaultMessage: 'value of the track',
                  })}
                  value={choice.params[name] ?? ''}
                  onChange={({ target }) =>
                    onChoose({ ...choice, params: { ...choice.params, [name]: target.value } })
                  }
                />
              </EuiFormRow>
            ))}
          </Accordion>
        </>
      )}
      <EuiSpacer size="m" />
      <ul aria-label={i18n.translate('dyno.experiments.track.made', { defaultMessage: 'Experiments' })}>
        {converted.files.map((file, at) => (
          <li key={file.name}>
            <EuiFlexGroup gutterSize="s" alignItems="center" responsive={false}>
              <EuiFlexItem>
                <EuiText size="s">{String(file.definition['name'])}</EuiText>
              </EuiFlexItem>
              <EuiFlexItem grow={false}>
                {at === 0 ? (
                  <EuiButton size="s" onClick={() => onOpen(file.name, definitionText(file))}>
                    <OpenLabel />
                  </EuiButton>
                ) : (
                  <EuiButtonEmpty size="s" onClick={() => onOpen(file.name, definitionText(file))}>
                    <OpenLabel />
                  </EuiButtonEmpty>
                )}
              </EuiFlexItem>
            </EuiFlexGroup>
          </li>
        ))}
      </ul>
      {converted.files.length === 0 ? (
        <EuiText size="s">
          <p>
            {i18n.translate('dyno.experiments.track.nothing', {
              defaultMessage: 'Nothing in it can be converted.',
            })}
          </p>
        </EuiText>
      ) : null}
      <EuiSpacer size="m" />
      <EuiMarkdownFormat textSize="s">{account}</EuiMarkdownFormat>
    </>
  );
}

const OpenLabel = (): ReactNode =>
  i18n.translate('dyno.experiments.track.open', { defaultMessage: 'Open in the editor' });
