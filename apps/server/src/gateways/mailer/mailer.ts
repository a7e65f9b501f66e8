export interface Mail {
  /** Stable id across retries, so that a receiver can detect duplicates. */
  id: string
  to: string
  subject: string
  text: string
  html: string
  date: Date
  /** Address for the unsubscribe button of mail programs. */
  unsubscribe?: string
}

/** Port for sending mails. */
export interface Mailer {
  /**
   * Sends one mail.
   * @throws MailRejectedError if the server rejects the mail permanently; after any other error the mail can be sent again
   */
  send(mail: Mail): Promise<void>
}

/** The mail server refused this mail for good. */
export class MailRejectedError extends Error {}
