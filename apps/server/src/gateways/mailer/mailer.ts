export interface Mail {
  /** Stays the same when the mail is sent again, so that a receiver can tell. */
  id: string
  to: string
  subject: string
  text: string
  html: string
  date: Date
  /** Where the receiver's mail program can switch such mails off in one click. */
  unsubscribe?: string
}

/** The way out for mails. */
export interface Mailer {
  /**
   * Hands one mail over.
   * @throws MailRefused when the other side will never take it; any other error when it may be tried again
   */
  send(mail: Mail): Promise<void>
}

/** The mail server refused this mail for good. */
export class MailRefused extends Error {}
