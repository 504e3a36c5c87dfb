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
  onClick: (event: MouseEvent) => void;
  children: ReactNode;
}

/** A menu item. */
export function MenuRow({ icon: Icon, ...rest }: MenuRowProps) {
  return <Menu.Item leftSection={<Icon aria-hidden />} {...rest} />;
}
