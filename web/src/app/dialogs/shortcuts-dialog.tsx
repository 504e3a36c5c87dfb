import { useAtomValue } from 'jotai';
import { useTranslation } from 'react-i18next';
import { DialogFrame } from '../../dialogs/dialog-frame.tsx';
import classes from './shortcuts-dialog.module.css';
import { settingAtom } from '../../stored-settings.ts';
import { keysOf, SHORTCUTS, type Shortcut } from '../../layout/shortcuts.ts';

/** Lists the global shortcuts. */
export function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const doesEnterSend = useAtomValue(settingAtom('enterToSend'));
  const names: Record<Shortcut, string> = {
    palette: t('com_shortcut_palette'),
    newChat: t('com_nav_new_chat'),
    sidebar: t('com_shortcut_sidebar'),
    composer: t('com_shortcut_composer'),
    shortcuts: t('com_shortcut_list'),
    escape: t('com_shortcut_escape'),
    undo: t('com_shortcut_undo'),
    notice: t('com_shortcut_notice'),
  };
  const rows = Object.entries(SHORTCUTS).map(([name, keys]) => ({
    name: names[name as Shortcut],
    keys: keysOf(keys, t),
  }));
  const more = [
    { name: t('com_shortcut_send'), keys: keysOf(doesEnterSend ? ['enter'] : ['mod', 'enter'], t) },
    { name: t('com_shortcut_line'), keys: keysOf(doesEnterSend ? ['shift', 'enter'] : ['enter'], t) },
    { name: t('com_shortcut_rows'), keys: '↑ ↓' },
    { name: t('com_shortcut_select'), keys: t('com_shortcut_shift_click') },
    { name: t('com_shortcut_sidebar'), keys: t('com_shortcut_ctrl_click') },
  ];
  return (
    <DialogFrame title={t('com_shortcuts')} onClose={onClose}>
      <dl className={classes.list}>
        {[...rows, ...more].map(({ name, keys }) => (
          <div key={name + keys} className={classes.row}>
            <dt>{name}</dt>
            <dd className={classes.keys}>
              <kbd dir="auto">{keys}</kbd>
            </dd>
          </div>
        ))}
      </dl>
    </DialogFrame>
  );
}
