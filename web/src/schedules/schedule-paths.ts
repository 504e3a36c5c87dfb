export const SCHEDULES_PATH = '/schedules';
/** In the place of an id: the schedule that is not saved yet. */
export const NEW_SCHEDULE = 'new';
export const NEW_SCHEDULE_PATH = schedulePath(NEW_SCHEDULE);

export function schedulePath(id: string): string {
  return `${SCHEDULES_PATH}/${id}`;
}
