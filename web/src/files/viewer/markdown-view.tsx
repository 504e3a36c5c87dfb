import { useEffect, useEffectEvent, useRef } from 'react';
import { LazyMarkdown } from '../../content/lazy-markdown.tsx';
import { FOUND_MAX, rangesIn } from '../text/find-text.ts';
import { stepped, type Finder } from './finder.ts';
import { locateQuote } from '../text/locate-quote.ts';
import { clearMarks, paintMarks, readRanges, scrollToRange } from '../text/text-ranges.ts';
import classes from './file-view.module.css';
import { ScrollRegion } from '../../ui/primitives/scroll-region.tsx';

interface MarkdownViewProps {
  label: string;
  text: string;
  quote: string | null;
  finder: Finder;
}

/** Markdown as answers are drawn: without remote images and without HTML. */
export function MarkdownView({ label, text, quote, finder }: MarkdownViewProps) {
  const frame = useRef<HTMLDivElement>(null);
  /** Which of the places found is looked at. Nothing of it is drawn by React. */
  const index = useRef(0);
  const hasScrolled = useRef(false);

  const paint = useEffectEvent((): Range[] => {
    const { current } = frame;
    if (!current) return [];
    const { text: drawn, rangeOf } = readRanges(current);
    const cited = quote === null ? null : locateQuote(drawn, quote);
    const citedRange = cited && rangeOf(cited);
    const needle = finder.text.toLowerCase();
    const places = needle.trim() === '' ? [] : rangesIn(drawn, needle).slice(0, FOUND_MAX);
    const found = places.flatMap((position) => rangeOf(position) ?? []);
    paintMarks({
      'file-cited': citedRange ? [citedRange] : [],
      'file-found': found.filter((_, at) => at !== index.current),
      'file-current': found.slice(index.current, index.current + 1),
    });
    if (citedRange && !hasScrolled.current) {
      hasScrolled.current = true;
      scrollToRange(citedRange, current);
    }
    return found;
  });

  const show = useEffectEvent((at: number) => {
    index.current = at;
    const found = paint();
    finder.report({ at: found.length === 0 ? 0 : at + 1, of: found.length });
    const range = found[at];
    if (range && frame.current) scrollToRange(range, frame.current);
  });
  const move = useEffectEvent(() => show(stepped(index.current, finder.step, paint().length)));

  // A long text is drawn step by step.
  useEffect(() => {
    const { current } = frame;
    if (!current) return;
    let pending = 0;
    const observer = new MutationObserver(() => {
      cancelAnimationFrame(pending);
      pending = requestAnimationFrame(() => paint());
    });
    observer.observe(current, { subtree: true, childList: true, characterData: true });
    paint();
    return () => {
      observer.disconnect();
      cancelAnimationFrame(pending);
      clearMarks();
    };
  }, []);
  useEffect(() => show(0), [finder.text]);
  useEffect(() => {
    if (finder.presses > 0) move();
  }, [finder.presses]);

  return (
    <ScrollRegion ref={frame} className={classes.scroll} role="region" aria-label={label} data-file-body>
      <div className={classes.markdown}>
        <LazyMarkdown text={text} streaming={false} />
      </div>
    </ScrollRegion>
  );
}
