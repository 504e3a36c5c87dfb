/** The program behind a call, as far as its connection tells. */
export interface Client {
  ip: string;
  userAgent: string | null;
}
