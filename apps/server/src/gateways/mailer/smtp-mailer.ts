import { createTransport } from 'nodemailer'
import type { Config } from '../../platform/config.ts'
import { type Mail, type Mailer, MailRefused } from './mailer.ts'
import { toMessage } from './message.ts'

/** Longest wait for a connection, a greeting and each answer, in milliseconds. */
const TIMEOUT_MS = 5000

/**
 * A mailer that speaks SMTP with the server of SMTP_URL.
 * @param url `smtp://` or `smtps://` with user and password if needed
 */
export function createSmtpMailer(config: Pick<Config, 'mailFrom' | 'brandName' | 'publicUrl'>, url: string): Mailer {
  const transport = createTransport({
    url,
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    dnsTimeout: TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return {
    async send(mail: Mail) {
      try {
        await transport.sendMail(toMessage(config, mail))
      } catch (error) {
        throw isFinal(error) ? new MailRefused(error instanceof Error ? error.message : 'refused') : error
      }
    },
  }
}

/** A 5xx answer about this mail; a failed sign-in at the mail server is our own fault and may heal. */
function isFinal(error: unknown): boolean {
  if (!(error instanceof Error) || !('responseCode' in error) || typeof error.responseCode !== 'number') return false
  const about = 'code' in error ? String(error.code) : ''
  return error.responseCode >= 500 && (about === 'EENVELOPE' || about === 'EMESSAGE')
}
