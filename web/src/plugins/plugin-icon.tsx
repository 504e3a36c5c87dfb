import { IconTool } from '@tabler/icons-react';
import { useState } from 'react';
import classes from './plugin-store.module.css';

/** The image of a service; the sign of tools where it has none. */
export function PluginIcon({ icon }: { icon: string }) {
  const [isBroken, setBroken] = useState(false);
  if (icon === '' || isBroken) {
    return (
      <span className={classes.icon} data-sign>
        <IconTool aria-hidden />
      </span>
    );
  }
  return <img className={classes.icon} src={icon} alt="" width={40} height={40} onError={() => setBroken(true)} />;
}
