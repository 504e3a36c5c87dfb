// Where a provider lists its models and how to parse the response. The catalog fetches and caches.
import * as z from 'zod';
import { metadataInEntry, type ModelMetadata } from './model-metadata.ts';

/** A model of a provider's list. */
export interface ListedModel extends ModelMetadata {
  id: string;
}

export interface ModelSource {
  url: string;
  headers: Record<string, string>;
  /** Parses the models of a response; throws a ZodError for an invalid list. */
  read(response: unknown): ListedModel[];
  /** For providers that describe each model separately. */
  description?: { url: string; body(id: string): unknown; read(response: unknown): ModelMetadata };
  /** For providers that describe their loaded models; earlier results stay valid. */
  running?: { url: string; read(response: unknown): ReadonlyMap<string, ModelMetadata> };
  /** The list differs between users, who are named in the query. */
  byUser?: boolean;
  /** Replaces the platform's `fetch`. */
  fetch?: typeof fetch;
}

/** The model list for a user's own key; null for a user without a usable key. */
export type UserModelSource = (userId: string) => Promise<ModelSource | null>;

const List = z.array(z.looseObject({ id: z.string() }));
/** Together returns a bare list. */
const Data = z.union([List, z.object({ data: List }).transform(({ data }) => data)]);

/** Reads a list in OpenAI's format, which Anthropic and most others share. */
export function readModelList(response: unknown): ListedModel[] {
  return Data.parse(response).map((entry) => ({ id: entry.id, ...metadataInEntry(entry) }));
}
