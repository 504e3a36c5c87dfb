import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { LazyBoundary } from '../../../ui/lazy/lazy-boundary.tsx';
import { DotsButton } from '../../../ui/menu/dots-button.tsx';
import { listMenu } from '../../lazy/lazy-menus.ts';

/** The button of the menu of the whole list. */
export function ListMenuButton() {
  const { t } = useTranslation();
  const [isWanted, setWanted] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const more = { label: t('com_ui_list_menu'), 'aria-haspopup': 'menu', 'data-testid': 'list-menu-button' } as const;
  if (isWanted) {
    return (
      <LazyBoundary onFailure={() => setWanted(false)}>
        <listMenu.Screen buttonProps={more} />
      </LazyBoundary>
    );
  }
  return <DotsButton buttonProps={more} ref={button} preload={listMenu.preload} onOpen={() => setWanted(true)} />;
}
