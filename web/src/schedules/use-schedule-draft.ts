import { asFields } from '@parley/schema/json';
import { SCHEDULE_TEXT_MAX, type Schedule } from '@parley/schema/schedules/schedule-rules';
import { useAtom } from 'jotai';
import { useState } from 'react';
import type { Choice } from '../catalog/choose-model.ts';
import { scheduleDraftsAtom, scheduleToDraft, type Draft } from './schedule-draft.ts';
import { NEW_SCHEDULE } from './schedule-paths.ts';

/** What was typed into the message box from which the form was opened. */
function typedText(): string {
  const { text } = asFields(window.history.state);
  return typeof text === 'string' ? text.slice(0, SCHEDULE_TEXT_MAX) : '';
}

/** What the form of a schedule has: what was typed and not saved, else what is stored. */
export function useScheduleDraft(schedule: Schedule | null, first: Choice | null) {
  const key = schedule?.id ?? NEW_SCHEDULE;
  const [drafts, setDraft] = useAtom(scheduleDraftsAtom);
  const [stored] = useState(() => scheduleToDraft(schedule, first));
  const typed = schedule ? '' : typedText();
  const draft: Draft = { ...(drafts[key] ?? stored), ...(typed !== '' && { text: typed }) };

  function change(over: Partial<Draft>): void {
    // It is in the draft from now on.
    if (typed !== '') window.history.replaceState(null, '');
    setDraft(key, { ...draft, ...over });
  }

  return { key, draft, isChanged: drafts[key] !== undefined, change, forget: () => setDraft(key, null) };
}
