import { SIGN_IN_SITE_NAMES } from '@parley/schema/catalog/sign-in-sites';
import type { EndpointConfig, StartupConfig } from '@parley/schema/catalog/startup';
import { recordBy } from '@parley/schema/entries';
import * as z from 'zod';
import { Count, Text, type Fields } from './shapes.ts';

const Flag = z.boolean();
const On = z.literal(true).exactOptional();
const Off = z.literal(false).optional();
const Link = z.object({ externalUrl: Text.exactOptional(), openNewTab: Flag.exactOptional() });

const ofSites = recordBy(
  SIGN_IN_SITE_NAMES.map((name) => `${name}LoginEnabled` as const),
  () => Flag,
);

export const Startup = z
  .object({
    ...ofSites,
    appTitle: Text,
    version: Text,
    socialLogins: z.array(Text),
    openidLabel: Text,
    openidImageUrl: Text.optional(),
    serverDomain: Text,
    emailLoginEnabled: Flag,
    registrationEnabled: Flag,
    socialLoginEnabled: Flag,
    emailEnabled: Flag,
    ldap: z.object({ enabled: z.literal(true), username: On }).optional(),
    checkBalance: Flag,
    showBirthdayIcon: Flag,
    helpAndFaqURL: Text,
    interface: z.object({ privacyPolicy: Link.exactOptional(), termsOfService: Link.exactOptional() }).optional(),
    customFooter: Text.optional(),
    currency: z.object({ code: Text, perDollar: z.number() }).optional(),
    toolsEnabled: Off,
    webSearchEnabled: On,
    dictationEnabled: On,
    readingEnabled: On,
    apiKeysEnabled: Off,
    sharedLinksEnabled: Off,
    sharedAssistantsEnabled: Off,
    publicProjectsEnabled: Off,
    passwordResetEnabled: Off,
    modelSpecsEnabled: On,
    pushEnabled: On,
    artifacts: z.enum(['still', 'off']).optional(),
    accountDeletionEnabled: Off,
    awaitsFirstPerson: On,
  } satisfies Fields<StartupConfig>)
  // These clients take what is not said for off.
  .extend({ sharedLinksEnabled: Flag, passwordResetEnabled: Flag })
  .meta({ id: 'Config' });

const Endpoint = z
  .object({
    type: z.literal('custom').optional(),
    userProvide: Flag.optional(),
    userProvideURL: Flag.optional(),
    plugins: z.record(Text, Text).optional(),
    availableAgents: z.array(z.enum(['classic', 'functions'])).optional(),
    azure: Flag.optional(),
    modelDisplayLabel: Text.optional(),
    iconURL: Text.optional(),
    retrievalModels: z.array(Text).optional(),
    capabilities: z.array(Text).optional(),
    disableBuilder: Flag.optional(),
    order: z.number(),
  } satisfies Fields<Omit<EndpointConfig, 'pictures'>>)
  .meta({ id: 'Endpoint' });

export const EndpointsByName = z.record(Text, Endpoint);
export const ModelsByEndpoint = z.record(Text, z.array(Text));
export const TokenCount = z.object({ count: Count });
