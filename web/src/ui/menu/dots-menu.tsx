import { Menu, type MenuProps } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { IconButton } from '../icon-button.tsx';
import type { DotsButtonProps } from './dots-button.tsx';
import { useMenu } from './use-menu.ts';

export interface DotsMenuProps {
  buttonProps: DotsButtonProps['buttonProps'];
  position: NonNullable<MenuProps['position']>;
  width: number;
  children: ReactNode;
}

/** A button with three dots and its menu, mounted open. */
export function DotsMenu({ buttonProps, position, width, children }: DotsMenuProps) {
  const { button, menu, dropdown, isOpen } = useMenu();
  return (
    <Menu {...menu} position={position} width={width}>
      <Menu.Target>
        <IconButton {...buttonProps} ref={button} aria-expanded={isOpen}>
          <IconDots aria-hidden />
        </IconButton>
      </Menu.Target>
      <Menu.Dropdown {...dropdown}>{children}</Menu.Dropdown>
    </Menu>
  );
}
