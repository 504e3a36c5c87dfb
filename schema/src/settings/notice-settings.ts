// Which notices a person wants, as the account keeps it.
export interface NoticeSettings {
  /** The browser's notices, and push where the server has it. */
  isOn: boolean;
  /** Notices name the chat. */
  hasTitles: boolean;
  /** A mail tells that a schedule has run. */
  hasMail: boolean;
}

export const NO_NOTICES: NoticeSettings = { isOn: false, hasTitles: false, hasMail: false };
