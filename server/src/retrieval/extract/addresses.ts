// Addresses of links, as they stand behind the words of a link.

const ADDRESS_LENGTH = 2000;

/** Whether a person could open this: not a place in the file, a program, or a file of its writer's machine. */
export function isAddress(address: string): boolean {
  return address.length <= ADDRESS_LENGTH && /^(https?|mailto|ftp|tel):\S/i.test(address);
}

/** ' (https://example.org)'; empty where there is nothing to open, or the words are the address themselves. */
export function addressBehind(words: string, address: string | undefined): string {
  const target = address?.trim() ?? '';
  if (words.trim() === '' || !isAddress(target) || words.includes(asWritten(target))) return '';
  return ` (${target})`;
}

/** An address as people write it. */
export function asWritten(address: string): string {
  return address.replace(/^(https?:\/\/|mailto:|ftp:\/\/|tel:)/i, '').replace(/\/$/, '');
}
