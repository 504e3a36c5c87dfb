import '@mantine/core/styles/Input.css';
import '@mantine/core/styles/InlineInput.css';
import '@mantine/core/styles/Switch.css';
import { Switch } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { createElement, useEffect, useId, useRef, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { formatNumber } from '../../lib/format-number.ts';
import { Button } from '../../ui/button.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import type { ToolRow as Row } from './arrange-tools.ts';
import { toolIcon } from './tool-icons.ts';
import classes from './tools-menu.module.css';

export interface ToolRowActs {
  onToggle: (key: string) => void;
  /** Asks for the values of a plugin; absent where that is done elsewhere. */
  onSetUp?: ((key: string) => void) | undefined;
  /** The tools of a server, below it once it is unfolded; absent where they are not chosen one by one. */
  renderParts?: ((row: Row) => ReactNode) | undefined;
}

/** A tool, with a switch or with what it wants before it can be switched on. */
export function ToolRow({ row, ...acts }: ToolRowActs & { row: Row }) {
  const { onToggle, onSetUp, renderParts } = acts;
  const { t } = useTranslation();
  const [isTurned, setTurned] = useState(false);
  const line = useRef<HTMLLabelElement>(null);
  // The list needs all of the room below it.
  useEffect(() => {
    if (isTurned) line.current?.scrollIntoView({ block: 'start' });
  }, [isTurned]);
  // A search that only its tools have shows these.
  const isUnfolded = isTurned || row.partsFound !== undefined;
  const id = useId();
  const aboutId = `${id}-about`;
  const partsId = `${id}-parts`;
  // What is on can always be switched off.
  const isLocked = row.unavailable !== null && !row.isOn;
  const asksKey = isLocked && row.lacksValues && onSetUp;
  // What is missing is what the button asks for.
  const shown = asksKey ? { ...row, unavailable: null } : row;
  const text = <ToolText row={shown} aboutId={aboutId} isUnfolded={isUnfolded} />;
  if (asksKey) {
    return (
      <div className={classes.row}>
        {text}
        <Button
          size="sm"
          variant="subtle"
          aria-label={t('com_tools_set_up_for', { 0: row.label })}
          aria-describedby={aboutId}
          onClick={() => onSetUp(row.key)}
        >
          {t('com_tools_add_key')}
        </Button>
      </div>
    );
  }
  if (isLocked) return <div className={classes.row}>{text}</div>;
  const parts = row.parts && renderParts;
  return (
    <>
      <label ref={line} className={classes.row} htmlFor={id}>
        {text}
        {parts && row.partsFound === undefined && (
          <Unfold row={row} partsId={partsId} isUnfolded={isUnfolded} onTurn={() => setTurned(!isTurned)} />
        )}
        <Switch
          id={id}
          checked={row.isOn}
          aria-label={row.label}
          aria-describedby={aboutId}
          onChange={() => onToggle(row.key)}
        />
      </label>
      {parts && (
        <div id={partsId} className={classes.parts} hidden={!isUnfolded}>
          {isUnfolded && parts(row)}
        </div>
      )}
    </>
  );
}

interface UnfoldProps {
  row: Row;
  partsId: string;
  isUnfolded: boolean;
  onTurn: () => void;
}

/** Shows the tools of a server. */
function Unfold({ row, partsId, isUnfolded, onTurn }: UnfoldProps) {
  const { t } = useTranslation();
  return (
    <IconButton
      className={classes.unfold}
      label={t('com_tools_parts', { 0: row.label })}
      aria-expanded={isUnfolded}
      aria-controls={partsId}
      onClick={(event) => {
        // It stands in the label of a switch.
        event.preventDefault();
        onTurn();
      }}
    >
      <IconChevronDown aria-hidden />
    </IconButton>
  );
}

interface ToolTextProps {
  row: Row;
  aboutId: string;
  /** The list of its tools is below: it tells their names and their number. */
  isUnfolded: boolean;
}

function ToolText({ row, aboutId, isUnfolded }: ToolTextProps) {
  const { t } = useTranslation();
  const { key, label, description, unavailable, wants } = row;
  return (
    <>
      <span className={classes.sign}>{createElement(toolIcon(key), { 'aria-hidden': true })}</span>
      <span className={classes.text}>
        <span className={classes.label} dir="auto">
          {label}
          {!isUnfolded && <PartCount row={row} />}
        </span>
        <span id={aboutId} className={classes.about}>
          {description && !isUnfolded && (
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
    </>
  );
}

/** Of a server: how many of its tools answers may use. */
function PartCount({ row: { parts } }: { row: Row }) {
  const { t, i18n } = useTranslation();
  if (!parts) return null;
  const on = parts.filter(({ isOn }) => isOn).length;
  const said =
    on === parts.length
      ? t('com_tools_some', { count: on })
      : t('com_tools_some_of', { 0: formatNumber(on, i18n.language), 1: formatNumber(parts.length, i18n.language) });
  return <span className={classes.count}>{said}</span>;
}
