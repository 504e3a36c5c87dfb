import { useEffect, useMemo, useState, type ReactNode } from 'react';
import type { CitedPassage, ViewedFile } from '../../dialogs/viewed-file.ts';
import { usePassage } from '../files-api.ts';
import { locateQuote, type QuoteRange } from '../text/locate-quote.ts';
import { rowsOfText, type TextRows } from '../text/rows-of-text.ts';
import { rowRanges, type RowRange } from '../text/find-text.ts';
import type { Finder } from './finder.ts';
import { VirtualRows } from './virtual-rows.tsx';
import classes from './file-view.module.css';

interface TextViewProps {
  file: ViewedFile;
  text: string;
  cited: CitedPassage | null;
  finder: Finder;
}

const NONE: readonly RowRange[] = [];
/** Pixels of a line that is not wrapped. */
const LINE_PX = 21;
/** Colouring a longer text would hold up the page. */
const COLOURED_MAX = 150_000;

/** Text or code with the numbers of its lines. */
export function TextView({ file, text, cited, finder }: TextViewProps) {
  const rows = useMemo(() => rowsOfText(text), [text]);
  const passage = usePassageRange(file, text, cited);
  const ranges = useMemo(
    () => (passage ? rowRanges(passage, rows.starts, (row) => rows.texts[row]?.length ?? 0) : NONE),
    [passage, rows],
  );
  const pieces = useMemo(() => (row: number) => [rows.texts[row] ?? ''], [rows]);
  const colours = useColours(file.name, text, rows);
  const digits = String(rows.numbers.length).length;
  return (
    <VirtualRows
      label={file.name}
      count={rows.texts.length}
      height={LINE_PX}
      piecesOf={pieces}
      cited={ranges}
      finder={finder}
      className={classes.lines}
      draw={(row) => (
        <div className={classes.line} dir="ltr">
          <span className={classes.number} style={{ minInlineSize: `${digits}ch` }} aria-hidden>
            {rows.numbers[row]}
          </span>
          <span data-text>{colours?.[row] ?? rows.texts[row]}</span>
        </div>
      )}
    />
  );
}

/** Where the cited passage is: the quote inside the text that the server knows by its number. */
function usePassageRange({ fileId }: ViewedFile, text: string, cited: CitedPassage | null): QuoteRange | null {
  const { data, isPending } = usePassage({ fileId, n: cited?.n ?? 0 }, cited !== null);
  return useMemo(() => {
    if (cited === null || isPending) return null;
    const around = data ? locateQuote(text, data.passage.text) : null;
    return locateQuote(text, cited.quote, around) ?? around;
  }, [text, cited, data, isPending]);
}

/** The rows with the colours of their language; null until they are there, and where there are none. */
function useColours(name: string, text: string, { texts, numbers }: TextRows): ReactNode[] | null {
  const [colours, setColours] = useState<ReactNode[] | null>(null);
  useEffect(() => {
    const hasCutLines = numbers.includes(null);
    if (text.length > COLOURED_MAX || hasCutLines) return;
    let isGone = false;
    void import('../../content/code/highlight.tsx').then(
      ({ highlightLines }) => {
        if (!isGone) setColours(highlightLines(texts, extensionOf(name)));
      },
      // Without colours it can be read, too.
      () => undefined,
    );
    return () => {
      isGone = true;
      setColours(null);
    };
  }, [name, text, texts, numbers]);
  return colours;
}

/** A name without an ending is its language: `Dockerfile`. */
function extensionOf(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1);
}
