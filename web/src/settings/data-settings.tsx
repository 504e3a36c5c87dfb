import { useTranslation } from 'react-i18next';
import { useClear } from '../shell/use-clear.ts';
import { Setting } from './setting.tsx';
import { TwoClick } from './two-click.tsx';

export function DataSettings() {
  const { t } = useTranslation();
  const { clear, isClearing } = useClear();
  return (
    <Setting name={t('com_nav_clear_all_chats')} hint={t('com_nav_clear_all_chats_hint')}>
      <TwoClick
        verb={t('com_ui_clear')}
        label={t('com_nav_clear_all_chats')}
        testId="clear-convos"
        isBusy={isClearing}
        onConfirm={clear}
      />
    </Setting>
  );
}
