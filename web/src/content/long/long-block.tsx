import { startTransition, useEffect, useMemo, useState, type ReactNode } from 'react';
import { LongWords } from '../../ui/long-words.tsx';
import { CodeBlock } from '../code/code-block.tsx';
import { Cursor } from '../cursor.tsx';
import classes from '../markdown.module.css';
import { splitBlocks } from '../split-blocks.ts';
import { Folded } from '../html/folded.tsx';
import { Table } from '../table/table.tsx';
import { cutBlock, joined, type ListPiece } from './cut-block.ts';
import { InOrder } from '../../ui/primitives/in-order.tsx';

/** What is wanted of a piece: all of it, its items, or the head or rows of its table. */
export type Within = 'all' | 'list' | 'head' | 'rows';

export type DrawPiece = (text: string, options: { open: boolean; within?: Within; start?: number }) => ReactNode;

interface LongBlockProps {
  text: string;
  /** More of it is streaming in. */
  open: boolean;
  draw: DrawPiece;
}

/** A block too long to be parsed at once: its pieces are drawn one after the other, as one list, table or quote. */
export function LongBlock({ text, open, draw }: LongBlockProps) {
  const cut = useMemo(() => cutBlock(text), [text]);
  switch (cut.type) {
    case 'list':
      return <LongList {...{ cut, open, draw }} />;
    case 'quote':
      return (
        <blockquote dir="auto">
          <LongTexts pieces={blocksOf(cut.text)} open={open} draw={draw} />
        </blockquote>
      );
    case 'details':
      return (
        <>
          <Folded isOpen={cut.isOpen}>
            {cut.summary !== '' && <summary dir="auto">{draw(cut.summary, { open: false })}</summary>}
            <LongTexts pieces={blocksOf(cut.text)} open={open && cut.rest.trim() === ''} draw={draw} />
          </Folded>
          {cut.rest.trim() !== '' && <LongTexts pieces={blocksOf(cut.rest)} open={open} draw={draw} />}
        </>
      );
    case 'table':
      return <LongTable {...{ cut, open, draw }} />;
    case 'code':
      return <CodeBlock code={cut.code} language="" open={open} cursor={open} />;
    case 'html':
      return (
        <p dir="auto">
          <LongWords text={cut.text.trim()} />
          {open && <Cursor />}
        </p>
      );
    case 'texts':
      return <LongTexts pieces={cut.pieces} open={open} draw={draw} />;
    default:
      return cut satisfies never;
  }
}

/** Small blocks together: each piece is a step. */
function blocksOf(text: string): string[] {
  return joined(splitBlocks(null, text).blocks);
}

interface PiecesProps<T> {
  cut: T;
  open: boolean;
  draw: DrawPiece;
}

function LongList({ cut, open, draw }: PiecesProps<{ isOrdered: boolean; pieces: ListPiece[] }>) {
  const isReady = useReady(cut.pieces.length);
  const last = cut.pieces.length - 1;
  const items = (
    <InOrder items={cut.pieces}>
      {(piece, index) => <Item piece={piece} isReady={isReady(index)} open={open && index === last} draw={draw} />}
    </InOrder>
  );
  return cut.isOrdered ? <ol start={cut.pieces[0]?.start}>{items}</ol> : <ul>{items}</ul>;
}

interface ItemProps {
  piece: ListPiece;
  isReady: boolean;
  open: boolean;
  draw: DrawPiece;
}

function Item({ piece: { text, inner, start }, isReady, open, draw }: ItemProps) {
  if (!isReady) return <li className={classes.pending}>{text.trim()}</li>;
  if (inner === null) return draw(text, { open, within: 'list', start });
  return (
    <li dir="auto" value={start || undefined}>
      <LongTexts pieces={blocksOf(inner)} open={open} draw={draw} />
    </li>
  );
}

function LongTable({ cut: { head, pieces }, open, draw }: PiecesProps<{ head: string; pieces: string[] }>) {
  const isReady = useReady(pieces.length);
  const last = pieces.length - 1;
  return (
    <Table>
      <thead>{draw(head, { open: false, within: 'head' })}</thead>
      <tbody>
        <InOrder items={pieces}>
          {(rows, index) => <Rows {...{ head, rows, draw }} isReady={isReady(index)} open={open && index === last} />}
        </InOrder>
      </tbody>
    </Table>
  );
}

interface RowsProps {
  head: string;
  rows: string;
  isReady: boolean;
  open: boolean;
  draw: DrawPiece;
}

function Rows({ head, rows, isReady, open, draw }: RowsProps) {
  if (isReady) return draw(head + rows, { open, within: 'rows' });
  return (
    <tr>
      <td className={classes.pending} colSpan={head.split('|').length}>
        {rows.trim()}
      </td>
    </tr>
  );
}

function LongTexts({ pieces, open, draw }: { pieces: readonly string[]; open: boolean; draw: DrawPiece }) {
  const isReady = useReady(pieces.length);
  return (
    <InOrder items={pieces}>
      {(text, index) =>
        isReady(index) ? (
          <Drawn text={text} open={open && index === pieces.length - 1} draw={draw} />
        ) : (
          <div className={classes.pending} data-source>
            <LongWords text={text.trim()} />
          </div>
        )
      }
    </InOrder>
  );
}

function Drawn({ text, open, draw }: { text: string; open: boolean; draw: DrawPiece }) {
  return draw(text, { open });
}

/** The two ends at once, what is between them in steps that yield to input. What comes later is drawn as it comes. */
function useReady(count: number): (index: number) => boolean {
  const [initial] = useState(count);
  const [ready, setReady] = useState(1);
  const behind = ready < initial - 1;
  useEffect(() => {
    if (!behind) return;
    const frame = requestAnimationFrame(() => startTransition(() => setReady((before) => before + 1)));
    return () => cancelAnimationFrame(frame);
  }, [behind, ready]);
  return (index) => index < ready || index >= initial - 1;
}
