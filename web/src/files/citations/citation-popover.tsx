import { IconFileText } from '@tabler/icons-react';
import type { PassageInFile } from '@parley/schema/files/documents';
import type { Citation } from '@parley/schema/messages/messages';
import { useId, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { describeError } from '../../errors/describe-error.ts';
import { errorRefusal } from '../../errors/refusal.ts';
import { Button } from '../../ui/button.tsx';
import { SkeletonRows } from '../../ui/skeleton/skeleton-rows.tsx';
import { usePassage } from '../files-api.ts';
import { useShowCited } from '../open-file.ts';
import classes from './citation-popover.module.css';
import { describeFilePage } from './describe-pages.ts';
import { findQuote } from './find-quote.ts';
import type { PopoverEnd } from './source-chip.tsx';
import { SourcePopover } from './source-popover.tsx';

/** The passage of a file that a mark stands for. */
export function CitationPopover({ citation, ...end }: PopoverEnd & { citation: Citation }) {
  const titleId = useId();
  return (
    <SourcePopover titleId={titleId} {...end}>
      <Content citation={citation} titleId={titleId} onShown={end.onClose} />
    </SourcePopover>
  );
}

interface ContentProps {
  citation: Citation;
  titleId: string;
  /** The file is open at the passage. */
  onShown: () => void;
}

function Content({ citation, titleId, onShown }: ContentProps) {
  const { t } = useTranslation();
  const { data, error } = usePassage(citation);
  const isGone = errorRefusal(error) !== null;
  return (
    <>
      <h2 id={titleId} className={classes.title} dir="auto">
        {citation.name}
      </h2>
      <QuotePosition citation={citation} found={data} />
      {data && <Passages quote={citation.quote} found={data} />}
      {!data && !error && <SkeletonRows count={3} />}
      {error && (
        <>
          <blockquote className={classes.quote} dir="auto">
            {citation.quote}
          </blockquote>
          <p className="hint">{isGone ? t('com_citations_gone') : describeError(error, t)}</p>
        </>
      )}
      {!isGone && <OpenFile citation={citation} onShown={onShown} />}
    </>
  );
}

/** The page and the headings above the passage. */
function QuotePosition({ citation: { name, page }, found }: { citation: Citation; found: PassageInFile | undefined }) {
  const { t } = useTranslation();
  const pages = found?.pages ?? null;
  const heading = found?.passage.heading;
  if (page === null && !heading) return null;
  return (
    <p className={classes.location}>
      {page !== null && <span>{describeFilePage(name, page, pages, t)}</span>}
      {heading && <bdi>{heading}</bdi>}
    </p>
  );
}

/** The passage, and its neighbours folded, unless the quote is in one of them alone. */
function Passages({ quote, found: { before, passage, after } }: { quote: string; found: PassageInFile }) {
  const { t } = useTranslation();
  const isElsewhere = findQuote(passage.text, quote) === null;
  const isOpen = (text: string) => isElsewhere && findQuote(text, quote) !== null;
  return (
    <div className={classes.passages}>
      {before && (
        <details className={classes.neighbour} open={isOpen(before.text)}>
          <summary>{t('com_citations_before')}</summary>
          <Text text={before.text} quote={quote} />
        </details>
      )}
      <Text text={passage.text} quote={quote} />
      {after && (
        <details className={classes.neighbour} open={isOpen(after.text)}>
          <summary>{t('com_citations_after')}</summary>
          <Text text={after.text} quote={quote} />
        </details>
      )}
    </div>
  );
}

function Text({ text, quote }: { text: string; quote: string }): ReactNode {
  const position = findQuote(text, quote);
  return (
    <p className={classes.text} dir="auto">
      {position ? (
        <>
          {text.slice(0, position.from)}
          <mark>{text.slice(position.from, position.to)}</mark>
          {text.slice(position.to)}
        </>
      ) : (
        text
      )}
    </p>
  );
}

function OpenFile({ citation, onShown }: Pick<ContentProps, 'citation' | 'onShown'>) {
  const { t } = useTranslation();
  const show = useShowCited();

  function open(): void {
    // First, so that the mark has the focus, to which closing the file returns it.
    onShown();
    show(citation);
  }

  return (
    <Button size="sm" className={classes.open} onClick={open}>
      <IconFileText aria-hidden />
      {t('com_citations_open')}
    </Button>
  );
}
