// What the run of a research has beside that of any other reply: its meter, and what an earlier process has left.
import type { Db } from '@parley/db/client';
import { ratesOfCall } from '@parley/schema/catalog/rates';
import type { Usage } from '@parley/schema/catalog/usage';
import type { Entry } from '@parley/schema/generation/events';
import type { MessagePart } from '@parley/schema/messages/messages';
import { createResearchMeter, type ResearchMeter } from '../../research/meter.ts';
import { endResearch, type ResearchRow } from '../../research/rows.ts';
import type { WriteNow } from '../../research/write-now.ts';
import type { Ask } from '../begin/ask.ts';
import { askedCharge } from '../chargeable.ts';
import type { RunKey } from '../finalize.ts';
import type { BegunResearch } from './reply.ts';

/** What another process has left of a run that goes on here. */
export interface Earlier {
  epoch: number;
  entries: readonly Entry[];
  row: ResearchRow;
  /** Those of the reply, by its log. */
  parts: readonly MessagePart[];
}

export interface ResearchBeginDeps {
  db: Db;
  writeNow: WriteNow;
}

export interface RunResearch {
  begun: BegunResearch;
  /** What is still to be paid; undefined where nothing was paid. */
  unpaid(): Promise<Usage> | undefined;
  /** Its reply is saved. */
  saved(): Promise<void>;
  /** Its run has ended here. */
  end(): void;
}

export function beginResearch(
  { db, writeNow }: ResearchBeginDeps,
  ask: Ask,
  run: RunKey,
  earlier: Earlier | undefined,
): RunResearch {
  const meter = startedMeter(db, ask, earlier);
  const key = { ...run, replyId: ask.input.replyId };
  const controller = writeNow.begin(run.generationId);
  if (earlier?.row.state === 'writing') controller.abort();
  return {
    begun: { key, meter, parts: earlier?.parts ?? [], writeNow: controller },
    unpaid: () => meter?.unpaid(),
    saved: () => endResearch(db, key),
    end: () => writeNow.end(run.generationId),
  };
}

/** Null while it is planned. */
function startedMeter({ query }: Db, ask: Ask, earlier: Earlier | undefined): ResearchMeter | null {
  const start = ask.input.research?.start;
  if (!start) return null;
  const charge = askedCharge(query, ask);
  const { rates: reported, isUsersServer } = charge;
  const { spent = 0, usage = null } = earlier?.row ?? {};
  return createResearchMeter({
    rates: ratesOfCall(charge),
    reported,
    isUsersServer,
    budget: start.budget,
    spent,
    usage,
  });
}
