import { csvLine } from '../../lib/csv.ts';

type Row = Pick<HTMLTableRowElement, 'cells'>;

/** The cells of a table as CSV, each as the text that it shows. */
export function tableCsv(table: { rows: ArrayLike<Row> }): string {
  return Array.from(table.rows, ({ cells }) => csvLine(Array.from(cells, textOf))).join('');
}

/** A formula holds its drawing and its source: the source is the text. */
function textOf(cell: HTMLTableCellElement): string {
  const copy = document.importNode(cell, true);
  for (const formula of copy.querySelectorAll('.katex'))
    formula.replaceWith(formula.querySelector('annotation')?.textContent ?? formula.textContent ?? '');
  return (copy.textContent ?? '').trim();
}
