// Tests of this room: tests/unit/server/schedules, tests/integration/schedules.

// The times of a rule. Each is computed from the one before, never from the present: a late server asks the same slots.
import { SCHEDULE_MINUTES_APART_MIN } from '@parley/schema/schedules/schedule-rules';
import type { ScheduleRule } from '@parley/schema/schedules/schedules';
import type { Reason } from '@parley/schema/reasons';
import { Cron } from 'croner';
import { Refusal, refuse } from '../platform/errors.ts';

/** Times that are compared to tell how close those of a rule are: more than a day has at a quarter of an hour. */
const COMPARED_SLOTS = 100;
/** A slot that is later than this is not asked any more. */
const CATCH_UP_MS = 24 * 60 * 60_000;
/** Of slots that passed while no server ran: the newest are recorded. */
const MISSED_MAX = 50;
/** Slots that are looked at one by one. After a longer absence it begins again with the last day. */
const PASSED_MAX = 500;

const MINUTE_MS = 60_000;
/** The words of croner beyond the five fields, such as `@daily`, are not ours. */
const FIELD = /^[\d*,/\-A-Z#]+$/i;

/** @throws Refusal `invalid_input` for a rule that is not kept, and for a time that has passed */
export function assertRule({ cron, at, timeZone }: ScheduleRule, now: Date): void {
  if (!isTimeZone(timeZone)) refuse({ type: 'invalid_input', text: 'There is no such time zone' });
  if (cron && at) refuse({ type: 'invalid_input', text: 'Give a rule or a time, not both' });
  if (at) {
    if (Date.parse(at) <= now.getTime()) refuse({ type: 'invalid_input', text: 'The time has passed' });
    return;
  }
  if (!cron) refuse({ type: 'invalid_input', text: 'Give a rule or a time' });
  assertCron(cron, now);
}

/** Whether a rule of an export can be shown; its time may have passed. */
export function isReadable({ cron = null, at = null, timeZone }: ScheduleRule): boolean {
  try {
    assertRule({ cron, at, timeZone }, new Date(at === null ? Date.now() : Date.parse(at) - 1));
    return true;
  } catch {
    return false;
  }
}

function assertCron(cron: string, now: Date): void {
  const fields = cron.split(/\s+/);
  if (fields.length !== 5 || !fields.every((field) => FIELD.test(field)))
    refuse({ type: 'invalid_input', text: 'A rule has five fields: minute, hour, day, month and weekday' });
  const slots = firstSlots(cron, now);
  if (slots.length === 0) refuse({ type: 'invalid_input', text: 'This rule never comes true' });
  if (slots.some((slot, n) => n > 0 && slot - (slots[n - 1] ?? 0) < SCHEDULE_MINUTES_APART_MIN * MINUTE_MS))
    refuse({
      type: 'invalid_input',
      text: `Two questions of a rule must be at least ${SCHEDULE_MINUTES_APART_MIN} minutes apart`,
    });
}

/** In UTC: a clock that is changed must not bring two times of a good rule together. */
function firstSlots(cron: string, now: Date): number[] {
  try {
    return open(cron, 'UTC')
      .nextRuns(COMPARED_SLOTS, now)
      .map((slot) => slot.getTime());
  } catch {
    return refuse({ type: 'invalid_input', text: 'This rule cannot be read' });
  }
}

/** The next time of a rule after `after`; null where there is none. The rule has passed `assertRule`. */
export function nextSlot({ cron, at, timeZone }: ScheduleRule, after: Date): Date | null {
  if (cron) return open(cron, timeZone).nextRun(after);
  const once = new Date(at ?? NaN);
  return once > after ? once : null;
}

/** The next times, for people to read; or why it is no rule, which is no fault of who types it. */
export function previewRule(rule: ScheduleRule, now: Date, count: number): { slots: string[]; reason: Reason | null } {
  try {
    assertRule(rule, now);
    return { slots: nextSlots(rule, now, count).map((slot) => slot.toISOString()), reason: null };
  } catch (error) {
    if (error instanceof Refusal) return { slots: [], reason: error.reason };
    throw error;
  }
}

export function nextSlots(rule: ScheduleRule, after: Date, count: number): Date[] {
  const slots: Date[] = [];
  for (let slot = nextSlot(rule, after); slot && slots.length < count; slot = nextSlot(rule, slot)) slots.push(slot);
  return slots;
}

export interface DueSlots {
  /** The one that is asked: the newest that has passed, unless that is too long ago. */
  asked: Date | null;
  missed: Date[];
  next: Date | null;
}

/** What of a rule is due at `now`, where `first` is its earliest slot that was not asked. */
export function dueSlots(rule: ScheduleRule, first: Date, now: Date): DueSlots {
  const passed: Date[] = [];
  let next: Date | null = first;
  for (let looked = 0; next && next <= now; looked++) {
    passed.push(next);
    next = nextSlot(rule, looked < PASSED_MAX ? next : new Date(Math.max(now.getTime() - CATCH_UP_MS, next.getTime())));
  }
  const newest = passed.at(-1);
  const asked = newest && now.getTime() - newest.getTime() <= CATCH_UP_MS ? newest : null;
  return { asked, missed: passed.filter((slot) => slot !== asked).slice(-MISSED_MAX), next };
}

function isTimeZone(timeZone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone });
    return true;
  } catch {
    return false;
  }
}

function open(cron: string, timezone: string): Cron {
  return new Cron(cron, { timezone, mode: '5-part', paused: true });
}
