import classes from './cursor.module.css';

/** A plain class name beside the hashed one, so that pages and tests can tell whether an answer still streams. */
export const CURSOR_CLASS = `cursor ${classes.cursor}`;

/** The cursor at the end of a streaming answer. */
export function Cursor() {
  return <span className={CURSOR_CLASS} aria-hidden="true" />;
}
