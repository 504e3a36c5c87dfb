import * as z from 'zod';
import { CHOSEN_TOOLS_MAX, TOOL_KEY_MAX } from '../catalog/params.ts';
import { cleanText } from '../clean-text.ts';
import { PersonalInput } from './personal.ts';
import {
  FAVOURITES_MAX,
  RECENT_MAX,
  SETTINGS,
  SETTING_NAMES,
  type SettingName,
  type SettingRow,
  type SettingValue,
} from './interface.ts';

/** `auto`, or the name of a language file. */
const Language = z
  .string()
  .max(16)
  .regex(/^(auto|[a-z]{2}-[A-Z]{2})$/);

/** `usual`, or the keys of some shortcuts: `newChat=mod+shift+O sidebar=`. */
const Keys = z
  .string()
  .max(1000)
  .regex(/^(usual|[a-zA-Z]+=\S{0,40}( [a-zA-Z]+=\S{0,40})*)$/)
  .overwrite(cleanText);

/** `auto`, or the name of a voice, which its maker chooses. */
const Voice = z
  .string()
  .max(300)
  .regex(/^(auto|voice:.+)$/)
  .overwrite(cleanText);

/** Names of models are chosen by their providers. */
const Name = z.string().min(1).max(512).overwrite(cleanText);
const Pair = z.tuple([Name, Name]);

/** Sets the named settings and leaves the others; null restores the default. */
export const SetSettings = z
  .strictObject({
    // `Object.fromEntries` loses which value belongs to which name.
    ...(Object.fromEntries(SETTING_NAMES.map((name) => [name, valueOf(SETTINGS[name]).nullable()])) as unknown as {
      [N in SettingName]: z.ZodNullable<z.ZodType<SettingValue<N>, SettingValue<N>>>;
    }),
    defaultTools: z.array(z.string().min(1).max(TOOL_KEY_MAX).overwrite(cleanText)).max(CHOSEN_TOOLS_MAX).nullable(),
    favouriteModels: z.array(Pair).max(FAVOURITES_MAX),
    recentModels: z.array(Pair).max(RECENT_MAX),
    personal: PersonalInput.nullable(),
    notices: z.strictObject({ isOn: z.boolean(), hasTitles: z.boolean(), hasMail: z.boolean() }).nullable(),
  })
  .partial();
export type SetSettings = z.infer<typeof SetSettings>;

function valueOf(row: SettingRow) {
  switch (row.kind) {
    case undefined:
      return z.boolean();
    case 'choice':
      return z.enum(Object.keys(row.options));
    case 'language':
      return Language;
    case 'keys':
      return Keys;
    case 'voice':
      return Voice;
    default:
      return row satisfies never;
  }
}
