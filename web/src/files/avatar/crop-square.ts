/** The longest side of a profile image that is sent, in pixels: four times what is shown. */
const SIDE_MAX_PX = 600;

export interface Square {
  x: number;
  y: number;
  side: number;
}

/** Where a square is in its picture: from 0 (its left or top edge) to 1 (the other edge). */
export interface CropPosition {
  x: number;
  y: number;
}

export const MIDDLE: CropPosition = { x: 0.5, y: 0.5 };

interface Size {
  width: number;
  height: number;
}

/** A square of an image, `zoom` times smaller than the largest. */
export function squareAt(image: Size, zoom: number, at = MIDDLE): Square {
  const side = Math.min(image.width, image.height) / Math.max(1, zoom);
  return { x: (image.width - side) * at.x, y: (image.height - side) * at.y, side };
}

/** Where the square is after the image was moved by `x` and `y`, in sides of the square; it stays in the image. */
export function movedBy(image: Size, zoom: number, at: CropPosition, { x, y }: { x: number; y: number }): CropPosition {
  const { side } = squareAt(image, zoom, at);
  const along = (before: number, by: number, length: number) =>
    length <= side ? before : Math.max(0, Math.min(1, before - (by * side) / (length - side)));
  return { x: along(at.x, x, image.width), y: along(at.y, y, image.height) };
}

/** A square of an image as a PNG. @throws if the browser cannot read or draw it */
export async function cropSquare(file: Blob, zoom: number, at: CropPosition): Promise<Blob> {
  const image = await createImageBitmap(file);
  try {
    const { x, y, side } = squareAt(image, zoom, at);
    const size = Math.round(Math.min(SIDE_MAX_PX, side));
    const canvas = document.createElement('canvas');
    canvas.width = canvas.height = size;
    canvas.getContext('2d')?.drawImage(image, x, y, side, side, 0, 0, size, size);
    return await new Promise((resolve, reject) =>
      canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('The canvas gave no picture'))), 'image/png'),
    );
  } finally {
    image.close();
  }
}
