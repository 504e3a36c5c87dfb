import { openPdf } from './load-pdf.ts';

/** Pixels: sharp on the finest screens, in the largest place that shows it. */
const WIDTH_PX = 144;

/** The first page of a PDF as a small image. Fetches no more of the file than that page needs. */
export async function drawFirstPage(path: string): Promise<Blob> {
  const task = await openPdf(path, 'pieces');
  try {
    const document = await task.promise;
    const page = await document.getPage(1);
    const whole = page.getViewport({ scale: 1 });
    const viewport = page.getViewport({ scale: WIDTH_PX / whole.width });
    const canvas = window.document.createElement('canvas');
    canvas.width = Math.round(viewport.width);
    // A very long page is cut: only its top is shown.
    canvas.height = Math.min(Math.round(viewport.height), WIDTH_PX * 2);
    await page.render({ canvas, viewport }).promise;
    const image = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve));
    if (!image) throw new Error('The page could not be drawn');
    return image;
  } finally {
    await task.destroy();
  }
}
