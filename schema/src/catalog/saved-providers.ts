// A provider that an administrator adds: what is written into the form, and what the page is told of it.
import * as z from 'zod';
import type { Reason } from '../reasons.ts';
import type { EndpointType } from './endpoints.ts';
import { EVERY_MODEL, PICTURE_PRICE_MAX, PRICE_MAX } from './prices.ts';
import { SAVED_TYPES, type SavedType } from './provider-kinds.ts';

const NAME_MAX = 64;
const ADDRESS_MAX = 1000;
const KEY_MAX = 4000;
const MODEL_MAX = 256;
/** What is kept of a fetched list, too, for when it cannot be fetched. */
export const MODELS_MAX = 200;

const Name = z
  .string()
  .trim()
  .min(1, 'The provider needs a name.')
  .max(NAME_MAX, `The name must not be longer than ${NAME_MAX} characters.`)
  .regex(/^[^\p{Cc}]*$/u, 'The name must be one line.');

/** Where Azure has the model. They become parts of an address. */
const Azure = z.strictObject({
  instanceName: z
    .string()
    .trim()
    .regex(/^[a-z\d-]{1,64}$/i, 'The instance must be letters, digits and -.'),
  deploymentName: z
    .string()
    .trim()
    .regex(/^(?!\.{1,2}$)[\w.-]{1,64}$/, 'The deployment must be letters, digits and . _ -.'),
  version: z
    .string()
    .trim()
    .regex(/^(?!\.{1,2}$)[\w.-]{1,40}$/, 'The version must be a date such as 2024-10-21.'),
});

/** Everything but the key. */
export const ProviderConfig = z.strictObject({
  /** Of one that is compatible with OpenAI. */
  baseURL: z.string().trim().min(1).max(ADDRESS_MAX).optional(),
  azure: Azure.optional(),
  /** Offered where they are not fetched, or cannot be. */
  models: z.array(z.string().trim().min(1).max(MODEL_MAX)).max(MODELS_MAX).default([]),
  /** Whether the provider is asked which models it has. */
  fetchModels: z.boolean().default(true),
  /** Whether those of its models whose names say so are asked for pictures. Of one that is compatible with OpenAI. */
  makesPictures: z.boolean().default(false),
});
export type ProviderConfig = z.output<typeof ProviderConfig>;

const Values = ProviderConfig.extend({
  name: Name,
  type: z.enum(SAVED_TYPES),
  /** Absent: the one that is saved, or none. */
  apiKey: z
    .string()
    .trim()
    .min(1)
    .max(KEY_MAX)
    .regex(/^[\x21-\x7e]+$/, 'A key is one word, without spaces and line breaks.')
    .refine((key) => key !== 'user_provided', 'Keys of its users are set in the environment.')
    .optional(),
});

export const SaveProvider = Values.extend({
  /** Of what was read; null for a new one. */
  version: z.int().positive().nullable(),
});
export type SaveProvider = z.input<typeof SaveProvider>;

/** `model` is asked; the first of its list when absent. */
export const TryProvider = Values.extend({ model: z.string().trim().min(1).max(MODEL_MAX).optional() });
export type TryProvider = z.input<typeof TryProvider>;

export const SavedRef = z.strictObject({ name: Name, version: z.int().positive() });
export const SwitchProvider = SavedRef.extend({ isOn: z.boolean() });
export const OrderProviders = z.strictObject({ names: z.array(Name).max(1000) });

const PRICE_RULE = `A price must be a number of US dollars for a million tokens, from 0 to ${PRICE_MAX}.`;
const Dollars = z.number(PRICE_RULE).min(0, PRICE_RULE).max(PRICE_MAX, PRICE_RULE);

const PICTURE_RULE = `The price of a picture must be a number of US dollars from 0 to ${PICTURE_PRICE_MAX}.`;
const PictureDollars = z.number(PICTURE_RULE).min(0, PICTURE_RULE).max(PICTURE_PRICE_MAX, PICTURE_RULE);
const BySize = z.tuple([PictureDollars, PictureDollars]).readonly();

export const PriceInput = z.strictObject({
  input: Dollars,
  cachedRead: Dollars.optional(),
  cachedWrite: Dollars.optional(),
  output: Dollars,
  pictures: z.strictObject({ draft: BySize, fine: BySize }).optional(),
});

const PricesRef = z.strictObject({
  /** Of the provider. */
  name: Name,
  /** Of the prices that were read: 0 where none are saved. */
  version: z.int().nonnegative(),
  model: z
    .string()
    .trim()
    .min(1, `Name a model, or ${EVERY_MODEL} for all models without a price of their own.`)
    .max(MODEL_MAX, `The name of a model must not be longer than ${MODEL_MAX} characters.`)
    .regex(/^[^\p{Cc}]*$/u, 'The name of a model must be one line.'),
});

export const ListPrices = PricesRef.pick({ name: true });
export const SetPrice = PricesRef.extend({ price: PriceInput });
export type SetPrice = z.input<typeof SetPrice>;
export const RemovePrice = PricesRef;
export type RemovePrice = z.input<typeof RemovePrice>;

export type Tried =
  | { ok: true; models: string[]; answer: { model: string; text: string; ms: number } }
  /** `words` are the provider's own. */
  | { ok: false; step: 'models' | 'answer'; models: string[]; reason: Reason; words: string | null };

/** Why what is saved is not offered though it is on. */
export type Unused =
  /** The environment or the yaml file sets this provider. */
  | 'operator'
  /** ENDPOINTS or the yaml file's model specs leave it out. */
  | 'left_out'
  /** Its key was encrypted with another CREDS_KEY. */
  | 'key'
  /** Its settings do not fit together with those of the environment. */
  | 'settings';

export interface ProviderRow {
  name: string;
  type: EndpointType;
  /** `found`: an Ollama on the server's machine. */
  source: 'environment' | 'yaml' | 'saved' | 'found';
  state: 'on' | 'off' | 'users_keys' | 'failed' | 'unused';
  /** Why its list of models was not fetched, and since when. */
  failure: { reason: Reason; since: string } | null;
  unused: Unused | null;
  hasKey: boolean;
  /**
   * What its server has refused and is not sent at the moment, by its name in the protocol; `model` is null where that
   * holds for all models.
   */
  leftOut: { name: string; model: string | null }[];
  models: { count: number; first: string | null };
  /** What it has cost this month, in credits. */
  month: number;
  /** Of some of it no price is known. */
  isMonthEstimate: boolean;
  /** Null where it is not saved here. */
  saved: (SavedFacts & Omit<ProviderConfig, 'models'> & { models: string[] }) | null;
}

interface SavedFacts {
  type: SavedType;
  version: number;
  isOn: boolean;
  /** The name of the account; null when it is gone. */
  changedBy: string | null;
  changedAt: string;
}
