import { IconArrowBackUp } from '@tabler/icons-react';
import { useAtom, useAtomValue } from 'jotai';
import { useTranslation } from 'react-i18next';
import { chosenKeysAtom, writeKeys, type BoundKeys } from '../../layout/bound-keys.ts';
import { isSameKeys, SHORTCUT_NAMES, SHORTCUTS, type Shortcut } from '../../layout/shortcuts.ts';
import { settingAtom } from '../../stored-settings.ts';
import { Button } from '../../ui/button.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { useShortcutWords } from '../../layout/use-shortcut-words.ts';
import { Setting } from '../setting.tsx';
import classes from './keyboard.module.css';
import { KeysButton } from './keys-button.tsx';

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
