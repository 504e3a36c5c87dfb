/** The size of an image in pixels, turned as it is shown; null if this browser cannot read it. */
export async function readImageSize(file: Blob): Promise<{ width: number; height: number } | null> {
  try {
    const image = await createImageBitmap(file);
    const { width, height } = image;
    image.close();
    return { width, height };
  } catch {
    return null;
  }
}

/** The largest size with the image's proportions that fits; images are never enlarged. */
export function fitInto(
  image: { width: number; height: number },
  box: { width: number; height: number },
): { width: number; height: number } {
  const scale = Math.min(1, box.width / Math.max(1, image.width), box.height / Math.max(1, image.height));
  const side = (pixels: number) => Math.max(1, Math.round(pixels * scale));
  return { width: side(image.width), height: side(image.height) };
}
