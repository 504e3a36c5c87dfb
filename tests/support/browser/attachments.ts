// Files as a person attaches them.
import sharp from 'sharp';
import type { Locator, Page } from 'playwright-core';

export interface Chosen {
  name: string;
  mimeType: string;
  buffer: Buffer;
}

export async function picture(name: string, color = '#0f766e', width = 1200, height = 800): Promise<Chosen> {
  const image = sharp({ create: { width, height, channels: 3, background: color } });
  return { name, mimeType: 'image/png', buffer: await image.png().toBuffer() };
}

export function textFile(name: string, text: string, mimeType = 'text/plain'): Chosen {
  return { name, mimeType, buffer: Buffer.from(text) };
}

/** Chooses files by the button of the message box. */
export async function attach(page: Page, ...files: Chosen[]): Promise<void> {
  const input = page.getByTestId('attach-input');
  await input.waitFor({ state: 'attached' });
  await input.setInputFiles(files);
}

export function chips(page: Page): Locator {
  return page.locator('[data-chip]');
}

/** Waits until nothing is being uploaded. */
export async function uploaded(page: Page, count: number): Promise<void> {
  await chips(page)
    .nth(count - 1)
    .waitFor();
  await page.getByRole('progressbar', { name: 'Uploading' }).first().waitFor({ state: 'detached' });
}

/** Pastes or drops files where the pointer or the caret is; the page sees what a browser would give it. */
export async function giveFiles(page: Page, how: 'paste' | 'drop', files: readonly Chosen[]): Promise<void> {
  const given = files.map(({ name, mimeType, buffer }) => ({ name, mimeType, data: buffer.toString('base64') }));
  await page.evaluate(
    ({ kind, list }) => {
      const data = new DataTransfer();
      for (const { name, mimeType, data: base64 } of list) {
        const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
        data.items.add(new File([bytes], name, { type: mimeType }));
      }
      const target = kind === 'paste' ? (document.activeElement ?? document.body) : document.body;
      const options = { bubbles: true, cancelable: true };
      target.dispatchEvent(
        kind === 'paste'
          ? new ClipboardEvent('paste', { ...options, clipboardData: data })
          : new DragEvent('drop', { ...options, dataTransfer: data }),
      );
    },
    { kind: how, list: given },
  );
}

/** Files are dragged over the page. Resolves with whether it takes them; otherwise the browser would open them. */
export async function dragOver(page: Page): Promise<'taken' | 'refused'> {
  return page.evaluate(() => {
    const data = new DataTransfer();
    data.items.add(new File(['x'], 'x.txt'));
    const event = new DragEvent('dragover', { bubbles: true, cancelable: true, dataTransfer: data });
    return document.body.dispatchEvent(event) ? 'refused' : 'taken';
  });
}
