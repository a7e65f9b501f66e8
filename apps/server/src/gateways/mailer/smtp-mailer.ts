import { createTransport } from 'nodemailer'
import type { Config } from '../../platform/config/config.ts'
import { type Mail, type Mailer, MailRejectedError } from './mailer.ts'
import { toMessage } from './message.ts'

/** Timeout for the connection, the greeting and each answer, in ms. */
const TIMEOUT_MS = 5000

/**
 * Creates a mailer for the SMTP server of SMTP_URL.
 * @param url `smtp://` or `smtps://` with user and password if needed
 */
export function createSmtpMailer(config: Pick<Config, 'mailFrom' | 'brand' | 'publicUrl'>, url: string): Mailer {
  const transport = transportTo(url)
  return {
    async send(mail: Mail) {
      try {
        await transport.sendMail(toMessage(config, mail))
      } catch (error) {
        throw isPermanentFailure(error) ? new MailRejectedError(error instanceof Error ? error.message : 'refused') : error
      }
    },
  }
}

/** Returns true for a 5xx answer about this mail. A failed sign-in is a local error and can be retried. */
function isPermanentFailure(error: unknown): boolean {
  if (!(error instanceof Error) || !('responseCode' in error) || typeof error.responseCode !== 'number') return false
  const code = 'code' in error ? String(error.code) : ''
  return error.responseCode >= 500 && (code === 'EENVELOPE' || code === 'EMESSAGE')
}

/**
 * Connects to the server of SMTP_URL and signs in, without sending a mail.
 * @throws Error with the server's response
 */
export async function checkMailServer(url: string): Promise<void> {
  const transport = transportTo(url)
  try {
    await transport.verify()
  } finally {
    transport.close()
  }
}

function transportTo(url: string) {
  return createTransport({
    url,
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    dnsTimeout: TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
}
