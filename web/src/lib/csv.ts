/** A line of CSV (RFC 4180) that a spreadsheet opens without running any cell. Signed numbers stay numbers. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(cellOf).join(',')}\r\n`;
}

/** What a spreadsheet would run as a formula when it opens the cell; formulas may call programs and URLs. */
const FORMULA = /^(?:\s*[=+\-@＝＋－＠]|[\t\r\n])/;

/**
 * A signed number, with separators of any country, an exponent, a percent sign or a currency; or a dash alone, for
 * nothing. There is nothing in it to run.
 */
const NUMBER =
  /^ *[+-] ?\p{Sc}? ?(?:(?:\d{1,3}(?:[,.'’ \u00A0\u202F]\d{2,3})+|\d+)(?:[.,]\d+)?|[.,]\d+)(?:[eE][+-]?\d{1,3})?[ \u00A0\u202F]?(?:[%‰]|\p{Sc})? *$/u;
const NOTHING = /^ *- *$/;

function cellOf(said: string): string {
  const isRun = FORMULA.test(said) && !NUMBER.test(said) && !NOTHING.test(said);
  const text = isRun ? `'${said}` : said;
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
