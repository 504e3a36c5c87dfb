import { useEffect, useRef } from 'react';
import { HighlightedText } from '../search/highlighted-text.tsx';
import { optionId, type PaletteEntry, type PaletteGroup } from './palette-entry.ts';
import classes from './palette.module.css';

interface PaletteListProps {
  id: string;
  label: string;
  groups: PaletteGroup[];
  active: PaletteEntry | undefined;
  onPoint: (entry: PaletteEntry) => void;
}

/** The options in named groups; scrolls the active one into view. */
export function PaletteList({ id, label, groups, active, onPoint }: PaletteListProps) {
  const list = useRef<HTMLDivElement>(null);
  const activeId = active?.id;
  useEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
  }, [activeId]);

  return (
    <div ref={list} id={id} className={classes.list} role="listbox" aria-label={label}>
      {groups.map((group, index) => (
        <div key={group.name} role="group" aria-labelledby={`${id}-${index}`}>
          <div id={`${id}-${index}`} className={classes.heading} aria-hidden>
            {group.name}
          </div>
          {group.entries.map((entry) => (
            <Option
              key={entry.id}
              id={optionId(id, entry)}
              entry={entry}
              isActive={entry.id === activeId}
              onPoint={onPoint}
            />
          ))}
        </div>
      ))}
    </div>
  );
}

interface OptionProps {
  id: string;
  entry: PaletteEntry;
  isActive: boolean;
  onPoint: (entry: PaletteEntry) => void;
}

function Option({ id, entry, isActive, onPoint }: OptionProps) {
  const { Icon, label, hint, keys, run } = entry;
  return (
    // The input above keeps the focus and handles the keys.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
    <div
      id={id}
      className={classes.option}
      role="option"
      aria-selected={isActive}
      onPointerMove={() => isActive || onPoint(entry)}
      onMouseDown={(event) => event.preventDefault()}
      onClick={run}
    >
      <Icon aria-hidden />
      <span className={classes.words} data-long={typeof label !== 'string' || undefined}>
        <span className={classes.label} dir="auto">
          {typeof label === 'string' ? label : <HighlightedText parts={label} />}
        </span>
        {hint && (
          <span className={classes.hint} dir="auto">
            {hint}
          </span>
        )}
        {keys && (
          <span className={`${classes.hint} ${classes.keys}`} dir="auto">
            {keys}
          </span>
        )}
      </span>
    </div>
  );
}
