import type { RegistrationMode } from '@parley/schema/accounts/registration';
import type { ParseKeys, TFunction } from 'i18next';
import { i18n } from '../../i18n.ts';
import { endpointLabel } from '../../catalog/choose-model.ts';
import { formatCredits, formatNumber, formatUsDollars } from '../../lib/format-number.ts';

export interface ShownEvent {
  event: string;
  actorId: string | null;
  /** The name of who did it; null where the account is gone. */
  actor: string | null;
  details: Record<string, string | number | boolean | null>;
}

/** Keeps a name of another direction from rearranging the sentence around it. */
const apart = (text: string) => `\u2068${text}\u2069`;

/** What is said by its names alone. */
const PLAIN = {
  'provider.saved': 'com_audit_provider_saved',
  'provider.removed': 'com_audit_provider_removed',
  'providers.ordered': 'com_audit_providers_ordered',
  'tool.key_saved': 'com_audit_tool_key_saved',
  'tool.key_removed': 'com_audit_tool_key_removed',
  'tool.server_saved': 'com_audit_tool_server_saved',
  'tool.server_removed': 'com_audit_tool_server_removed',
  'person.created': 'com_audit_person_created',
  'person.disabled': 'com_audit_person_disabled',
  'person.enabled': 'com_audit_person_enabled',
  'person.confirmed': 'com_audit_person_confirmed',
  'person.approved': 'com_audit_person_approved',
  'person.signed_out': 'com_audit_person_signed_out',
  'person.factors_removed': 'com_audit_person_factors',
  'person.joined_directory': 'com_audit_person_joined_directory',
  'person.left_directory': 'com_audit_person_left_directory',
  'person.returned_to_directory': 'com_audit_person_returned_directory',
  'person.reset_link_made': 'com_audit_person_reset_link',
  'person.removed': 'com_audit_person_removed',
  'group.created': 'com_audit_group_created',
  'group.removed': 'com_audit_group_removed',
  'group.member_added': 'com_audit_group_member_added',
  'group.member_removed': 'com_audit_group_member_removed',
} as const satisfies Record<string, ParseKeys>;

function isPlain(event: string): event is keyof typeof PLAIN {
  return Object.hasOwn(PLAIN, event);
}

/** Who says at a sign-in what a person may do. */
const SOURCES: Readonly<Record<string, string>> = { openid: 'OpenID', ldap: 'LDAP' };

/** What happened, in a sentence; what has none is said by its own name. */
export function describeEvent({ event, actorId, actor, details }: ShownEvent, t: TFunction): string {
  const nobody = SOURCES[String(details['by'])] ?? t('com_audit_operator');
  const operator = actorId === null ? nobody : null;
  const who = operator ?? (actor === null ? t('com_audit_gone') : apart(actor));
  const { name, email } = details;
  const whom = apart(name && email ? `${name} (${email})` : String(name || email));
  const group = apart(String(details['group']));
  const named = isOfEndpoint(event) ? endpointLabel(String(name)) : String(name);
  const values = { who, whom, name: apart(named), group };
  if (isPlain(event)) return t(PLAIN[event], values);
  switch (event) {
    case 'provider.switched':
      return details['isOn'] ? t('com_audit_provider_on', values) : t('com_audit_provider_off', values);
    case 'tool.switched':
      return details['isOn'] ? t('com_audit_tool_on', values) : t('com_audit_tool_off', values);
    case 'person.invited':
      return email ? t('com_audit_person_invited', values) : t('com_audit_person_invited_anybody', values);
    case 'invitation.revoked':
      return email ? t('com_audit_invitation_revoked', values) : t('com_audit_invitation_revoked_anybody', values);
    case 'person.role_changed':
      return details['role'] === 'ADMIN'
        ? t('com_audit_person_made_admin', values)
        : t('com_audit_person_made_user', values);
    case 'person.balance_added':
      return t('com_audit_person_balance', { ...values, amount: amountOf(details) });
    case 'budget.set':
      return t('com_audit_budget_set', {
        ...values,
        amount: amountOf(details),
        whose: whichBudget(details, whom, t),
      });
    case 'budget.removed':
      return t('com_audit_budget_removed', { ...values, whose: whichBudget(details, whom, t) });
    case 'group.renamed':
      return t('com_audit_group_renamed', { ...values, before: apart(String(details['before'])) });
    case 'access.set':
      return accessSentence(details, values, t);
    case 'provider.price_set':
    case 'provider.price_removed':
      return priceSentence(event, details, values, t);
    case 'retention.changed':
      return retentionSentence(details, values, t);
    case 'retention.swept':
      return t('com_audit_retention_swept', { 0: figureOf(details['chats']), 1: figureOf(details['events']) });
    case 'registration.changed':
      return t('com_audit_registration', { ...values, mode: registrationWord(details, t) });
    default:
      return `${who}: ${event} ${JSON.stringify(details)}`;
  }
}

/** Whether its name is that of an endpoint, which people know by its label. */
function isOfEndpoint(event: string): boolean {
  return event.startsWith('provider.') || event === 'access.set';
}

function priceSentence(
  event: 'provider.price_set' | 'provider.price_removed',
  { model, input, output, pictures }: ShownEvent['details'],
  values: { who: string; name: string },
  t: TFunction,
): string {
  const whose = { ...values, model: apart(String(model)) };
  if (event === 'provider.price_removed') return t('com_audit_price_removed', whose);
  const isOfPicturesOnly = typeof pictures === 'string' && input === 0 && output === 0;
  if (isOfPicturesOnly) return t('com_audit_price_set_pictures', { ...whose, pictures });
  const dollars = (amount: typeof input) => formatUsDollars(Number(amount), i18n.language);
  return t('com_audit_price_set', { ...whose, input: dollars(input), output: dollars(output) });
}

function retentionSentence(
  { chatsDays, filesDays, auditDays }: ShownEvent['details'],
  values: { who: string },
  t: TFunction,
): string {
  const log = daysWord(auditDays, t);
  const said = t('com_audit_retention_changed', { ...values, chats: daysWord(chatsDays, t), log });
  return typeof filesDays === 'number' ? t('com_audit_retention_files', { 0: said, 1: daysWord(filesDays, t) }) : said;
}

function daysWord(days: ShownEvent['details'][string] | undefined, t: TFunction): string {
  return typeof days === 'number' ? t('com_retention_days', { 0: figureOf(days) }) : t('com_retention_always');
}

function figureOf(value: ShownEvent['details'][string] | undefined): string {
  return formatNumber(Number(value), i18n.language);
}

/** Credits, as people read money. */
function amountOf({ credits }: ShownEvent['details']): string {
  return formatCredits(Number(credits), i18n.language);
}

function accessSentence(
  { groups, models }: ShownEvent['details'],
  values: { who: string; name: string },
  t: TFunction,
): string {
  const closed = groups === '' ? t('com_audit_access_admins', values) : null;
  const said =
    groups === null
      ? t('com_audit_access_open', values)
      : (closed ?? t('com_audit_access_closed', { ...values, groups: apart(String(groups)) }));
  return models ? t('com_audit_access_models', { 0: said, 1: apart(String(models)) }) : said;
}

/** Whose budget it is, and for how long. */
function whichBudget({ scope, group, period }: ShownEvent['details'], whom: string, t: TFunction): string {
  const person = scope === 'all' || scope === 'each' ? t(`com_admin_budgets_scope_${scope}`) : whom;
  const whose = scope === 'group' ? apart(String(group)) : person;
  return period === 'day' || period === 'month' ? `${whose} (${t(`com_admin_budgets_period_${period}`)})` : whose;
}

const MODES = { open: true, invitation: true, approval: true, closed: true } satisfies Record<RegistrationMode, true>;

function isMode(mode: string): mode is RegistrationMode {
  return Object.hasOwn(MODES, mode);
}

function registrationWord({ mode, domains }: ShownEvent['details'], t: TFunction): string {
  const word = typeof mode === 'string' && isMode(mode) ? t(`com_people_mode_${mode}`) : String(mode);
  return domains ? `${word} (${domains})` : word;
}
