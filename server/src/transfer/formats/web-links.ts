// Web pages that answers of other products name, as links in Markdown.

export interface WebPage {
  title: string | null;
  url: string;
}

export function webLink({ title, url }: WebPage): string {
  const text = (title?.trim() || hostOf(url)).replaceAll(/[\\[\]]/g, '\\$&').replaceAll(/\s+/g, ' ');
  return `[${text}](${url.replaceAll(/[()<>]/g, (char) => encodeURIComponent(char).replace('(', '%28').replace(')', '%29'))})`;
}

/** Pages in parentheses, each once. */
export function webLinks(pages: readonly WebPage[]): string {
  const once = new Map(pages.map((page) => [page.url, page]));
  return once.size === 0 ? '' : `(${[...once.values()].map(webLink).join(', ')})`;
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).hostname : url;
}
