import classes from './tool-call.module.css';

/** A progress from 0 to 1 as a rotating arc of a circle of 100 units. */
export function ProgressRing({ progress }: { progress: number }) {
  return (
    <svg viewBox="0 0 36 36" className={classes.ring} aria-hidden>
      <circle cx="18" cy="18" r="16" pathLength={100} strokeDasharray={`${Math.round(progress * 100)} 100`} />
    </svg>
  );
}
