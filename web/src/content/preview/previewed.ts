/** Longer code is not shown as a page, in characters. */
const CODE_MAX = 400_000;

/** As what a block of code can be shown; null where it is neither a page nor a picture. */
export function previewOf(language: string, code: string): 'page' | 'picture' | null {
  if (code.length > CODE_MAX) return null;
  const name = language.toLowerCase();
  if (name === 'html' || name === 'htm' || name === 'xhtml') return 'page';
  return name === 'svg' || (name === 'xml' && /^\s*(?:<\?xml[^>]*>\s*)?<svg[\s>]/.test(code)) ? 'picture' : null;
}
