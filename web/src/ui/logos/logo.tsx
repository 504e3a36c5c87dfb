import classes from './logo.module.css';
import { logoPaths } from './logo-paths.ts';

/** The logo of a company, in the colour of its text. Decorative: the name stands next to it. */
export function Logo({ name }: { name: string }) {
  return (
    <svg viewBox="0 0 24 24" className={classes.logo} aria-hidden>
      {logoPaths[name]?.map((path) => (
        <path key={path} d={path} fillRule="evenodd" />
      ))}
    </svg>
  );
}
