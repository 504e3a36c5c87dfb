/** Pictures that the fake provider paints: PNG files, each of other colours. */
import { crc32, deflateSync } from 'node:zlib';

/** A sky above a hill, in the colours of `seed`. */
export function paint(width: number, height: number, seed: number): Buffer {
  const [low, high] = [hue(seed * 47), hue(seed * 47 + 150)];
  const row = 1 + width * 3;
  const pixels = Buffer.alloc(row * height);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const hill = height * (0.68 + 0.14 * Math.sin((x / width) * 7 + seed));
      const [from, share] = y > hill ? [low, 0.9 - (y / height) * 0.4] : [high, 0.55 + (y / height) * 0.5];
      for (let part = 0; part < 3; part++)
        pixels[y * row + 1 + x * 3 + part] = Math.min(255, (from[part] ?? 0) * share);
    }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // Eight bits of red, green and blue.
  header.set([8, 2, 0, 0, 0], 8);
  const signature = Buffer.from('89504e470d0a1a0a', 'hex');
  const about = chunk('tEXt', Buffer.from('Comment\0made by the fake provider for user 1234'));
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    about,
    chunk('IDAT', deflateSync(pixels, { level: 1 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data]);
  const around = Buffer.alloc(8);
  around.writeUInt32BE(data.length, 0);
  around.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([around.subarray(0, 4), body, around.subarray(4)]);
}

function hue(degrees: number): [number, number, number] {
  const part = (shift: number) => Math.round(150 + 90 * Math.cos(((degrees + shift) * Math.PI) / 180));
  return [part(0), part(240), part(120)];
}
