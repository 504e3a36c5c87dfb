import '@mantine/core/styles/Checkbox.css';
import '@mantine/core/styles/Input.css';
import '@mantine/core/styles/InlineInput.css';
import { Checkbox } from '@mantine/core';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatNumber } from '../../lib/format-number.ts';
import { Button } from '../../ui/button.tsx';
import { SearchField } from '../../ui/fields/search-field.tsx';
import { isPartFound, SEARCHED_FROM } from './arrange-tools.ts';
import { enterList, walkList } from './walk-list.ts';
import classes from './tools-menu.module.css';

export interface Part {
  name: string;
  description?: string;
  /** Why it cannot be used; null when it can. */
  unavailable?: string | null;
  isOn: boolean;
}

interface PartChoiceProps {
  /** The name of the server. */
  label: string;
  parts: readonly Part[];
  /** What a search around it looks for; absent, it has a search of its own. */
  wanted?: string | undefined;
  onSet: (names: string[], isOn: boolean) => void;
}

/** The tools of a server, each with a checkbox; all that a search finds are switched together. */
export function PartChoice({ label, parts, wanted, onSet }: PartChoiceProps) {
  const { t } = useTranslation();
  const [query, setQuery] = useState('');
  const found = parts.filter((part) => isPartFound(part, label, (wanted ?? query).trim()));
  const setAll = (isOn: boolean) => {
    const changed = found.filter((part) => (isOn ? isUsable(part) && !part.isOn : part.isOn));
    if (changed.length > 0)
      onSet(
        changed.map(({ name }) => name),
        isOn,
      );
  };
  return (
    <section className={classes.choice} aria-label={t('com_tools_parts', { 0: label })}>
      {wanted === undefined && parts.length >= SEARCHED_FROM && (
        <SearchField
          className={classes.partSearch}
          placeholder={t('com_tools_search_of', { 0: label })}
          value={query}
          onKeyDown={enterList}
          onChange={(event) => setQuery(event.currentTarget.value)}
        />
      )}
      {(wanted === undefined ? parts : found).length > 1 && (
        <div className={classes.partHead}>
          <Count parts={parts} />
          <Button size="sm" variant="subtle" onClick={() => setAll(true)}>
            {t('com_ui_select_all')}
          </Button>
          <Button size="sm" variant="subtle" onClick={() => setAll(false)}>
            {t('com_ui_select_none')}
          </Button>
        </div>
      )}
      {found.length === 0 ? (
        <p className={classes.note} role="status">
          {t('com_tools_not_found')}
        </p>
      ) : (
        // Only handles keys that bubble up from its checkboxes.
        // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
        <div className={classes.partList} data-list onKeyDown={walkList}>
          {found.map((part) => (
            <PartRow key={part.name} part={part} onSet={onSet} />
          ))}
        </div>
      )}
    </section>
  );
}

function PartRow({ part, onSet }: { part: Part; onSet: PartChoiceProps['onSet'] }) {
  const { name, description, unavailable, isOn } = part;
  const id = useId();
  const aboutId = `${id}-about`;
  return (
    <label className={classes.row} htmlFor={id}>
      <Checkbox
        id={id}
        size="sm"
        checked={isOn && isUsable(part)}
        disabled={!isUsable(part)}
        aria-label={name}
        aria-describedby={aboutId}
        onChange={({ currentTarget }) => onSet([name], currentTarget.checked)}
      />
      <span className={classes.text}>
        <bdi className={classes.label}>{name}</bdi>
        <span id={aboutId} className={classes.about}>
          {description && (
            <span className={classes.description} dir="auto" data-tooltip={description}>
              {description}
            </span>
          )}
          {unavailable && <span className={classes.reason}>{unavailable}</span>}
        </span>
      </span>
    </label>
  );
}

function Count({ parts }: { parts: readonly Part[] }) {
  const { t, i18n } = useTranslation();
  const on = parts.filter((part) => part.isOn && isUsable(part)).length;
  const [some, all] = [on, parts.length].map((count) => formatNumber(count, i18n.language));
  return (
    <span className={classes.count} role="status">
      {t('com_tools_some_of', { 0: some, 1: all })}
    </span>
  );
}

function isUsable({ unavailable }: Part): boolean {
  return !unavailable;
}
