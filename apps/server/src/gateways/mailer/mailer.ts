export interface Mail {
  /** Stable id across retries, so that a receiver can detect duplicates. */
  id: string
  to: string
  subject: string
  text: string
  html: string
  date: Date
  /** One-click unsubscribe address for mail programs. */
  unsubscribe?: string
}

/** Port for sending mails. */
export interface Mailer {
  /**
   * Sends one mail.
   * @throws MailRefused when the server rejects it for good; any other error may be retried
   */
  send(mail: Mail): Promise<void>
}

/** The mail server refused this mail for good. */
export class MailRefused extends Error {}
