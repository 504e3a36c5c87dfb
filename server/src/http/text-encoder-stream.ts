// Node's TextEncoderStream joins each chunk anew from its single characters: an event with an answer of 4 MB holds the
// event loop for a second, for each of its readers. tRPC encodes event streams with it.

/** Encodes each chunk as a whole; a surrogate pair may be split across two chunks. */
export class WholeTextEncoderStream extends TransformStream<string, Uint8Array<ArrayBuffer>> {
  readonly encoding = 'utf-8';

  constructor() {
    const encoder = new TextEncoder();
    let high = '';
    super({
      transform(chunk, controller) {
        const text = high + chunk;
        high = /[\ud800-\udbff]$/.exec(text.slice(-1))?.[0] ?? '';
        const whole = high === '' ? text : text.slice(0, -1);
        if (whole !== '') controller.enqueue(encoder.encode(whole));
      },
      flush(controller) {
        if (high !== '') controller.enqueue(encoder.encode(high));
      },
    });
  }
}
