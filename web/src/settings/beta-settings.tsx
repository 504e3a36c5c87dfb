import '@mantine/core/styles/InlineInput.css';
import '@mantine/core/styles/Switch.css';
import { Switch } from '@mantine/core';
import { useAtom } from 'jotai';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { modularChatAtom } from './modular-chat.ts';
import { Setting } from './setting.tsx';

export function BetaSettings() {
  const { t } = useTranslation();
  const id = useId();
  const [isModular, setModular] = useAtom(modularChatAtom);
  return (
    <Setting name={t('com_nav_modular_chat')} hint={t('com_nav_modular_chat_hint')} controlId={id}>
      <Switch
        id={id}
        size="md"
        withThumbIndicator={false}
        data-testid="modularChat"
        checked={isModular}
        onChange={(event) => setModular(event.currentTarget.checked)}
      />
    </Setting>
  );
}
