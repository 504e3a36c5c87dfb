// Characters of symbol fonts, which Word stores by their place in the font, and the boxes of forms.

export const TICKED = '[x]';
export const UNTICKED = '[ ]';

/** By the font and the place in it, in hexadecimal. */
const SYMBOLS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  wingdings: {
    FE: TICKED,
    FD: TICKED,
    A8: UNTICKED,
    A3: UNTICKED,
    '6F': UNTICKED,
    '70': UNTICKED,
    '71': UNTICKED,
    '72': UNTICKED,
    FC: '✓',
    FB: '✗',
    DF: '←',
    E0: '→',
    E1: '↑',
    E2: '↓',
    '28': '☎',
    '2A': '✉',
    '4A': '☺',
    '4C': '☹',
  },
  'wingdings 2': { '50': '✓', '4F': '✗', '52': TICKED, '53': TICKED, '54': TICKED, A3: UNTICKED, '2A': UNTICKED },
  symbol: {
    ...Object.fromEntries([...'αβχδεφγηιϕκλμνοπθρστυϖωξψζ'].map((letter, at) => [hex(0x61 + at), letter])),
    ...Object.fromEntries([...'ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ'].map((letter, at) => [hex(0x41 + at), letter])),
    A3: '≤',
    B3: '≥',
    B1: '±',
    B4: '×',
    B9: '≠',
    BB: '≈',
    AE: '→',
    AC: '←',
    DE: '⇒',
    A5: '∞',
    B0: '°',
    B7: '•',
    D6: '√',
    E5: '∑',
    F2: '∫',
  },
};

function hex(code: number): string {
  return code.toString(16).toUpperCase();
}

/** What `<w:sym>` shows; empty for a sign that has no character of its own. */
export function readSymbol(font = '', code = ''): string {
  const place = code.toUpperCase().replace(/^F0/, '');
  const known = SYMBOLS[font.toLowerCase()]?.[place];
  if (known !== undefined) return known;
  const point = Number.parseInt(code, 16);
  const isPrivate = !(point >= 0x20 && point < 0xd800) && !(point > 0xf8ff && point <= 0xffff);
  return isPrivate ? '' : String.fromCharCode(point);
}
