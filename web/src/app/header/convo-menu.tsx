import { Menu } from '@mantine/core';
import type { Convo } from '@parley/schema/convos/convos';
import { IconDots } from '@tabler/icons-react';
import type { ComponentProps } from 'react';
import { IconButton } from '../../ui/icon-button.tsx';
import { menuLook } from '../../ui/menu/menu-row.tsx';
import { useMenu } from '../../ui/menu/use-menu.ts';
import { ConvoRows } from './convo-rows.tsx';

interface ConvoMenuProps {
  convo: Convo;
  buttonProps: Omit<ComponentProps<typeof IconButton>, 'children'>;
  onRename: () => void;
}

/** The menu of the open conversation, mounted open. */
export function ConvoMenu({ convo, buttonProps, onRename }: ConvoMenuProps) {
  const { button, menu, dropdown, isOpen } = useMenu();
  return (
    <Menu
      {...menu}
      position="bottom-start"
      width={210}
      withinPortal={false}
      floatingStrategy="fixed"
      transitionProps={{ duration: 0 }}
      classNames={menuLook}
    >
      <Menu.Target>
        <IconButton {...buttonProps} ref={button} aria-expanded={isOpen}>
          <IconDots aria-hidden />
        </IconButton>
      </Menu.Target>
      <Menu.Dropdown {...dropdown}>
        <ConvoRows convo={convo} onRename={onRename} />
      </Menu.Dropdown>
    </Menu>
  );
}
