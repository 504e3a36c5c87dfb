import { useTranslation } from 'react-i18next';
import type { Shortcut } from './shortcuts.ts';

/** What each shortcut does. */
export function useShortcutWords(): Record<Shortcut, string> {
  const { t } = useTranslation();
  return {
    palette: t('com_shortcut_palette'),
    newChat: t('com_nav_new_chat'),
    temporary: t('com_temporary_start'),
    find: t('com_find'),
    print: t('com_print'),
    models: t('com_endpoint_choose'),
    sidebar: t('com_shortcut_sidebar'),
    composer: t('com_shortcut_composer'),
    copyAnswer: t('com_shortcut_copy_answer'),
    copyCode: t('com_shortcut_copy_code'),
    removeChat: t('com_shortcut_remove'),
    undo: t('com_shortcut_undo'),
    notice: t('com_shortcut_notice'),
    settings: t('com_nav_settings'),
    shortcuts: t('com_shortcut_list'),
  };
}
