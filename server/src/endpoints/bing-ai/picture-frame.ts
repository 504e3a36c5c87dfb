/** Bing's picture maker as it embeds itself into a page; the reader's browser shows it if it passes its own test. */
export function pictureFrame(prompt: string, messageId: string | null | undefined): string {
  const query = new URLSearchParams({
    partner: 'sydney',
    re: '1',
    showselective: '1',
    sude: '1',
    q: prompt,
    ...(messageId && { iframeid: messageId }),
  });
  return `\n\n<iframe role="presentation" src="https://www.bing.com/images/create?${query.toString()}"></iframe>`;
}
