import type { Settings } from '@parley/schema/catalog/params';
import { useAtomValue } from 'jotai';
import { useTranslation } from 'react-i18next';
import { personalAtom } from '../account-settings.ts';
import { SwitchField } from './switch-field.tsx';

interface PersonalSwitchProps {
  endpoint: string;
  settings: Settings;
  isTemporary: boolean;
  onChange: (settings: Settings) => void;
}

/** Whether this chat gets the person's instructions for all chats. Shown to who has some. */
export function PersonalSwitch({ endpoint, settings, isTemporary, onChange }: PersonalSwitchProps) {
  const { t } = useTranslation();
  const personal = useAtomValue(personalAtom);
  const hasText = personal && (['about', 'style'] as const).some((name) => personal.isOn[name] && personal[name]);
  if (!hasText || personal.exceptEndpoints.includes(endpoint)) return null;
  const { personal: own, ...others } = settings;
  return (
    <SwitchField
      param={{ kind: 'toggle', default: !isTemporary }}
      words={{ label: t('com_personal'), help: t('com_personal_chat_help'), placeholder: undefined }}
      value={own}
      isOff={false}
      onChange={(isOn) =>
        onChange(isOn === undefined || isOn === !isTemporary ? others : { ...others, personal: isOn })
      }
    />
  );
}
