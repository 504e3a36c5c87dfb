import { useAtomValue } from 'jotai';
import { useTranslation } from 'react-i18next';
import { DialogFrame } from '../../dialogs/dialog-frame.tsx';
import { useShowDialog } from '../../dialogs/open-dialog.ts';
import { boundKeysAtom } from '../../layout/bound-keys.ts';
import { shownKeys, SHORTCUT_NAMES } from '../../layout/shortcuts.ts';
import { useShortcutWords } from '../../layout/use-shortcut-words.ts';
import { settingAtom } from '../../stored-settings.ts';
import { Button } from '../../ui/button.tsx';
import classes from './shortcuts-dialog.module.css';

/** Lists the global shortcuts, with the keys they have now. */
export function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const words = useShortcutWords();
  const show = useShowDialog();
  const keys = useAtomValue(boundKeysAtom);
  const areOn = useAtomValue(settingAtom('hasShortcuts'));
  const doesEnterSend = useAtomValue(settingAtom('enterToSend'));
  const bound = SHORTCUT_NAMES.filter((name) => keys[name].length > 0);
  const rows = bound.map((name) => ({ name: words[name], keys: shownKeys(keys[name], t) }));
  const more = [
    { name: t('com_shortcut_escape'), keys: 'Esc' },
    { name: t('com_shortcut_send'), keys: shownKeys(doesEnterSend ? ['Enter'] : ['mod', 'Enter'], t) },
    { name: t('com_shortcut_line'), keys: shownKeys(doesEnterSend ? ['shift', 'Enter'] : ['Enter'], t) },
    { name: t('com_shortcut_edit'), keys: '↑' },
    { name: t('com_shortcut_rows'), keys: '↑ ↓' },
  ];
  return (
    <DialogFrame title={t('com_shortcuts')} onClose={onClose}>
      {!areOn && <p className={classes.off}>{t('com_shortcuts_are_off')}</p>}
      <dl>
        {[...rows, ...more].map((row) => (
          <div key={row.name + row.keys} className={classes.row}>
            <dt>{row.name}</dt>
            <dd className={classes.keys}>
              <kbd dir="auto">{row.keys}</kbd>
            </dd>
          </div>
        ))}
      </dl>
      <Button
        className={classes.change}
        onClick={() => show({ name: 'settings', at: { tab: 'keyboard' }, back: { name: 'shortcuts' } })}
      >
        {t('com_shortcuts_change')}
      </Button>
    </DialogFrame>
  );
}
