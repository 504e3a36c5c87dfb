import { IconArrowBackUp } from '@tabler/icons-react';
import { useAtom, useAtomValue } from 'jotai';
import { useTranslation } from 'react-i18next';
import { chosenKeysAtom, writeKeys, type BoundKeys } from '../../layout/bound-keys.ts';
import { isSameKeys, SHORTCUT_NAMES, SHORTCUTS, type Shortcut, shownKeys, type Keys } from '../../layout/shortcuts.ts';
import { settingAtom } from '../../stored-settings.ts';
import { Button } from '../../ui/button.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { useShortcutWords } from '../../layout/use-shortcut-words.ts';
import { Setting } from '../setting.tsx';
import classes from './keyboard.module.css';
import { useId, useState, type KeyboardEvent } from 'react';
import { findConflict, keysProblem, readPress, type KeysProblem } from './record-keys.ts';

/** The keys of each shortcut, to be changed. */
export function ShortcutRows() {
  const { t } = useTranslation();
  const keys = useAtomValue(chosenKeysAtom);
  const [areOn] = useAtom(settingAtom('hasShortcuts'));
  const [, store] = useAtom(settingAtom('shortcuts'));
  const change = (next: BoundKeys) => store(writeKeys(next));
  const isUsual = SHORTCUT_NAMES.every((name) => isSameKeys(keys[name], SHORTCUTS[name]));
  return (
    <section aria-label={t('com_shortcuts')}>
      {SHORTCUT_NAMES.map((name) => (
        <ShortcutRow key={name} name={name} keys={keys} isOff={!areOn} onChange={change} />
      ))}
      <Setting name={t('com_shortcuts_reset_all')} hint={t('com_shortcuts_fixed')}>
        <Button size="sm" disabled={isUsual} onClick={() => change(SHORTCUTS)}>
          {t('com_shortcuts_reset')}
        </Button>
      </Setting>
    </section>
  );
}

interface ShortcutRowProps {
  name: Shortcut;
  keys: BoundKeys;
  isOff: boolean;
  onChange: (keys: BoundKeys) => void;
}

function ShortcutRow({ name, keys, isOff, onChange }: ShortcutRowProps) {
  const { t } = useTranslation();
  const label = useShortcutWords()[name];
  return (
    <Setting name={label}>
      <div className={classes.control}>
        {!isSameKeys(keys[name], SHORTCUTS[name]) && (
          <IconButton
            label={t('com_shortcuts_reset_this', { 0: label })}
            disabled={isOff}
            onClick={() => onChange({ ...keys, [name]: SHORTCUTS[name] })}
          >
            <IconArrowBackUp aria-hidden />
          </IconButton>
        )}
        <KeysButton name={name} label={label} keys={keys} isOff={isOff} onChange={onChange} />
      </div>
    </Setting>
  );
}

interface KeysButtonProps {
  name: Shortcut;
  label: string;
  keys: BoundKeys;
  isOff: boolean;
  onChange: (keys: BoundKeys) => void;
}

/** What was pressed and cannot simply be taken. */
type Trouble = { problem: KeysProblem; pressed: Keys } | { other: Shortcut; pressed: Keys };

/** Shows the keys of a shortcut. Pressed, it takes the next keys that are pressed; Escape keeps the old ones. */
function KeysButton({ name, label, keys, isOff, onChange }: KeysButtonProps) {
  const { t } = useTranslation();
  const words = useShortcutWords();
  const noteId = useId();
  const [isWaiting, setWaiting] = useState(false);
  const [trouble, setTrouble] = useState<Trouble | null>(null);
  const shown = shownKeys(keys[name], t) || t('com_shortcuts_none');

  function bind(pressed: Keys, other?: Shortcut): void {
    setWaiting(false);
    setTrouble(null);
    onChange({ ...keys, ...(other && { [other]: [] }), [name]: pressed });
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (!isWaiting) return;
    const plain = !event.ctrlKey && !event.metaKey && !event.altKey;
    // One can leave it as any button.
    if (event.key === 'Tab' && plain) return;
    event.preventDefault();
    event.stopPropagation();
    if (event.key === 'Escape' && plain && !event.shiftKey) return stop();
    const pressed = readPress(event.nativeEvent);
    if (!pressed) return;
    const problem = keysProblem(pressed, name);
    const other = findConflict(pressed, name, keys);
    if (problem) setTrouble({ problem, pressed });
    else if (other) setTrouble({ other, pressed });
    else bind(pressed);
  }

  function stop(): void {
    setWaiting(false);
    setTrouble(null);
  }

  return (
    <div
      className={classes.recorder}
      onBlur={({ currentTarget, relatedTarget }) => !currentTarget.contains(relatedTarget) && stop()}
    >
      <Button
        size="sm"
        className={classes.keys}
        aria-label={isWaiting ? t('com_shortcuts_press') : `${label}: ${shown}`}
        aria-describedby={trouble ? noteId : undefined}
        aria-pressed={isWaiting}
        disabled={isOff}
        // Escape is for the dialog otherwise.
        data-mantine-stop-propagation={isWaiting ? 'true' : undefined}
        onKeyDown={onKeyDown}
        onClick={() => (isWaiting ? stop() : setWaiting(true))}
      >
        <kbd dir="auto">{isWaiting ? t('com_shortcuts_press') : shown}</kbd>
      </Button>
      <div id={noteId} role="status" className={classes.trouble}>
        {trouble && 'problem' in trouble && t(trouble.problem, { 0: shownKeys(trouble.pressed, t) })}
        {trouble && 'other' in trouble && (
          <>
            {t('com_shortcuts_taken', { 0: shownKeys(trouble.pressed, t), 1: words[trouble.other] })}
            <Button size="sm" onClick={() => bind(trouble.pressed, trouble.other)}>
              {t('com_shortcuts_take')}
            </Button>
          </>
        )}
      </div>
    </div>
  );
}
