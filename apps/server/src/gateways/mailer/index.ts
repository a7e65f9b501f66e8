/**
 * Sends mails.
 * - Port: {@link Mailer}; `createMailer` returns the SMTP mailer with SMTP_URL, else a folder of `.eml` files in the data folder,
 *   shown at `/sandbox/outbox`.
 * - Modules call `enqueueMail` inside their transaction; the job `send-mails` sends, retries, and drops expired mails.
 */
import type { Config } from '../../platform/config/config.ts'
import { createFolderMailer } from './folder-mailer.ts'
import type { Mailer } from './mailer.ts'
import { createSmtpMailer } from './smtp-mailer.ts'

export { ENGLISH, mailAmount, mailLanguage, type MailLanguage, mailTime, shownInMail } from './mail-words.ts'
export type { Mail, Mailer } from './mailer.ts'
export { enqueueMail, enqueueMails, encryptedMails, hasDueMails } from './outbox.ts'
export { addSandboxOutbox } from './sandbox-outbox.ts'
export { checkMailServer } from './smtp-mailer.ts'
export { mailRetention } from './retention.ts'
export { mailSamples, sampleMail } from './samples.ts'
export { mailJobs } from './send-mails.ts'
export type { OutflowKind, PayoutStep } from './templates.ts'

export function createMailer(config: Config): Mailer {
  return config.smtpUrl === undefined ? createFolderMailer(config) : createSmtpMailer(config, config.smtpUrl)
}
