// Turns Bing's citations into links: the text has `[^1^]`, and the addresses come separately.

export interface LooseSource {
  providerDisplayName?: string | null;
  seeMoreUrl?: string | null;
}

/** A citation that the next update may complete. */
const BEGUN = /\[(?:\^(?:\d+\^?)?)?$/;

/** The text with citations as links; one without a known source stays as it is. */
export function linked(text: string, sources: readonly LooseSource[], isLast: boolean): string {
  const whole = isLast ? text : text.replace(BEGUN, '');
  return whole.replace(/\[\^(\d+)\^\]/g, (citation: string, number: string) => {
    const url = addressOf(sources[Number(number) - 1]);
    return url === null ? citation : ` [[${number}]](${url})`;
  });
}

/** The sources as a line of links after the answer; empty when there are none. */
export function sourcesIn(sources: readonly LooseSource[]): string {
  const links = sources.flatMap((source, index) => {
    const url = addressOf(source);
    return url === null ? [] : [`[${index + 1}. ${nameOf(source, url)}](${url})`];
  });
  return links.length === 0 ? '' : `\n\nLearn more: ${links.join(' ')}`;
}

function addressOf(source: LooseSource | undefined): string | null {
  const given = source?.seeMoreUrl ?? '';
  if (!/^https?:/i.test(given) || !URL.canParse(given)) return null;
  return new URL(given).href.replaceAll('(', '%28').replaceAll(')', '%29');
}

function nameOf({ providerDisplayName }: LooseSource, url: string): string {
  const name = (providerDisplayName ?? '').replaceAll('[', '(').replaceAll(']', ')');
  // Not escaped: a backslash before a bracket would begin a formula.
  return name.replace(/[\s\\`*_<>$]+/g, ' ').trim() || new URL(url).hostname;
}
