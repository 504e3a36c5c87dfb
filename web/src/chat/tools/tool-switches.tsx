import '@mantine/core/styles/Input.css';
import '@mantine/core/styles/InlineInput.css';
import '@mantine/core/styles/Switch.css';
import { Switch } from '@mantine/core';
import type { ToolSourceName } from '@parley/schema/messages/messages';
import type { ParseKeys } from 'i18next';
import { useId, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import type { ToolGroup, ToolRow } from './arrange-tools.ts';
import classes from './tools-menu.module.css';

const HEADINGS: Record<ToolSourceName, ParseKeys> = {
  builtin: 'com_tools_source_builtin',
  plugin: 'com_tools_source_plugin',
  action: 'com_tools_source_action',
  mcp: 'com_tools_source_mcp',
};

interface ToolSwitchesProps {
  groups: readonly ToolGroup[];
  /** Names the tools, where they are all of one place; by default the name of their source. */
  label?: string;
  onToggle: (key: string) => void;
}

/** The tools, each with a switch. The arrow keys move from one to the next. */
export function ToolSwitches({ groups, label, onToggle }: ToolSwitchesProps) {
  const { t } = useTranslation();
  return (
    // Only handles keys that bubble up from its switches.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div className={classes.list} onKeyDown={walk}>
      {groups.map(({ source, rows }) => (
        <section key={source} aria-label={label ?? t(HEADINGS[source])}>
          {groups.length > 1 && <h3 className={classes.source}>{t(HEADINGS[source])}</h3>}
          {rows.map((row) => (
            <ToolSwitch key={row.key} row={row} onToggle={() => onToggle(row.key)} />
          ))}
        </section>
      ))}
    </div>
  );
}

function ToolSwitch({ row, onToggle }: { row: ToolRow; onToggle: () => void }) {
  const { t } = useTranslation();
  const { label, description, unavailable, wants, isOn } = row;
  const id = useId();
  const aboutId = useId();
  // What is on can always be switched off.
  const isDisabled = unavailable !== null && !isOn;
  return (
    <label className={classes.row} data-disabled={isDisabled || undefined} htmlFor={id}>
      <span className={classes.text}>
        <span className={classes.label} dir="auto">
          {label}
        </span>
        <span id={aboutId} className={classes.about}>
          {description && (
            <span className={classes.description} dir="auto" data-tooltip={description}>
              {description}
            </span>
          )}
          {unavailable !== null && (
            <span className={classes.reason} dir="auto">
              {unavailable}
            </span>
          )}
          {wants && (
            <span className={classes.reason} dir="auto">
              {wants.text}
            </span>
          )}
        </span>
        {wants?.signInUrl && (
          <a className={classes.signIn} href={wants.signInUrl} target="_blank" rel="noopener noreferrer">
            {t('com_tools_sign_in_open')}
          </a>
        )}
      </span>
      <Switch
        id={id}
        checked={isOn}
        disabled={isDisabled}
        aria-label={label}
        aria-describedby={aboutId}
        onChange={onToggle}
      />
    </label>
  );
}

function walk(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!step) return;
  event.preventDefault();
  const switches = [...event.currentTarget.querySelectorAll<HTMLInputElement>('input:not(:disabled)')];
  const here = switches.findIndex((one) => one === document.activeElement);
  switches[(here + step + switches.length) % switches.length]?.focus();
}
