/** Fields of the factors. The user either enters keys of the definition with their levels, or lists combinations of levels one by one. */
import { EuiComboBox, EuiFlexGroup, EuiFlexItem, EuiFormErrorText, EuiFormRow } from '@elastic/eui';
import { useState, type ReactNode } from 'react';
import { factorPaths, levelTexts } from '../../../../common/experiment/cells';
import { suggestFactors } from '../../../../common/experiment/factor-suggestions';
import { readFactors } from '../../../../common/experiment/form-factors';
import { sameValue } from '../../../../common/experiment/text/values';
import type { Edit } from '../../../../common/experiment/text/edit';
import { describeProblem } from '../../../../common/problem';
import { useApi } from '../../../api/queries';
import { i18n } from '../../../i18n';
import { asList, asRecord, useErrors, useField, useForm } from './context';
import { IconButton } from './item-buttons';
import { ListedCells } from './listed-cells';
import { readPlain, whyUnread } from './plain-field';

/** Parses the text of levels. `1, 2, 4` becomes three levels. `[a, b]` and `{ a: 1, b: 2 }` become one level each. */
const levelsOf = (text: string): unknown[] =>
  (/[[{"']/.test(text) ? [text] : text.split(','))
    .map((part) => part.trim())
    .filter(Boolean)
    .map(readPlain);

/** Returns the error messages for single levels of the factor `path`. The paths of these problems begin with `factors (PATH=LEVEL)`. */
function useLevelErrors(path: string): string[] {
  const { problems } = useForm();
  return problems
    .filter((problem) => problem.path.startsWith(`factors (${path}=`))
    .map((problem) =>
      describeProblem({ ...problem, path: problem.path.replace(/^factors \((.*)\): .*$/, '$1') }),
    );
}

function FactorRow({ path, levels }: { path: string; levels: readonly unknown[] }): ReactNode {
  const { values, edit, disabled, reveal } = useForm();
  const text = levelTexts({ factors: levels.map((level) => ({ [path]: level })) });
  const own = ['factors', path];
  const { hold, drop } = useField(own);
  const errors = useErrors(own, true);
  const wrongLevels = useLevelErrors(path);
  const baseline = asRecord(values['baseline']);
  const label = i18n.translate('dyno.editor.factor.levels', {
    defaultMessage: 'Levels of {path}',
    values: { path },
  });
  /**
   * Returns the edit that removes the baseline from the definition if `gone` is true. Empty if the definition has no baseline. `gone`:
   * whether a level was removed that the baseline uses.
   */
  const withoutBaseline = (gone: boolean): Edit[] =>
    gone && values['baseline'] !== undefined ? [{ path: ['baseline'], remove: true }] : [];
  const take = (at: number): void => {
    const gone = sameValue(baseline[path], levels[at]);
    edit([
      levels.length === 1
        ? { path: ['factors', path], value: [] }
        : { path: ['factors', path, at], remove: true },
      ...withoutBaseline(gone),
    ]);
  };
  const all = [...errors, ...wrongLevels];
  return (
    <EuiFormRow
      fullWidth
      label={<code>{path}</code>}
      isInvalid={all.length > 0}
      error={all}
      css={{ marginBlockEnd: 12 }}
    >
      <EuiFlexGroup gutterSize="s" alignItems="center" responsive={false}>
        <EuiFlexItem>
          <EuiComboBox<number>
            fullWidth
            noSuggestions
            isClearable={false}
            aria-label={label}
            isDisabled={disabled}
            isInvalid={all.length > 0}
            placeholder={i18n.translate('dyno.editor.factor.placeholder', {
              defaultMessage: 'Type a level and press Enter',
            })}
            onFocus={() => reveal(`factors.${path}`)}
            selectedOptions={levels.map((level, at) => ({
              key: String(at),
              label: text(path, level),
              value: at,
            }))}
            onChange={(options) => {
              const stays = new Set(options.map(({ value }) => value));
              const at = levels.findIndex((_, index) => !stays.has(index));
              if (at !== -1) take(at);
            }}
            onSearchChange={(text) => {
              if (text === '') drop();
            }}
            onCreateOption={(text) => {
              const why = whyUnread(text);
              if (why !== '') {
                hold(text, why);
                // Keeps the text in the box, so that it can be completed.
                return false;
              }
              const fresh = levelsOf(text).filter((level) => !levels.some((one) => sameValue(one, level)));
              edit(fresh.map((value, at) => ({ path: ['factors', path, levels.length + at], value })));
            }}
          />
        </EuiFlexItem>
        <IconButton
          icon="cross"
          label={i18n.translate('dyno.editor.factor.remove', {
            defaultMessage: 'Remove the factor {path}',
            values: { path },
          })}
          onClick={() =>
            edit([{ path: ['factors', path], remove: true }, ...withoutBaseline(path in baseline)])
          }
        />
      </EuiFlexGroup>
    </EuiFormRow>
  );
}

function AddFactor({ isList, paths }: { isList: boolean; paths: readonly string[] }): ReactNode {
  const { values, edit, disabled } = useForm();
  const [key, setKey] = useState(0);
  const { data: status } = useApi('getStatus', {});
  const suggestions = suggestFactors(values, status?.startsClustersOf ?? null);
  const label = i18n.translate('dyno.editor.factor.add', { defaultMessage: 'Add factor' });
  const add = (path: string): void => {
    // A new key resets the box, which would otherwise keep the choice.
    setKey(key + 1);
    if (path === '' || paths.includes(path)) return;
    const levels = suggestions.find((one) => one.path === path)?.levels ?? [];
    const dropBaseline: Edit[] =
      values['baseline'] === undefined ? [] : [{ path: ['baseline'], remove: true }];
    edit(
      isList
        ? asList(values['factors']).map((_, at) => ({ path: ['factors', at, path], value: levels[0] ?? '' }))
        : [{ path: ['factors', path], value: levels }, ...dropBaseline],
    );
  };
  return (
    <EuiFormRow
      fullWidth
      label={label}
      helpText={i18n.translate('dyno.editor.factor.addHelp', {
        defaultMessage: 'Choose a setting, or type its path in the definition.',
      })}
    >
      <EuiComboBox<string>
        key={key}
        fullWidth
        aria-label={label}
        isDisabled={disabled}
        singleSelection={{ asPlainText: true }}
        placeholder={i18n.translate('dyno.editor.factor.choose', {
          defaultMessage: 'Refresh interval, clients, shards…',
        })}
        selectedOptions={[]}
        options={suggestions.map(({ path, title }) => ({ label: `${title} (${path})`, value: path }))}
        onChange={([option]) => option && add(option.value ?? '')}
        onCreateOption={(text) => add(text.trim())}
      />
    </EuiFormRow>
  );
}

export function Factors(): ReactNode {
  const { values } = useForm();
  const errors = useErrors(['factors']);
  const factors = readFactors(values);
  const paths = factorPaths({ factors });
  return (
    <>
      {errors.map((error) => (
        <EuiFormErrorText key={error}>{error}</EuiFormErrorText>
      ))}
      {Array.isArray(factors) ? (
        <ListedCells cells={factors} paths={paths} />
      ) : (
        Object.entries(factors).map(([path, levels]) => <FactorRow key={path} path={path} levels={levels} />)
      )}
      <AddFactor isList={Array.isArray(factors)} paths={paths} />
    </>
  );
}
