import type { Chat } from '../use-chat.ts';
import { PictureRow } from './picture-row.tsx';
import { ResearchRow } from './research-row.tsx';
import { ScheduleRow } from './schedule-row.tsx';

/** What becomes of the question beside an answer in words now. */
export function MoreRows({ chat }: { chat: Chat }) {
  return (
    <>
      <PictureRow chat={chat} />
      <ResearchRow chat={chat} />
      <ScheduleRow />
    </>
  );
}
