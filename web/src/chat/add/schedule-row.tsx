import { Menu } from '@mantine/core';
import { IconCalendarClock } from '@tabler/icons-react';
import { useAtomValue } from 'jotai';
import { useTranslation } from 'react-i18next';
import { navigate } from 'wouter/use-browser-location';
import { draftKeyOf, useSlot } from '../../slots/slot.ts';
import { MenuRow } from '../../ui/menu/menu-row.tsx';
import { useChatSession } from '../chat-session-context.tsx';

/** What is typed is the question of a new schedule; the box keeps it. */
export function ScheduleRow() {
  const { t } = useTranslation();
  const { drafts } = useChatSession();
  const text = useAtomValue(drafts.draftAtom(draftKeyOf(useSlot())));
  return (
    <>
      <Menu.Divider />
      <MenuRow icon={IconCalendarClock} onClick={() => navigate('/schedules/new', { state: { text } })}>
        {t('com_composer_schedule')}
      </MenuRow>
    </>
  );
}
