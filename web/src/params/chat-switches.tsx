import type { CHAT_SWITCHES } from '@parley/schema/settings/fit-settings';
import type { Settings } from '@parley/schema/catalog/params';
import { useAtomValue } from 'jotai';
import { useTranslation } from 'react-i18next';
import { memoryAtom, personalAtom } from '../account-settings.ts';
import { SwitchField } from './switch-field.tsx';

interface ChatSwitchesProps {
  endpoint: string;
  settings: Settings;
  isTemporary: boolean;
  onChange: (settings: Settings) => void;
}

/** Whether this chat gets what the account keeps for all chats. Shown to a person who keeps something. */
export function ChatSwitches({ endpoint, isTemporary, ...chat }: ChatSwitchesProps) {
  const { t } = useTranslation();
  const personal = useAtomValue(personalAtom);
  const memory = useAtomValue(memoryAtom);
  const hasText = personal && (['about', 'style'] as const).some((name) => personal.isOn[name] && personal[name]);
  const remembers = memory && memory.mode !== 'off' && !isTemporary;
  return (
    <>
      {hasText && !personal.exceptEndpoints.includes(endpoint) && (
        <ChatSwitch
          {...chat}
          name="personal"
          isUsual={!isTemporary}
          label={t('com_personal')}
          help={t('com_personal_chat_help')}
        />
      )}
      {remembers && !memory.exceptEndpoints.includes(endpoint) && (
        <ChatSwitch {...chat} name="memory" isUsual label={t('com_memory')} help={t('com_memory_chat_help')} />
      )}
    </>
  );
}

interface ChatSwitchProps extends Pick<ChatSwitchesProps, 'settings' | 'onChange'> {
  name: (typeof CHAT_SWITCHES)[number];
  /** What holds where the chat decides nothing. */
  isUsual: boolean;
  label: string;
  help: string;
}

function ChatSwitch({ name, isUsual, label, help, settings, onChange }: ChatSwitchProps) {
  const { [name]: own, ...others } = settings;
  return (
    <SwitchField
      param={{ kind: 'toggle', default: isUsual }}
      words={{ label, help, placeholder: undefined }}
      value={own}
      isOff={false}
      onChange={(isOn) => onChange(isOn === undefined || isOn === isUsual ? others : { ...others, [name]: isOn })}
    />
  );
}
