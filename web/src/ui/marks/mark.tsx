import classes from './mark.module.css';
import { markPaths } from './mark-paths.ts';

/** The mark of a company, in the colour of its text. Decorative: the name stands next to it. */
export function Mark({ name }: { name: string }) {
  return (
    <svg viewBox="0 0 24 24" className={classes.mark} aria-hidden>
      {markPaths[name]?.map((path) => (
        <path key={path} d={path} fillRule="evenodd" />
      ))}
    </svg>
  );
}
