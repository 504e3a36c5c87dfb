/** A line of CSV (RFC 4180) that a spreadsheet opens without running any cell. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(cellOf).join(',')}\r\n`;
}

/** What a spreadsheet would run as a formula when it opens the cell; formulas may call programs and URLs. */
const FORMULA = /^(?:\s*[=+\-@＝＋－＠]|[\t\r\n])/;

function cellOf(said: string): string {
  const text = FORMULA.test(said) ? `'${said}` : said;
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
