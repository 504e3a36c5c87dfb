/** Bing's image creator as an embedded frame; the user's browser displays it only if it passes its own check. */
export function imageFrame(prompt: string, messageId: string | null | undefined): string {
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
