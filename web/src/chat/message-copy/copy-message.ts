import { copyText } from '../../lib/clipboard.ts';
import { richHtml } from './rich-html.ts';

/** Copies a message as Markdown, and as formatted text too where the browser can. False if the browser refuses. */
export async function copyMessage(text: string, article: ParentNode | null): Promise<boolean> {
  const html = article ? richHtml(article) : '';
  if (html !== '' && 'ClipboardItem' in window && 'clipboard' in navigator) {
    try {
      const item = { 'text/plain': asBlob(text, 'text/plain'), 'text/html': asBlob(html, 'text/html') };
      await navigator.clipboard.write([new ClipboardItem(item)]);
      return true;
    } catch {
      // Some browsers take plain text only.
    }
  }
  return copyText(text);
}

function asBlob(text: string, type: string): Blob {
  return new Blob([text], { type });
}
