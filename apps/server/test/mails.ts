import type { Mail, Mailer } from '../src/gateways/mailer/index.ts'

/** Mailer that stores mails for tests. */
export interface TestMailbox extends Mailer {
  all: Mail[]
  /** Mails to an address, oldest first. */
  to(email: string): Mail[]
  /** Latest code mailed to an address. */
  codeFor(email: string): string
  /** Token of the latest link mailed to an address. */
  linkTokenFor(email: string): string
}

/** Creates an empty mailbox. */
export function testMailbox(): TestMailbox {
  const all: Mail[] = []
  const to = (email: string) => all.filter((mail) => mail.to === email)
  const newest = (email: string, pattern: RegExp) => {
    const found = to(email)
      .toReversed()
      .map((mail) => pattern.exec(mail.text)?.[1])
      .find((match) => match !== undefined)
    if (found === undefined) throw new Error(`no mail to ${email} matches ${pattern}`)
    return found
  }
  return {
    all,
    send: async (mail) => {
      all.push(mail)
    },
    to,
    codeFor: (email) => newest(email, /^ +(\d{6})$/m),
    linkTokenFor: (email) => newest(email, /\?token=([\w-]+)/),
  }
}
