import { useStartup } from '../../startup.ts';
import classes from './brand.module.css';

/** The mark and the name of the site. */
export function Brand({ isOneLine = false }: { isOneLine?: boolean }) {
  const name = useStartup()?.appTitle ?? 'Parley';
  return (
    <span className={classes.brand}>
      <span className={classes.logo} aria-hidden>
        {name.charAt(0)}
      </span>
      {isOneLine ? (
        <span className="ellipsis" data-tooltip={name} data-cut>
          {name}
        </span>
      ) : (
        <span className={classes.name}>{name}</span>
      )}
    </span>
  );
}
