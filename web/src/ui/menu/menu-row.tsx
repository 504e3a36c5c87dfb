import '@mantine/core/styles/Popover.css';
import '@mantine/core/styles/Menu.css';
import { Menu } from '@mantine/core';
import type { ComponentType, MouseEvent, ReactNode } from 'react';
import classes from './menu.module.css';

/** The styles of a menu, for Mantine's `classNames`. */
export const menuLook = { dropdown: classes.dropdown, item: classes.item, label: classes.label };

interface MenuRowProps {
  icon: ComponentType<{ 'aria-hidden': true }>;
  disabled?: boolean;
  /** Of the shortcut that does the same, as they are bound; empty where it is off. */
  keys?: string;
  onClick: (event: MouseEvent) => void;
  children: ReactNode;
}

/** A menu item. */
export function MenuRow({ icon: Icon, keys = '', ...rest }: MenuRowProps) {
  const shown = keys !== '' && (
    <kbd className={classes.keys} aria-hidden>
      {keys}
    </kbd>
  );
  return <Menu.Item leftSection={<Icon aria-hidden />} rightSection={shown} {...rest} />;
}
