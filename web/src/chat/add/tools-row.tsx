import { Menu } from '@mantine/core';
import { IconTools } from '@tabler/icons-react';
import { takesTools } from '@parley/schema/catalog/endpoints';
import { useTranslation } from 'react-i18next';
import { useStartup } from '../../startup.ts';
import { MenuRow } from '../../ui/menu/menu-row.tsx';
import { chosenTools } from '../tools/arrange-tools.ts';
import type { Chat } from '../use-chat.ts';
import type { AddPart } from './add-button.tsx';

/** The tools of the chat, where its model takes any. */
export function ToolsRow({ chat: { modelTarget }, onOpen }: { chat: Chat; onOpen: (part: AddPart) => void }) {
  const { t } = useTranslation();
  const areOff = useStartup()?.toolsEnabled === false;
  if (areOff || !modelTarget || !takesTools(modelTarget.endpointType, modelTarget.model)) return null;
  const count = chosenTools(modelTarget.settings).length;
  return (
    <>
      <Menu.Divider />
      <MenuRow icon={IconTools} onClick={() => onOpen('tools')}>
        {count > 0 ? t('com_tools_on', { count }) : t('com_tools')}
      </MenuRow>
    </>
  );
}
