import '@mantine/core/styles/Input.css';
import '@mantine/core/styles/InlineInput.css';
import '@mantine/core/styles/Switch.css';
import { Switch } from '@mantine/core';
import type { ParseKeys } from 'i18next';
import { IconChevronDown } from '@tabler/icons-react';
import { useId, useState, type KeyboardEvent, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../ui/button.tsx';
import type { ToolGroup, ToolRow, ToolSection } from './arrange-tools.ts';
import classes from './tools-menu.module.css';

const HEADINGS: Record<ToolSection, ParseKeys> = {
  on: 'com_tools_section_on',
  usable: 'com_tools_section_usable',
  more: 'com_tools_section_more',
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
  /** Asks for the values of a plugin; absent where that is done elsewhere. */
  onSetUp?: ((key: string) => void) | undefined;
}

/** The tools, each with a switch. The arrow keys move from one to the next. */
export function ToolSwitches({ groups, label, onToggle, onSetUp }: ToolSwitchesProps) {
  const { t } = useTranslation();
  return (
    // Only handles keys that bubble up from its switches.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div className={classes.list} onKeyDown={walk}>
      {groups.map(({ section, rows }) => {
        const switches = rows.map((row) => (
          <ToolSwitch
            key={row.key}
            row={row}
            onToggle={() => onToggle(row.key)}
            onSetUp={onSetUp && row.lacksValues ? () => onSetUp(row.key) : undefined}
          />
        ));
        if (section === 'more' && groups.length > 1) return <MoreTools key={section}>{switches}</MoreTools>;
        return (
          <section key={section} aria-label={label ?? t(HEADINGS[section])}>
            {groups.length > 1 && <h3 className={classes.source}>{t(HEADINGS[section])}</h3>}
            {switches}
          </section>
        );
      })}
    </div>
  );
}

/** What cannot be switched on as it is: it is out of the way until somebody looks for it. */
function MoreTools({ children }: { children: ReactNode[] }) {
  const { t } = useTranslation();
  const [isUnfolded, setUnfolded] = useState(false);
  return (
    <section aria-label={t('com_tools_section_more')}>
      <h3 className={classes.more}>
        <button type="button" aria-expanded={isUnfolded} onClick={() => setUnfolded(!isUnfolded)}>
          <IconChevronDown aria-hidden />
          {t('com_tools_section_more')}
          <span className={classes.count}>{children.length}</span>
        </button>
      </h3>
      {isUnfolded && children}
    </section>
  );
}

interface ToolSwitchProps {
  row: ToolRow;
  onToggle: () => void;
  onSetUp: (() => void) | undefined;
}

function ToolSwitch({ row, onToggle, onSetUp }: ToolSwitchProps) {
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
      {isDisabled && onSetUp ? (
        <Button type="button" size="sm" aria-label={t('com_tools_set_up_for', { 0: label })} onClick={onSetUp}>
          {t('com_tools_set_up')}
        </Button>
      ) : (
        <Switch
          id={id}
          checked={isOn}
          disabled={isDisabled}
          aria-label={label}
          aria-describedby={aboutId}
          onChange={onToggle}
        />
      )}
    </label>
  );
}

function walk(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!step) return;
  event.preventDefault();
  const switches = [...event.currentTarget.querySelectorAll<HTMLElement>('input:not(:disabled), button')];
  const here = switches.findIndex((one) => one === document.activeElement);
  switches[(here + step + switches.length) % switches.length]?.focus();
}
