// Questions that the server asks by the clock.
import * as z from 'zod';
import { ATTACHMENTS_MAX } from '../chat/ask.ts';
import { DraftFile } from '../chat/drafts.ts';
import { QueuedTarget } from '../chat/queue-inputs.ts';
import { cleanText } from '../clean-text.ts';
import { Id } from '../ids.ts';
import { SCHEDULE_TEXT_MAX, SCHEDULE_TITLE_MAX } from './schedule-rules.ts';

const CRON_MAX = 100;
const TIME_ZONE_MAX = 64;

/** When a schedule asks: by a rule of five fields, or once. */
const Rule = {
  cron: z.string().trim().max(CRON_MAX).nullish(),
  at: z.iso.datetime({ offset: true }).nullish(),
  /** A name of the IANA list, such as `Europe/Berlin`: the rule is read in its local time. */
  timeZone: z.string().min(1).max(TIME_ZONE_MAX),
};

export const ScheduleRule = z.strictObject(Rule);
export type ScheduleRule = z.infer<typeof ScheduleRule>;

export const ScheduleTitle = z
  .string()
  .overwrite(cleanText)
  .trim()
  .min(1, 'A title is required')
  .max(SCHEDULE_TITLE_MAX);
export const ScheduleText = z.string().max(SCHEDULE_TEXT_MAX).overwrite(cleanText);
export const ScheduleTarget = QueuedTarget.pick({ endpoint: true, model: true, settings: true });
export const ScheduleFiles = z.array(DraftFile).max(ATTACHMENTS_MAX);

/** Creates the schedule with this id, made by the client, or replaces all of it. */
export const SaveSchedule = z
  .strictObject({
    id: Id,
    title: ScheduleTitle,
    text: ScheduleText,
    target: ScheduleTarget,
    ...Rule,
    /** Where each new conversation begins, if the folder still exists. */
    folderId: Id.nullish(),
    /** The conversation that goes on; absent: each run begins a new one. */
    convoId: Id.nullish(),
    files: ScheduleFiles.default([]),
  })
  .refine(({ text, files }) => text.trim() !== '' || files.length > 0, 'The text is empty');
export type SaveSchedule = z.infer<typeof SaveSchedule>;

export const ScheduleRef = z.strictObject({ id: Id });
