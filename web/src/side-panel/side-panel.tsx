// The panel next to the chat: the model and its parameters.
import { useAtomValue } from 'jotai';
import { useEffect, useId, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { PanelBody } from './panel-body.tsx';
import { PanelDrawer } from './panel-drawer.tsx';
import { PanelRail } from './panel-rail.tsx';
import { hideSidePanelAtom, useSidePanel } from './panel-state.ts';
import { COLLAPSED, LARGEST, SMALLEST, panelWidthCss } from './panel-width.ts';
import { Resizer } from '../ui/resizer/resizer.tsx';
import classes from './side-panel.module.css';
import type { SidePanelProps } from './panel-props.ts';

/** A resizable column that collapses to its buttons; on small screens a drawer over the chat. */
export function SidePanel({ chat, onPick }: SidePanelProps) {
  const panel = useSidePanel();
  const isOff = useAtomValue(hideSidePanelAtom);
  useAutoCollapse();
  if (isOff) return null;
  if (panel.isNarrow) return <PanelDrawer chat={chat} onPick={onPick} />;
  if (panel.isHidden) return null;
  return <Column chat={chat} onPick={onPick} />;
}

function Column({ chat, onPick }: SidePanelProps) {
  const { t } = useTranslation();
  const id = useId();
  const column = useRef<HTMLElement>(null);
  const { share, isOpen, resize, open } = useSidePanel();
  return (
    <aside
      ref={column}
      id={id}
      className={classes.column}
      style={{ inlineSize: panelWidthCss(share) }}
      aria-label={t('com_sidepanel')}
      data-testid="side-panel"
    >
      <Resizer
        column={column}
        columnId={id}
        label={t('com_sidepanel_resize')}
        share={share}
        smallest={SMALLEST}
        largest={LARGEST}
        collapsed={{ share: COLLAPSED, text: t('com_sidepanel_collapsed'), open }}
        onResize={resize}
      />
      {isOpen ? <PanelBody chat={chat} onPick={onPick} /> : <PanelRail chat={chat} />}
    </aside>
  );
}

/** A narrow screen that becomes wide must not show both columns open: collapses the panel while it is narrow. */
function useAutoCollapse(): void {
  const { isNarrow, resize } = useSidePanel();
  useEffect(() => {
    if (isNarrow) resize(COLLAPSED);
  }, [isNarrow, resize]);
}
