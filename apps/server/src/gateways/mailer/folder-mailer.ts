import { mkdir, rename, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { createTransport } from 'nodemailer'
import type { Config } from '../../platform/config/config.ts'
import type { Mail, Mailer } from './mailer.ts'
import { toMessage } from './message.ts'

/** The folder that replaces a mail server. */
export const outboxFolder = (config: Pick<Config, 'dataDir'>) => path.join(config.dataDir, 'outbox')

/**
 * Creates a mailer that writes each mail to a file, completely or not at all. The file's name is derived from the mail, so that a repeated
 * send leaves one file.
 */
export function createFolderMailer(config: Pick<Config, 'dataDir' | 'mailFrom' | 'brand' | 'publicUrl'>): Mailer {
  const composer = createTransport({ streamTransport: true, buffer: true, newline: 'unix' })
  const folder = outboxFolder(config)
  return {
    async send(mail: Mail) {
      const { message } = await composer.sendMail(toMessage(config, mail))
      const file = path.join(folder, `${mail.date.toISOString().replaceAll(/[:.]/g, '-')}-${mail.id}.eml`)
      await mkdir(folder, { recursive: true })
      await writeFile(`${file}.part`, message)
      await rename(`${file}.part`, file)
    },
  }
}
