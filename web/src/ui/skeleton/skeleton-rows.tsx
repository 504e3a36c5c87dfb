import classes from './skeleton-rows.module.css';

/** Placeholders for conversation rows, with the same height. */
export function SkeletonRows({ count }: { count: number }) {
  return (
    <div className={classes.skeletons} data-loading aria-hidden>
      {Array.from({ length: count }, (_, index) => (
        <div key={index} className={classes.skeleton} />
      ))}
    </div>
  );
}
