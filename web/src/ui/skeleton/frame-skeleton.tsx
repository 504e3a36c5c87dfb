import classes from './frame-skeleton.module.css';

/** The outlines of sidebar, header and message box, until the session is known. */
export function FrameSkeleton() {
  return (
    <div className={classes.frame} aria-busy data-testid="frame-skeleton">
      <div className={classes.side} />
      <div className={classes.box} />
    </div>
  );
}
