import code from '../code/code-block.module.css';
import classes from './diagram-place.module.css';
import { knownHeight } from './known-heights.ts';

/** The room of a diagram while what draws it loads: as much as it took last time. */
export function DiagramPlace({ source }: { source: string }) {
  const height = knownHeight(source);
  if (height === undefined) return <div className={code.drawing} data-place />;
  return (
    <div className={code.frame} data-place>
      <div className={code.header}>
        <span className={code.tool}>&nbsp;</span>
      </div>
      <svg className={classes.room} height={height} aria-hidden />
    </div>
  );
}
