// Small images of the first pages of PDFs. They are drawn in this page once they are on screen and it has nothing
// better to do, one after the other, and live as long as the page.
import { useEffect, useState, type RefObject } from 'react';
import { onClearPersonalData } from '../lib/personal-data.ts';

/** The address of the image by that of the file; null for one that cannot be drawn. */
const images = new Map<string, string | null>();
/** The images that are kept, some kilobytes each. */
const PICTURES_MAX = 200;

let last: Promise<unknown> = Promise.resolve();

onClearPersonalData(() => {
  for (const image of images.values()) if (image !== null) URL.revokeObjectURL(image);
  images.clear();
});

/** Null until it is there, for a PDF that cannot be drawn, and without a path. */
export function usePdfThumbnail(frame: RefObject<Element | null>, path: string | null): string | null {
  const [picture, setPicture] = useState<string | null>(() => (path === null ? null : (images.get(path) ?? null)));
  useEffect(() => {
    const { current } = frame;
    if (path === null || current === null || picture !== null || images.get(path) === null) return;
    let isGone = false;
    const observer = new IntersectionObserver((entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
      observer.disconnect();
      void thumbnailOf(path, () => isGone).then((drawn) => isGone || setPicture(drawn));
    });
    observer.observe(current);
    return () => {
      isGone = true;
      observer.disconnect();
    };
  }, [frame, path, picture]);
  return picture;
}

/** Never fails. @param isUnwanted asked when it is its turn */
function thumbnailOf(path: string, isUnwanted: () => boolean): Promise<string | null> {
  const next = last.then(async () => {
    const known = images.get(path);
    if (known !== undefined) return known;
    if (isUnwanted() || !navigator.onLine) return null;
    await idle();
    const drawn = await draw(path);
    storeThumbnail(path, drawn);
    return drawn;
  });
  last = next;
  return next;
}

async function draw(path: string): Promise<string | null> {
  try {
    const { drawFirstPage } = await import('./pdf/draw-first-page.ts');
    return URL.createObjectURL(await drawFirstPage(path));
  } catch {
    return null;
  }
}

function storeThumbnail(path: string, image: string | null): void {
  images.set(path, image);
  for (const [oldest, old] of images) {
    if (images.size <= PICTURES_MAX) return;
    images.delete(oldest);
    if (old !== null) URL.revokeObjectURL(old);
  }
}

function idle(): Promise<void> {
  return new Promise((resolve) => {
    if ('requestIdleCallback' in window) requestIdleCallback(() => resolve(), { timeout: 2_000 });
    else setTimeout(resolve);
  });
}
