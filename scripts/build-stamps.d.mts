export type Half = 'server' | 'web';
export const root: string;
export function isFresh(half: Half, folder?: string): boolean;
export function hashInputs(half: Half, folder?: string): string;
export function stamp(dist: string, hash: string): void;
