// What the form of a schedule has, saved or not. What was typed stays when its page is left and when it reloads.
import { asFields, isObject } from '@parley/schema/json';
import type { Schedule } from '@parley/schema/schedules/schedule-rules';
import { carrySettings } from '@parley/schema/settings/carry-settings';
import { endpointTypeOf, type Catalog, type Choice } from '../catalog/choose-model.ts';
import { newId } from '../lib/new-id.ts';
import { draftsAtom } from '../lib/personal-data.ts';
import type { Place } from './place-field.tsx';
import { ownTimeZone, WHEN_KINDS, whenOf, type When } from './when.ts';

/** What was stored may be no setting of the endpoint any more. */
type StoredChoice = Omit<Choice, 'settings'> & { settings?: Readonly<Record<string, unknown>> | undefined };

export interface Draft {
  id: string;
  title: string;
  text: string;
  choice: StoredChoice | null;
  timeZone: string;
  when: When;
  place: Place;
}

/** By the ids of schedules, and by `NEW_SCHEDULE`. */
export const scheduleDraftsAtom = draftsAtom('scheduleDrafts', parseDraft);

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

function parseDraft(stored: unknown): Draft | undefined {
  const { id, title, text, timeZone, when, place, choice } = asFields(stored);
  const rule = parseWhen(when);
  const { folderId, convoId } = asFields(place);
  if (!isText(id) || !isText(title) || !isText(text) || !isText(timeZone) || !rule) return undefined;
  return {
    id,
    title,
    text,
    timeZone,
    when: rule,
    place: { folderId: isText(folderId) ? folderId : null, convoId: isText(convoId) ? convoId : null },
    choice: parseChoice(choice),
  };
}

function parseWhen(stored: unknown): When | undefined {
  const { kind, time, weekday, day, date, cron } = asFields(stored);
  const known = WHEN_KINDS.find((one) => one === kind);
  if (!known || !isText(time) || !isText(weekday) || !isText(day) || !isText(date) || !isText(cron)) return undefined;
  return { kind: known, time, weekday, day, date, cron };
}

/** Who answers, with the settings that the endpoint takes. */
export function choiceOf({ choice }: Pick<Draft, 'choice'>, { endpoints }: Catalog): Choice | null {
  if (!choice) return null;
  const { endpoint, model, settings = {} } = choice;
  return { ...choice, settings: carrySettings(endpointTypeOf(endpoint, endpoints[endpoint]), model, settings) };
}

function parseChoice(stored: unknown): StoredChoice | null {
  const { endpoint, model, settings, presetId } = asFields(stored);
  if (!isText(endpoint)) return null;
  return {
    endpoint,
    model: isText(model) ? model : null,
    ...(isObject(settings) && { settings }),
    ...(isText(presetId) && { presetId }),
  };
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}
