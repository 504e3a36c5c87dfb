// The cells of tables: of CSV as it is written, and of sheets as the index has read them.

const DELIMITERS = [',', ';', '\t', '|'] as const;
/** Characters from which the delimiter is told. */
const SAMPLE_CHARS = 4_000;

/** The rows of a CSV or TSV file. Quotes may hold delimiters, line breaks and doubled quotes; what is not closed ends with the text. */
export function parseCsv(text: string): string[][] {
  const delimiter = delimiterOf(text.slice(0, SAMPLE_CHARS));
  const rows: string[][] = [];
  let cells: string[] = [];
  let at = text.startsWith('\ufeff') ? 1 : 0;
  while (at < text.length) {
    const { cell, end } = text[at] === '"' ? quotedCell(text, at) : plainCell(text, at, delimiter);
    cells.push(cell);
    at = end;
    if (text[at] === delimiter) {
      at++;
      // The text ends in an empty cell.
      if (at === text.length) cells.push('');
      continue;
    }
    if (text[at] === '\r') at++;
    if (text[at] === '\n') at++;
    rows.push(cells);
    cells = [];
  }
  if (cells.length > 0) rows.push(cells);
  return rows.filter((row) => row.length > 1 || row[0] !== '');
}

function plainCell(text: string, from: number, delimiter: string): { cell: string; end: number } {
  let end = from;
  while (end < text.length && text[end] !== delimiter && text[end] !== '\n' && text[end] !== '\r') end++;
  return { cell: text.slice(from, end), end };
}

function quotedCell(text: string, from: number): { cell: string; end: number } {
  let cell = '';
  let at = from + 1;
  while (at < text.length) {
    const close = text.indexOf('"', at);
    if (close < 0) return { cell: cell + text.slice(at), end: text.length };
    cell += text.slice(at, close);
    if (text[close + 1] !== '"') return { cell, end: close + 1 };
    cell += '"';
    at = close + 2;
  }
  return { cell, end: at };
}

/** The one that stands most often in the first lines, outside quotes. */
function delimiterOf(sample: string): string {
  const bare = sample.replaceAll(/"[^"]*"/g, '');
  const counts = DELIMITERS.map((delimiter) => bare.split(delimiter).length);
  return DELIMITERS[counts.indexOf(Math.max(...counts))] ?? ',';
}

/** How the index writes a row of a sheet. */
const BETWEEN_CELLS = ' | ';

export function cellsOfLine(line: string): string[] {
  return line.split(BETWEEN_CELLS);
}
