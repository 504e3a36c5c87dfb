// Tests of this room: tests/unit/schedules, tests/unit/web/schedules.

// Limits and shapes of schedules, without a schema library: the page uses them, too.
import type { DraftFile } from '../chat/drafts.ts';
import type { QueuedTarget } from '../chat/queue-inputs.ts';
import type { Reason } from '../reasons.ts';

/** Schedules that one person may have. */
export const SCHEDULES_MAX = 50;
export const SCHEDULE_TITLE_MAX = 120;
/** In characters. */
export const SCHEDULE_TEXT_MAX = 50_000;
/** Two questions of a rule are at least so far apart. */
export const SCHEDULE_MINUTES_APART_MIN = 15;
/** So many failures in a row pause a schedule. */
export const SCHEDULE_FAILURES_MAX = 5;
/** The newest runs of each schedule that are kept. */
export const SCHEDULE_RUNS_MAX = 100;

/** `ended`: the one question has been asked, or the rule names no further time. */
export type ScheduleState = 'on' | 'paused' | 'ended';

/** Who answers, by what settings. */
export type ScheduleTarget = Pick<QueuedTarget, 'endpoint' | 'model' | 'settings'>;

export interface Schedule {
  id: string;
  title: string;
  text: string;
  files: DraftFile[];
  target: ScheduleTarget;
  folderId: string | null;
  convoId: string | null;
  cron: string | null;
  at: string | null;
  timeZone: string;
  /** Null where it is not on. */
  nextAt: string | null;
  state: ScheduleState;
  /** In a row. */
  failures: number;
  lastRun: ScheduleRun | null;
}

export interface ScheduleRun {
  /** The time that it was due. */
  slot: string;
  /** `missed`: the server was not there, and a later run caught up or it was too late. */
  state: 'asked' | 'missed' | 'refused';
  /** The conversation with the question; null where nothing was asked. */
  convoId: string | null;
  /** Why it was refused, or why its reply has failed. */
  reason: Reason | null;
}
