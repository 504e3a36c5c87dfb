/**
 * The fonts that the page has loaded, as CSS rules with embedded data: an image cannot fetch anything. A font that
 * cannot be read is left out.
 */
export async function loadedFontsCss(): Promise<string> {
  const loaded = new Set([...document.fonts].filter(({ status }) => status === 'loaded').map(nameOf));
  const rules = [...document.styleSheets].flatMap(fontRules).filter((rule) => loaded.has(nameOf(faceOf(rule))));
  const embedded = await Promise.all(rules.map((rule) => embed(rule).catch(() => '')));
  return embedded.join('\n');
}

function fontRules(sheet: CSSStyleSheet): CSSFontFaceRule[] {
  return [...sheet.cssRules].filter((rule) => rule instanceof CSSFontFaceRule);
}

function faceOf({ style }: CSSFontFaceRule) {
  const read = (name: string) => style.getPropertyValue(name);
  return { family: read('font-family'), weight: read('font-weight'), style: read('font-style') };
}

function nameOf({ family, weight, style }: { family: string; weight: string; style: string }): string {
  const plainWeight = { '': '400', normal: '400', bold: '700' }[weight] ?? weight;
  return [family.replaceAll(/["']/g, ''), plainWeight, style || 'normal'].join('|');
}

async function embed(rule: CSSFontFaceRule): Promise<string> {
  const [, url] = /url\(["']?([^"'()]+)["']?\)/.exec(rule.style.getPropertyValue('src')) ?? [];
  if (!url) return '';
  const response = await fetch(new URL(url, rule.parentStyleSheet?.href ?? document.baseURI));
  const { family, weight, style } = faceOf(rule);
  const src = await dataUrlOf(await response.blob());
  return `@font-face{font-family:${family};font-weight:${weight || '400'};font-style:${style || 'normal'};src:url(${src})}`;
}

function dataUrlOf(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(new Error('A font could not be read'));
    reader.readAsDataURL(blob);
  });
}
