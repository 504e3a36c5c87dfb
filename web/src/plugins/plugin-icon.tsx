import { useState } from 'react';
import classes from './plugin-store.module.css';

/** The image of a plugin; its first letter while there is none. */
export function PluginIcon({ name, icon }: { name: string; icon: string }) {
  const [isBroken, setBroken] = useState(false);
  if (icon === '' || isBroken) {
    return (
      <span className={classes.icon} data-letter aria-hidden>
        {[...name.trim()][0]?.toLocaleUpperCase() ?? '?'}
      </span>
    );
  }
  return <img className={classes.icon} src={icon} alt="" width={40} height={40} onError={() => setBroken(true)} />;
}
