import type { Config } from '../../platform/config/config.ts'
import type { Mail } from './mailer.ts'

/**
 * Converts a mail to the format of the mail library. Sender, recipient and Message-ID are built from parts without line breaks; the library
 * encodes the other fields.
 */
export function toMessage(config: Pick<Config, 'mailFrom' | 'brand' | 'publicUrl'>, mail: Mail) {
  return {
    from: { name: config.brand.senderName, address: config.mailFrom },
    to: { name: '', address: mail.to },
    subject: mail.subject,
    text: mail.text,
    html: mail.html,
    date: mail.date,
    messageId: `<${mail.id}@${new URL(config.publicUrl).hostname}>`,
    headers: {
      'Auto-Submitted': 'auto-generated',
      ...(mail.unsubscribe === undefined
        ? {}
        : { 'List-Unsubscribe': `<${mail.unsubscribe}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }),
    },
  }
}
