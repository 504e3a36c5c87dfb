/** The client program behind a call, as its connection describes it. */
export interface Client {
  ip: string;
  userAgent: string | null;
}
