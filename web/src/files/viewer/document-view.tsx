import type { TextSection } from '@parley/schema/files/documents';
import type { TFunction } from 'i18next';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { CitedPassage } from '../../dialogs/viewed-file.ts';
import { describePage } from '../citations/describe-pages.ts';
import type { RowRange } from '../text/find-text.ts';
import { rowRanges } from '../text/find-text.ts';
import type { Finder } from './finder.ts';
import { locateQuote } from '../text/locate-quote.ts';
import { VirtualRows } from './virtual-rows.tsx';
import classes from './file-view.module.css';

interface DocumentViewProps {
  name: string;
  sections: readonly TextSection[];
  cited: CitedPassage | null;
  finder: Finder;
}

interface Block {
  section: TextSection;
  /** The page or the heading, where it begins. */
  title: string | null;
  text: string;
  /** Whether the text is the heading itself, which then needs no title. */
  isHeading: boolean;
}

/** Pixels of a block of some lines. */
const BLOCK_PX = 96;

/** The text of a document by its pages and headings, as the server has read it. */
export function DocumentView({ name, sections, cited, finder }: DocumentViewProps) {
  const { t } = useTranslation();
  const blocks = useMemo(() => blocksOf(sections, name, t), [sections, name, t]);
  const ranges = useMemo(() => (cited ? quoteRangesOf(cited, blocks) : []), [cited, blocks]);
  const pieces = useMemo(() => (row: number) => [blocks[row]?.text ?? ''], [blocks]);
  return (
    <VirtualRows
      label={name}
      count={blocks.length}
      height={BLOCK_PX}
      piecesOf={pieces}
      cited={ranges}
      finder={finder}
      className={classes.paragraphs}
      draw={(row) => {
        const block = blocks[row];
        return (
          block && (
            <>
              {block.title !== null && (
                <h3 className={classes.heading} dir="auto">
                  {block.title}
                </h3>
              )}
              <p className={classes.paragraph} dir="auto" data-heading={block.isHeading || undefined} data-text>
                {block.text}
              </p>
            </>
          )
        );
      }}
    />
  );
}

/** Paragraphs, so that a long section is drawn in part. */
function blocksOf(sections: readonly TextSection[], name: string, t: TFunction): Block[] {
  let before: TextSection | null = null;
  return sections.flatMap((section) => {
    const isNew = before?.page !== section.page || before.heading !== section.heading;
    const title = isNew ? titleOf(section, name, t) : null;
    before = section;
    const texts = section.text.split(/\n{2,}/).filter((text) => text.trim() !== '');
    return texts.map((text, at) => {
      const isHeading = at === 0 && text.trim() === section.heading;
      return { section, title: at > 0 || (isHeading && section.page === null) ? null : title, text, isHeading };
    });
  });
}

function titleOf({ page, heading }: TextSection, name: string, t: TFunction): string | null {
  const where = [page === null ? null : describePage(name, page, t), heading].filter((one) => one !== null);
  return where.length === 0 ? null : where.join(' · ');
}

/** The quote in the blocks of the section that has the passage. */
function quoteRangesOf({ n, quote }: CitedPassage, blocks: readonly Block[]): RowRange[] {
  const first = blocks.findIndex(({ section }) => n >= section.from && n <= section.to);
  if (first < 0) return [];
  const last = blocks.findLastIndex(({ section }) => n >= section.from && n <= section.to);
  const texts = blocks.slice(first, last + 1).map(({ text }) => text);
  const starts = texts.map((_, at) => texts.slice(0, at).reduce((sum, text) => sum + text.length + 1, 0));
  const found = locateQuote(texts.join('\n'), quote);
  if (!found) return [{ row: first, from: 0, to: 0 }];
  const inTexts = rowRanges(found, starts, (row) => texts[row]?.length ?? 0);
  return inTexts.map((range) => ({ ...range, row: range.row + first }));
}
