import * as z from 'zod';

/** A plugin as existing clients read it. */
export const RestPlugin = z.strictObject({
  name: z.string().min(1),
  pluginKey: z.string().min(1),
  description: z.string().min(1),
  icon: z.string().startsWith('data:image/svg+xml,'),
  authConfig: z.array(z.strictObject({ authField: z.string(), label: z.string(), description: z.string() })),
  authenticated: z.literal(true).optional(),
});
