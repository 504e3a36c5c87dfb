import './lazy-words.ts';
import { IconLayoutSidebarRight } from '@tabler/icons-react';
import { useAtomValue } from 'jotai';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../shell/icon-button.tsx';
import { FOCUS, focusSoon } from './focus-soon.ts';
import { hideSidePanelAtom, useSidePanel } from './panel-state.ts';

/** For the header: the way back to a panel that is out of sight. */
export function SidePanelToggle() {
  const { t } = useTranslation();
  const { isHidden, isNarrow, open } = useSidePanel();
  const isOff = useAtomValue(hideSidePanelAtom);
  if (!isHidden || isOff) return null;
  return (
    <IconButton
      label={t('com_sidepanel_show')}
      aria-haspopup={isNarrow ? 'dialog' : undefined}
      {...{ [FOCUS.hidden]: '' }}
      onClick={() => {
        open();
        if (!isNarrow) focusSoon(FOCUS.open);
      }}
    >
      <IconLayoutSidebarRight aria-hidden />
    </IconButton>
  );
}
