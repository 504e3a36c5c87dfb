// What administrators see of the people on a server, and change.
import * as z from 'zod';
import { cleanText } from '../clean-text.ts';
import { Id } from '../ids.ts';
import { REGISTRATION_MODES } from './registration.ts';
import { Email, Name, Password } from './users.ts';

export const ROLES = ['USER', 'ADMIN'] as const;
export type Role = (typeof ROLES)[number];
export const STATES = ['active', 'disabled', 'waiting', 'unconfirmed'] as const;
export type AccountState = (typeof STATES)[number];

export interface PersonRow {
  id: string;
  name: string;
  email: string;
  /** How the account was made: `local` by a form, else the site. */
  provider: string;
  role: Role;
  state: AccountState;
  createdAt: string;
  /** When a browser last showed that it is signed in; null for nobody who is. */
  lastSeenAt: string | null;
  /** When the account is deleted; null unless somebody asked for that. */
  deletionDueAt: string | null;
  /** Whether signing in asks for a code as well. */
  hasSecondFactor: boolean;
  /** Credits; absent where nothing is charged. */
  balance?: number;
}

export interface PeoplePage {
  people: PersonRow[];
  /** Given back as `cursor`, for the next page; null on the last one. */
  next: string | null;
}

export interface InvitationRow {
  id: string;
  email: string | null;
  role: Role;
  createdAt: string;
  expiresAt: string;
}

/** Of a search: longer ones find nobody. */
const QUERY_MAX = 200;
const INVITATION_DAYS_MAX = 90;
const DOMAINS_MAX = 100;
/** At most a thousand dollars at a time, to limit typing errors. */
export const CREDITS_MAX = 1_000_000_000;

export const PersonRef = z.strictObject({ userId: Id });

/** Not strict: an endless list of the browser sends its direction, too. */
export const ListPeople = z.object({
  /** Words that begin so are in the name, the user name or the address. */
  query: z.string().max(QUERY_MAX).optional(),
  /** Only those who wait for approval, who waited longest first. */
  isWaiting: z.boolean().optional(),
  /** `next` of the page before. */
  cursor: z.string().overwrite(cleanText).max(QUERY_MAX).nullish(),
});
export type ListPeople = z.infer<typeof ListPeople>;

export const Invite = z.strictObject({
  email: Email.nullish().transform((email) => email ?? null),
  role: z.enum(ROLES),
  expiresInDays: z.int().min(1).max(INVITATION_DAYS_MAX),
});
export type Invite = z.output<typeof Invite>;

export const InvitationRef = z.strictObject({ id: Id });

export const CreatePerson = z.strictObject({
  email: Email,
  name: Name,
  role: z.enum(ROLES),
  /** Without one, a link lets the person choose it. */
  password: Password.optional(),
});

export const SetRole = PersonRef.extend({ role: z.enum(ROLES) });

/** `canReturn` lets the person take it back by signing in. */
export const RemovePerson = PersonRef.extend({ canReturn: z.boolean() });

export const AddBalance = PersonRef.extend({ credits: z.int().min(1).max(CREDITS_MAX) });

const Domain = z.string().trim().toLowerCase().max(253).refine(isDomain, 'A domain is written like example.com');

export const SetRegistration = z.object({
  mode: z.enum(REGISTRATION_MODES),
  allowedDomains: z
    .array(Domain)
    .max(DOMAINS_MAX)
    .overwrite((domains) => [...new Set(domains)]),
});

/** One word with a dot inside, and nothing of an address around it. */
function isDomain(text: string): boolean {
  return !/[\s@/:]/.test(text) && text.indexOf('.', 1) > 0 && !text.endsWith('.');
}
