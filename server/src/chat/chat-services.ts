import type { Db } from '@parley/db/client';
import type { AskService } from './ask-service.ts';
import type { LiveEndpoints } from '../catalog/live/live-endpoints.ts';
import type { FindResponder } from '../assistants/find-responder.ts';
import type { OpenCalls } from '../http/open-calls.ts';
import type { RecentBranches } from './context/recent-branches.ts';
import type { Titles } from '../convos/titles.ts';

export interface ChatServices {
  askService: AskService;
  db: Db;
  endpoints: LiveEndpoints;
  findResponder: FindResponder;
  openCalls: OpenCalls;
  recentBranches: RecentBranches;
  titles: Titles;
}
