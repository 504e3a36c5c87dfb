/** The tokens that a drawing is made of; `public/diagram/frame.js` gives them their places. */
const TOKENS = [
  'bg',
  'text',
  'muted',
  'edge',
  'code',
  'bubble',
  'accent',
  'accent-soft',
  'warning',
  'hl-k',
  'hl-s',
  'hl-f',
] as const;

export type DiagramColours = Record<(typeof TOKENS)[number], string>;

/** The colours of the theme that the page has now. */
export function diagramColours(): DiagramColours {
  const style = getComputedStyle(document.documentElement);
  const colours = TOKENS.map((token) => [token, style.getPropertyValue(`--p-${token}`).trim()]);
  return Object.fromEntries(colours) as DiagramColours;
}
