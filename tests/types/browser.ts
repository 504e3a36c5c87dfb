// What the browser infers from the server's router and from the shared tables. The type check of `npm test` reads it: a
// procedure whose types get lost or widen is an error here.
import type { AppRouter } from '@parley/server/router';
import type { Convo } from '@parley/schema/convos/convos';
import type { GenerationEvent } from '@parley/schema/generation/events';
import type { Message } from '@parley/schema/messages/messages';
import type { Preset } from '@parley/schema/settings/presets';
import type { Reason } from '@parley/schema/reasons';
import type { SettingValue } from '@parley/schema/settings/interface';
import type { TRPCClientError } from '@trpc/client';
import type { inferRouterInputs, inferRouterOutputs } from '@trpc/server';
import { expectTypeOf } from 'vitest';

type Inputs = inferRouterInputs<AppRouter>;
type Outputs = inferRouterOutputs<AppRouter>;
type Ask = Inputs['messages']['ask'];

expectTypeOf<'auth' | 'convos' | 'messages' | 'presets' | 'files' | 'keys' | 'assistants'>().toExtend<keyof Outputs>();
expectTypeOf<keyof Outputs>().not.toEqualTypeOf<string>();

// Inputs: ids and targets are checked where the browser writes them.
expectTypeOf<Ask['generationId']>().toEqualTypeOf<string>();
expectTypeOf<Ask['target']['kind']>().toEqualTypeOf<'send' | 'regenerate' | 'continue' | 'edit' | 'resume'>();
expectTypeOf<{ kind: 'send'; messageId: string; text: string }>().not.toExtend<Ask['target']>();
expectTypeOf<Inputs['messages']['abort']>().toEqualTypeOf<{ generationId: string }>();
expectTypeOf<Inputs['presets']['list']>().toEqualTypeOf<void>();

// Outputs: rows of the shared types, never rows of tables.
expectTypeOf<Outputs['messages']['ask']['reply']>().toExtend<Message>();
expectTypeOf<Outputs['messages']['ask']['convo']>().toEqualTypeOf<Convo>();
expectTypeOf<Outputs['presets']['list']>().items.toEqualTypeOf<Preset>();
expectTypeOf<Outputs['convos']['byId']>().toEqualTypeOf<Convo>();
expectTypeOf<Outputs['convos']['byId']>().not.toHaveProperty('userId');

// A subscription yields events of the shared union, each with its place.
type Attached = Outputs['messages']['attach'] extends AsyncIterable<infer Entry> ? Entry : never;
expectTypeOf<Attached['id']>().toEqualTypeOf<string>();
expectTypeOf<Attached['data']['type']>().toEqualTypeOf<GenerationEvent['type']>();
expectTypeOf<Attached['data']>().toExtend<GenerationEvent>();

// A refusal carries its reason, which the page tells apart by its type.
type Data = NonNullable<TRPCClientError<AppRouter>['data']>;
expectTypeOf<Data['reason']>().toEqualTypeOf<Reason | null>();
expectTypeOf<Extract<Reason, { type: 'banned' }>['until']>().toEqualTypeOf<string | null>();
expectTypeOf<Reason['type']>().not.toEqualTypeOf<string>();

// Settings: a switch is a boolean, a choice one of its options.
expectTypeOf<SettingValue<'autoScroll'>>().toEqualTypeOf<boolean>();
expectTypeOf<SettingValue<'theme'>>().toEqualTypeOf<'system' | 'light' | 'dark'>();
expectTypeOf<Inputs['settings']['set']>().not.toBeAny();
