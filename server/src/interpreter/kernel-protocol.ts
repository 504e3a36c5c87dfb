// What the server and a kernel say to each other: one JSON object a line, on the kernel's standard input and output.
// Any program with this protocol can be a kernel (INTERPRETER_COMMAND); it ends when its input does. The first line of a
// kernel is `{"type":"ready"}`. Then each order is answered by `done` with the order's id, before the next one is
// given.
import { z } from 'zod';

export type Order =
  /** Answered at once. */
  | { type: 'ping' }
  /** Runs Python. What it prints comes as `log` before `done`, which lists the files that it created or changed. */
  | { type: 'run'; code: string }
  /** Appends bytes, in base64, to a file of the kernel's folder, or begins it anew. */
  | { type: 'write'; name: string; data: string; isFirst: boolean }
  /** Asks for up to `bytes` bytes of a file, as `data` in base64; fewer at its end. */
  | { type: 'read'; name: string; from: number; bytes: number };

/** What a kernel sends is made by strangers' code: nothing of it is trusted. */
export const KernelResult = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready') }),
  z.object({ type: z.literal('log'), id: z.number(), text: z.string() }),
  z.object({
    type: z.literal('done'),
    id: z.number(),
    /** A traceback, or why an order could not be carried out. */
    error: z.string().nullish(),
    files: z.array(z.object({ name: z.string(), bytes: z.number() })).optional(),
    data: z.string().optional(),
  }),
]);

export type KernelResult = z.infer<typeof KernelResult>;
export type Done = Extract<KernelResult, { type: 'done' }>;

/** Bytes of a file in one order or answer, before base64. */
export const PIECE_BYTES = 512 * 1024;
/** The longest line of a kernel, in bytes: a piece in base64 with what is around it. */
export const LINE_MAX = 1024 * 1024;
