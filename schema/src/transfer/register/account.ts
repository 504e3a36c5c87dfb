// The account itself, its secrets and what is counted of it.
import { derived, stays, travels, travelsNaming, type Declaration } from './places.ts';

const ofAccount = stays('The account that imports has its own; account.json tells it for information.');
const ofServer = stays('Administrators of the other server decide it.');
const counter = derived('the change counter of the account');
const secret = stays('Passwords, keys and sign-ins are never exported.');
const books = stays('They are the books of this server.');

export const account = {
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
