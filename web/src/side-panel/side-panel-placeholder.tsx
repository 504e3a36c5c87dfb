import { useState } from 'react';
import { HIDDEN_BY_SETTING, readFlag, readHidden, readShare, panelWidthCss } from './panel-width.ts';
import classes from './side-panel-placeholder.module.css';

/** Keeps the place of the side panel, so that the chat does not move when it comes. */
export function SidePanelPlaceholder() {
  const [width] = useState(() => {
    const isAbsent = readHidden() || readFlag(HIDDEN_BY_SETTING, false);
    return isAbsent ? '0' : panelWidthCss(readShare());
  });
  return <div className={classes.placeholder} style={{ inlineSize: width }} />;
}
