// How long things stay that nobody touches.

/** Of days that can be chosen. */
export const RETENTION_DAYS_MAX = 3650;

export interface RetentionRules {
  /** After so many days without a new message chats go to the trash; null: never. */
  chatsDays: number | null;
  /** After so many days files that nothing uses are deleted; null: after an hour. */
  filesDays: number | null;
  /** After so many days events of the log of changes are deleted; null: never. */
  auditDays: number | null;
}
