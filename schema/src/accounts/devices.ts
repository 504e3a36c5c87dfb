import * as z from 'zod';

/** A browser that a user is signed in with. */
export interface Device {
  id: string;
  /** The one that asks. */
  isThis: boolean;
  /** Null when it is not known. */
  browser: string | null;
  system: string | null;
  /** ISO dates. Of `usedAt` the last renewal of its access token counts, at most some minutes before its last use. */
  signedInAt: string;
  usedAt: string;
}

export const DeviceRef = z.strictObject({ id: z.uuid() });
