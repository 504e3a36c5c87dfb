// The interface settings that follow an account. `web/src/settings.ts` says where each acts.
import * as z from 'zod';

/** A name that is absent has its default. */
export const InterfaceSettings = z.strictObject({
  theme: z.enum(['system', 'light', 'dark']),
  /** `auto`, or the name of a language file. */
  language: z
    .string()
    .max(16)
    .regex(/^(auto|[a-z]{2}-[A-Z]{2})$/),
  autoScroll: z.boolean(),
  enterToSend: z.boolean(),
  showCode: z.boolean(),
  hideSidePanel: z.boolean(),
  textSize: z.enum(['small', 'normal', 'large']),
  wideMode: z.boolean(),
  switchingModels: z.enum(['ask', 'continue', 'new']),
  modularChat: z.boolean(),
  LaTeXParsing: z.boolean(),
  UsernameDisplay: z.boolean(),
  deleteWithoutAsking: z.boolean(),
});
export type InterfaceSettings = z.infer<typeof InterfaceSettings>;

/** Those that differ from their defaults. */
export type StoredSettings = Partial<InterfaceSettings>;

/** Sets the named settings and leaves the others; null restores the default. */
export const SetSettings = z.strictObject(nullable(InterfaceSettings.shape)).partial();
export type SetSettings = z.infer<typeof SetSettings>;

function nullable<Shape extends Record<string, z.ZodType>>(shape: Shape) {
  const entries = Object.entries(shape).map(([name, value]) => [name, z.nullable(value)]);
  return Object.fromEntries(entries) as { [Name in keyof Shape]: z.ZodNullable<Shape[Name]> };
}
