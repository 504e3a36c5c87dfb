import type { Key, ReactNode } from 'react';
import { VisuallyHidden } from '../ui/primitives/visually-hidden.tsx';
import classes from './admin.module.css';

interface Column<Row> {
  title: string;
  cell: (row: Row) => ReactNode;
  className?: string | undefined;
  /** The title is for readers of the screen alone. */
  isTitleHidden?: boolean;
  /** The value says by itself what it is: on a phone no title stands before it. */
  isPlain?: boolean;
}

interface DataTableProps<Row> {
  /** The first has the names of the rows. */
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => Key;
  /** Of a table whose rows are cards with a border on a phone. */
  cards?: string | undefined;
}

/** A table with a column for each fact; on a phone the title of a column stands before its values. */
export function DataTable<Row>({ columns: [first, ...columns], rows, keyOf, cards }: DataTableProps<Row>) {
  if (!first) return null;
  return (
    <table className={cards === undefined ? classes.table : `${classes.cards} ${cards}`}>
      <thead>
        <tr>
          {[first, ...columns].map(({ title, isTitleHidden }) => (
            <th key={title} scope="col">
              {isTitleHidden ? <VisuallyHidden>{title}</VisuallyHidden> : title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={keyOf(row)}>
            <th scope="row" className={first.className}>
              {first.cell(row)}
            </th>
            {columns.map(({ title, cell, className, isPlain }) => (
              <td key={title} className={className} data-label={isPlain || cards === undefined ? undefined : title}>
                {cards === undefined && !isPlain && (
                  <span className={classes.label} aria-hidden>
                    {title}
                  </span>
                )}
                {cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
