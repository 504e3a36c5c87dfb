// The register: a declaration for every table of the database. db/src/all-tables.ts does not compile while a table or a
// column is missing here, and tests/unit/schema/register.test.ts walks the tables as well.
import { belongings } from './belongings.ts';
import { chats } from './chats.ts';
import { type Declaration, type Place, type Travels, derived, stays, travels, travelsNaming } from './places.ts';

const ofAccount = stays('The account that imports has its own; account.json tells it for information.');

const ofServer = stays('Administrators of the other server decide it.');

const counter = derived('the change counter of the account');

const secret = stays('Passwords, keys and sign-ins are never exported.');

const books = stays('They are the books of this server.');

const account = {
  users: {
    held: 'settings',
    account: 'deleted',
    columns: {
      id: ofAccount,
      provider: ofAccount,
      email: ofAccount,
      name: ofAccount,
      username: ofAccount,
      avatar: travelsNaming('files'),
      role: ofServer,
      emailVerified: ofAccount,
      passwordHash: secret,
      plugins: ofAccount,
      changeSeq: counter,
      forgottenSeq: counter,
      presetsSeq: counter,
      keysSeq: counter,
      settingsSeq: counter,
      foldersSeq: counter,
      queueSeq: counter,
      schedulesSeq: counter,
      settings: travels,
      deletionDueAt: ofAccount,
      state: ofServer,
      mustAddFactor: secret,
      bannedUntil: ofServer,
      createdAt: ofAccount,
      updatedAt: ofAccount,
    },
  },
  sessions: { kept: 'secrets', account: 'cascades', whole: secret },
  identities: { kept: 'secrets', account: 'cascades', whole: secret },
  passwordResets: { kept: 'secrets', account: 'cascades', whole: secret },
  apiKeys: { kept: 'secrets', account: 'cascades', whole: secret },
  factors: { kept: 'secrets', account: 'cascades', whole: secret },
  recoveryCodes: { kept: 'secrets', account: 'cascades', whole: secret },
  signInTickets: { kept: 'secrets', account: 'cascades', whole: secret },
  userKeys: { kept: 'secrets', account: 'cascades', whole: secret },
  pluginKeys: { kept: 'secrets', account: 'cascades', whole: secret },
  connections: { kept: 'secrets', account: 'cascades', whole: secret },
  mcpServers: {
    kept: 'tools',
    account: 'cascades',
    whole: stays('An import never makes a server connect to an address; their owner adds them again.'),
  },
  mcpTools: {
    kept: null,
    account: 'cascades',
    whole: stays('Tool servers tell again what they offer; which of their tools are used is chosen with them.'),
  },
  toolGrants: {
    kept: 'tools',
    account: 'cascades',
    whole: stays('An import never allows a tool; its first call asks again.'),
  },
  balances: { kept: 'usage', account: 'cascades', whole: books },
  transactions: { kept: 'usage', account: 'cascades', whole: books },
  usageDays: { kept: 'usage', account: 'cascades', whole: books },
  budgets: { kept: 'usage', account: 'cascades', whole: ofServer },
  violations: { kept: null, account: 'cascades', whole: books },
  invitations: { kept: null, account: 'cascades', whole: ofServer },
  groupMembers: { kept: null, account: 'cascades', whole: ofServer },
  auditEvents: {
    kept: null,
    account: { outlives: 'The log of what administrators did outlives the accounts that it names.' },
    whole: stays('It is the log of this server.'),
  },
} as const satisfies Record<string, Declaration>;

const installation = 'It belongs to the installation; a backup has it.';

export const register = {
  ...chats,
  ...belongings,
  ...account,
  serverSettings: { nobodys: installation },
  providerSettings: { nobodys: installation },
  toolSettings: { nobodys: installation },
  groups: { nobodys: installation },
  modelAccess: { nobodys: installation },
  usageTotals: { nobodys: installation },
  networkBans: { nobodys: installation },
  limits: { nobodys: 'It counts attempts, and is empty soon.' },
  metadata: { nobodys: installation },
} as const satisfies Record<string, Declaration>;

export type Register = typeof register;

/** Tables of which something travels. */
export type TravellingTable = {
  [Name in keyof Register]: Register[Name] extends { columns: object } ? Name : never;
}[keyof Register];

type Columns<Name extends TravellingTable> = Register[Name]['columns'];

/** The columns of a table that travel. */
export type Travelling<Name extends TravellingTable> = {
  [Column in keyof Columns<Name>]: Columns<Name>[Column] extends Travels ? Column : never;
}[keyof Columns<Name>] &
  string;

/** The names of the columns that travel, in the order of the register. */
export function travelling<Name extends TravellingTable>(name: Name): Travelling<Name>[] {
  const places: [string, Place][] = Object.entries(register[name].columns);
  // The names are those that the type lists.
  return places.flatMap(([column, { place }]) => (place === 'travels' ? [column] : [])) as Travelling<Name>[];
}

// The account itself, its secrets and what is counted of it.
