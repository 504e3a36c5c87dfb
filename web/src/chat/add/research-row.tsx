import { Menu } from '@mantine/core';
import { IconCheck, IconReportSearch } from '@tabler/icons-react';
import { takesTools } from '@parley/schema/catalog/endpoints';
import type { TFunction } from 'i18next';
import { useAtom, useAtomValue } from 'jotai';
import { useTranslation } from 'react-i18next';
import { draftKeyOf } from '../../slots/slot.ts';
import { useStartup } from '../../startup.ts';
import { useChatSession } from '../chat-session-context.tsx';
import { researchAtom } from '../drafts/research.ts';
import type { Chat } from '../use-chat.ts';
import classes from './add-button.module.css';
import { OffRow } from './off-row.tsx';

/** Makes the question one for a report, where there is something to search; where its model cannot it says why. */
export function ResearchRow({ chat }: { chat: Chat }) {
  const { t } = useTranslation();
  const draft = draftKeyOf(chat.slot);
  const [chosen, choose] = useAtom(researchAtom);
  const canSearch = useCanSearch(chat);
  const why = useWhyNot(chat, t);
  if (!canSearch) return null;
  if (why !== null) return <OffRow icon={<IconReportSearch aria-hidden />} label={t('com_research')} why={why} />;
  return (
    <Menu.CheckboxItem
      classNames={{ itemIndicator: classes.check }}
      checked={chosen.includes(draft)}
      onChange={(isOn) => choose(draft, isOn)}
      checkIcon={<IconCheck aria-hidden />}
      closeMenuOnClick
    >
      {t('com_research')}
    </Menu.CheckboxItem>
  );
}

/** The web, or a file of the question. */
function useCanSearch({ slot }: Chat): boolean {
  const startup = useStartup();
  const { drafts } = useChatSession();
  const hasFiles = useAtomValue(drafts.attachmentsAtom(draftKeyOf(slot))).length > 0;
  return startup?.webSearchEnabled === true || hasFiles;
}

function useWhyNot({ modelTarget, convo }: Chat, t: TFunction): string | null {
  const startup = useStartup();
  if (convo?.columns) return t('com_research_not_compared');
  const isOff = startup?.toolsEnabled === false || modelTarget?.endpointType === 'gptPlugins';
  if (isOff || !modelTarget || !takesTools(modelTarget.endpointType, modelTarget.model))
    return t('com_research_no_tools');
  return null;
}
