import classes from './cursor.module.css';

/** Also known by its plain name, so that pages and tests can tell whether an answer is still being written. */
export const CURSOR_CLASS = `cursor ${classes.cursor}`;

/** The mark at the end of an answer that is being written. */
export function Cursor() {
  return <span className={CURSOR_CLASS} aria-hidden="true" />;
}
