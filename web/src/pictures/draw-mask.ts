/** The mask of what is drawn: a PNG of the same size, transparent where something is drawn and black elsewhere. */
export async function drawMask(drawn: HTMLCanvasElement): Promise<File> {
  const { width, height } = drawn;
  const mask = new OffscreenCanvas(width, height);
  const context = mask.getContext('2d');
  if (!context) throw new Error('This browser draws no masks');
  context.fillRect(0, 0, width, height);
  context.globalCompositeOperation = 'destination-out';
  context.drawImage(drawn, 0, 0);
  return new File([await mask.convertToBlob({ type: 'image/png' })], 'mask.png', { type: 'image/png' });
}
