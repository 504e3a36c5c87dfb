// Recordings that are made for tests: silent, and as long as they are asked to be.

/** A WAV of 8 kHz and 16 bits. `words` go into a chunk that players skip and the fake provider reads. */
export function wav(seconds: number, words = ''): Buffer {
  const data = Buffer.alloc(Math.round(seconds * 16_000));
  const note = Buffer.from(words.padEnd(words.length + (words.length % 2)));
  const head = Buffer.alloc(36);
  head.write('RIFF', 0, 'latin1');
  head.writeUInt32LE(36 + note.length + 8 + data.length, 4);
  head.write('WAVEfmt ', 8, 'latin1');
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(8000, 24);
  head.writeUInt32LE(16_000, 28);
  head.writeUInt16LE(2, 32);
  head.writeUInt16LE(16, 34);
  return Buffer.concat([head, chunk('note', note), chunk('data', data)]);
}

function chunk(name: string, body: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.write(name, 0, 'latin1');
  head.writeUInt32LE(body.length, 4);
  return Buffer.concat([head, body]);
}

/** The skeleton of a WebM with clusters at these times, in milliseconds. */
export function webm(...times: number[]): Buffer {
  const clusters = times.map((time) => {
    const at = Buffer.alloc(4);
    at.writeUInt32BE(time);
    // The cluster of unknown size, its time in four bytes, then sound.
    return Buffer.concat([Buffer.from('1f43b67501ffffffffffffffe784', 'hex'), at, Buffer.alloc(400, 7)]);
  });
  return Buffer.concat([Buffer.from('1a45dfa39f42868101', 'hex'), Buffer.alloc(40), ...clusters]);
}

/** Pages of an Ogg whose ends are at these numbers of samples. */
export function ogg(...samples: number[]): Buffer {
  return Buffer.concat(
    samples.map((position) => {
      const page = Buffer.alloc(100);
      page.write('OggS', 0, 'latin1');
      page.writeBigUInt64LE(BigInt(position), 6);
      return page;
    }),
  );
}

/** The head of an MP4 with this duration. */
export function mp4(seconds: number): Buffer {
  const bytes = Buffer.alloc(120);
  bytes.write('ftypM4A ', 4, 'latin1');
  bytes.write('mvhd', 40, 'latin1');
  bytes.writeUInt32BE(1000, 44 + 12);
  bytes.writeUInt32BE(seconds * 1000, 44 + 16);
  return bytes;
}

/** An MP3 of 64 kbit/s at 24 kHz. */
export function mp3(seconds: number): Buffer {
  const frame = Buffer.concat([Buffer.from([0xff, 0xf3, 0x84, 0xc4]), Buffer.alloc(188)]);
  return Buffer.concat(Array.from({ length: Math.round(seconds / 0.024) }, () => frame));
}

/** The head of a FLAC with this duration. */
export function flac(seconds: number): Buffer {
  const bytes = Buffer.alloc(64);
  bytes.write('fLaC', 0, 'latin1');
  bytes.writeUIntBE(44_100 * 16, 18, 3);
  bytes.writeUInt32BE(44_100 * seconds, 22);
  return bytes;
}

/** A WAV of 48 kHz as a microphone gives it: tones of so many seconds, each so loud. */
export function tone(...parts: [seconds: number, level: number][]): Buffer {
  const rate = 48_000;
  const samples = parts.flatMap(([seconds, level]) =>
    Array.from({ length: seconds * rate }, (_, at) =>
      Math.round(level * 32_767 * Math.sin((at * 2 * Math.PI * 220) / rate)),
    ),
  );
  const head = wav(0);
  head.writeUInt32LE(rate, 24);
  head.writeUInt32LE(rate * 2, 28);
  const data = Buffer.alloc(samples.length * 2);
  for (const [at, sample] of samples.entries()) data.writeInt16LE(sample, at * 2);
  head.writeUInt32LE(36 + data.length, 4);
  return Buffer.concat([head.subarray(0, 36), chunk('data', data)]);
}
