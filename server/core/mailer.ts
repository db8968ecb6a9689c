/** An e-mail in plain text: it cannot track its reader, and shows the same everywhere. */
interface Mail {
  to: string;
  subject: string;
  text: string;
}

/** Sends mail. Absent (null) where the operator has set no mail server: then links are shown to whoever made them. */
export interface Mailer {
  /** Resolves when the mail server has accepted the e-mail. Throws `Problem('unavailable')` when it does not. */
  send(mail: Mail): Promise<void>;
  /** Throws when the mail server cannot be reached or refuses us. */
  check(): Promise<void>;
  close(): void;
}
