/** A random UUID. Pages served over plain HTTP have no `crypto.randomUUID`, only `getRandomValues`. */
export function newId(): string {
  if ('randomUUID' in crypto) return crypto.randomUUID();
  return '10000000-1000-4000-8000-100000000000'.replace(/[018]/g, (digit) => randomDigit(Number(digit)));
}

/** Keeps the two variant bits of the digit 8; the rest is random. */
function randomDigit(digit: number): string {
  const [random = 0] = crypto.getRandomValues(new Uint8Array(1));
  return (digit ^ (random & (15 >> (digit / 4)))).toString(16);
}
