import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { useClear } from '../convos/actions/use-clear.ts';
import { TwoClickButton } from '../ui/two-click-button.tsx';
import { SettingRows } from './setting-rows.tsx';
import { Setting } from './setting.tsx';

export function GeneralSettings() {
  return (
    <>
      <SettingRows tab="general" />
      <ClearChats />
    </>
  );
}

/** Setting row: deletes all conversations. */
function ClearChats() {
  const { t } = useTranslation();
  const id = useId();
  const { clear } = useClear();
  return (
    <Setting name={t('com_nav_clear_all_chats')} nameId={id} hint={t('com_nav_clear_all_chats_hint')}>
      <TwoClickButton
        label={t('com_ui_clear')}
        confirm={t('com_ui_confirm_action')}
        describedBy={id}
        testId="clear-convos"
        run={clear}
      />
    </Setting>
  );
}
