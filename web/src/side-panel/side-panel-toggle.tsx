import '../locales/load/side-panel.ts';
import { IconLayoutSidebarRight } from '@tabler/icons-react';
import { useAtomValue } from 'jotai';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../ui/icon-button.tsx';
import { FOCUS, focusAfterRender } from './focus-after-render.ts';
import { hideSidePanelAtom, useSidePanel } from './panel-state.ts';

/** For the header: shows a hidden panel again. */
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
        if (!isNarrow) focusAfterRender(FOCUS.open);
      }}
    >
      <IconLayoutSidebarRight aria-hidden />
    </IconButton>
  );
}
