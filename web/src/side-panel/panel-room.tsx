import type { ReactNode, RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './panel-room.module.css';
import { useSidePanel } from './panel-state.ts';
import { panelWidthCss } from './panel-width.ts';

export const PANEL_ID = 'side-panel';

interface PanelRoomProps {
  column: RefObject<HTMLElement | null>;
  strip: ReactNode;
  panel: ReactNode;
}

/**
 * The strip of icons at the edge of a wide screen, and the open panel beside it. Both have their room from the start, so
 * that the chat does not move when what stands in them arrives.
 */
export function PanelRoom({ column, strip, panel }: PanelRoomProps) {
  const { t } = useTranslation();
  const { share, isOpen } = useSidePanel();
  return (
    <>
      {/* Before the panel in the order of the keyboard, behind it on the screen. */}
      <div className={classes.strip} role="group" aria-label={t('com_sidepanel')} data-testid="side-strip">
        {strip}
      </div>
      {isOpen && (
        <aside
          ref={column}
          id={PANEL_ID}
          className={classes.column}
          style={{ inlineSize: panelWidthCss(share) }}
          aria-label={t('com_sidepanel')}
          data-testid="side-panel"
        >
          {panel}
        </aside>
      )}
    </>
  );
}
