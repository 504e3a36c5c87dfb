import '../../locales/load/files.ts';
import type { Citation } from '@parley/schema/messages/messages';
import { useTranslation } from 'react-i18next';
import { LazyBoundary } from '../../ui/lazy/lazy-boundary.tsx';
import { lazyScreen } from '../../ui/lazy/lazy-screen.tsx';
import { usePopoverButton } from '../../ui/menu/use-popover-button.ts';
import classes from './citation-chip.module.css';

const popover = lazyScreen(async () => (await import('./citation-popover.tsx')).CitationPopover, 'ahead');

interface CitationChipProps {
  citation: Citation;
  /** As it stands in the answer, such as `[2]`. */
  mark: string;
}

/** A mark of an answer as a small button; it opens the passage that the mark stands for. */
export function CitationChip({ citation, mark }: CitationChipProps) {
  const { t } = useTranslation();
  const { isOpen, button, close, leave, handlers } = usePopoverButton();
  const number = mark.slice(1, -1);
  const where = citation.page === null ? '' : `, ${t('com_citations_page', { 0: citation.page })}`;
  return (
    <span className={classes.anchor}>
      <button
        ref={button}
        type="button"
        className={classes.chip}
        aria-label={`${t('com_citations_source', { 0: number, 1: citation.name })}${where}`}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        title={citation.name}
        data-testid="citation"
        onPointerEnter={popover.preload}
        onFocus={popover.preload}
        {...handlers}
      >
        {/* Unseen, but part of what a selection copies. */}
        <span className={classes.bracket}>[</span>
        {number}
        <span className={classes.bracket}>]</span>
      </button>
      {isOpen && (
        <LazyBoundary onFailure={close}>
          <popover.Screen citation={citation} onClose={close} onLeave={leave} />
        </LazyBoundary>
      )}
    </span>
  );
}
