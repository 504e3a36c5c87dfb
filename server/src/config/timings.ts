/** How long the server waits and how often it looks, in milliseconds. What an operator can set is in the config. */
export interface Timings {
  /** How long an attach or a stop waits for an ask that has not arrived yet. */
  askTimeoutMs: number;
  /** How long a request for a title waits (docs/rest-compat.md, Titles). */
  titleWaitMs: number;
  /** How long a reply waits at most for the summary of messages beyond its context window. */
  summaryTimeoutMs: number;
  /** How long a provider may take to list its models. */
  modelListTimeoutMs: number;
  /** How long a provider that an administrator tries may take to answer. */
  tryAnswerMs: number;
  /** Time limit for a new websocket to authenticate. */
  socketAuthTimeoutMs: number;
  /** How long an answer runs before its question gets its search entry, unless it ends sooner. */
  indexQuestionMs: number;
  /** Interval of the search for orphaned runs: a reply is settled well within 30 s of its process's death. */
  recoveryEveryMs: number;
  /** Interval at which it looks for waiting questions whose answer has ended. */
  queueEveryMs: number;
  /** Interval at which it looks for scheduled questions that are due, while any schedule is on. */
  schedulesEveryMs: number;
  /** How long a scheduled question is one server's: if that dies, another one asks it then, under the same ids. */
  scheduleLeaseMs: number;
  /** Interval of the search for people about whom the directory is to be asked again. */
  directoryEveryMs: number;
  /** How long an answer of the directory counts. */
  directoryAnswerMs: number;
  /** How long it is left alone about a person after it could not be asked. */
  directoryRetryMs: number;
  /** How long open pages have to send them first: a page that nobody looks at takes three seconds. */
  queueGraceMs: number;
  /** How long an answer waits for attached files that are still being indexed. */
  documentWaitMs: number;
  /** Interval at which it looks at files of other processes and at those that rest after a failure. */
  indexEveryMs: number;
  /** How long a file rests after the first failure of its index; four times as long after each further one. */
  indexRetryMs: number;
  /** How long an answer waits for a tool server whose tools nobody has seen. */
  toolListMs: number;
  /** How long a tool server may take to be connected, and how long to list its tools. */
  toolServerMs: number;
  /** How long one expression of the calculator may take. */
  calculationMs: number;
  /** How often an answer that waits for tools reports it, at most. */
  toolHeartbeatMs: number;
  /** How long a tool that was stopped may take to end. */
  toolStopMs: number;
  /** The first delay between two tries to save a reply; it doubles. */
  saveRetryMs: number;
  /** How long a shutdown waits for running replies and for calls. */
  shutdownGraceMs: number;
  /** How long a step of a research may read before it writes its notes. */
  researchStepMs: number;
  /** How long a research tries again to ask a provider that has no room. */
  researchPatienceMs: number;
  /** The first delay between two such tries; it doubles. */
  researchRetryMs: number;
  /** How long a page may take a notice before another one is asked. */
  noticeTakeMs: number;
  /** How long a shutdown waits for queued mails. */
  mailGraceMs: number;
}

export const defaultTimings: Timings = {
  askTimeoutMs: 10_000,
  titleWaitMs: 2500,
  summaryTimeoutMs: 30_000,
  modelListTimeoutMs: 5000,
  tryAnswerMs: 20_000,
  socketAuthTimeoutMs: 5000,
  indexQuestionMs: 3000,
  recoveryEveryMs: 3000,
  queueEveryMs: 3000,
  schedulesEveryMs: 10_000,
  scheduleLeaseMs: 60_000,
  directoryEveryMs: 10 * 60_000,
  directoryAnswerMs: 24 * 60 * 60_000,
  directoryRetryMs: 5 * 60_000,
  queueGraceMs: 5000,
  documentWaitMs: 30_000,
  indexEveryMs: 5000,
  indexRetryMs: 5000,
  toolListMs: 3000,
  toolServerMs: 10_000,
  calculationMs: 8000,
  toolHeartbeatMs: 5000,
  toolStopMs: 1000,
  saveRetryMs: 1000,
  shutdownGraceMs: 8000,
  researchStepMs: 10 * 60_000,
  researchPatienceMs: 20 * 60_000,
  researchRetryMs: 5000,
  noticeTakeMs: 3000,
  mailGraceMs: 5000,
};
