// What the form of a schedule has, saved or not.
import type { Schedule } from '@parley/schema/schedules/schedule-rules';
import type { Choice } from '../catalog/choose-model.ts';
import { newId } from '../lib/new-id.ts';
import type { Place } from './place-field.tsx';
import { ownTimeZone, whenOf, type When } from './when.ts';

export interface Draft {
  id: string;
  title: string;
  text: string;
  choice: Choice | null;
  timeZone: string;
  when: When;
  place: Place;
}

/** Of a schedule that is not there yet: each weekday at seven, where its person is. */
const NEW = { cron: '0 7 * * 1-5', at: null };

/** `question` is the text of one that is not there yet. */
export function scheduleToDraft(schedule: Schedule | null, choice: Choice | null, question = ''): Draft {
  const {
    id = newId(),
    title = '',
    text = question,
    timeZone = ownTimeZone(),
    folderId = null,
    convoId = null,
  } = schedule ?? {};
  const when = whenOf(schedule ?? NEW, timeZone, new Date());
  return { id, title, text, choice, timeZone, when, place: { folderId, convoId } };
}
