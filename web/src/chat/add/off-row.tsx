import { Menu } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './add-button.module.css';

/** What cannot be chosen now, and why. */
export function OffRow({ icon, label, why }: { icon: ReactNode; label: string; why: string | null }) {
  return (
    <Menu.Item className={classes.off} leftSection={icon} aria-disabled closeMenuOnClick={false}>
      {label}
      {why !== null && <span className={classes.reason}>{why}</span>}
    </Menu.Item>
  );
}
