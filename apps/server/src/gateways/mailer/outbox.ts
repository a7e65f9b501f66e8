import type { Db, Tx } from '../../platform/db/database.ts'
import type { Deps } from '../../platform/runtime/deps.ts'
import { insertRows } from '../../platform/db/insert-rows.ts'
import { encrypt, decrypt } from '../../platform/crypto/encrypt.ts'
import type { EncryptedColumn } from '../../platform/crypto/encrypted-column.ts'
import type { Mail } from './mailer.ts'
import { type MailTemplate, type MailTemplates, renderMail } from './templates.ts'

/** Mails are encrypted until they are sent, because they contain codes and links. */
export const encryptedMails: EncryptedColumn = {
  table: 'mail_outbox',
  key: 'id',
  column: 'encrypted',
  purpose: 'mail outbox',
  owner: 'recipient',
}
const DEFAULT_LIFE_MS = 3 * 24 * 60 * 60_000

export interface NewMail<T extends MailTemplate> {
  to: string
  /** Chosen language of a member. Mails to staff are in English. */
  language?: string | null
  template: T
  data: MailTemplates[T]
  /** Time after which the mail is not sent, such as the expiry of a code. Default: three days from now. */
  notAfter?: Date
  /** Replaces a waiting mail with the same key: only the newest code or link is sent. */
  replaceKey?: string
  /** True for a mail of many, such as a notification: it waits for all other mails, so that a code for signing in does not wait for it. */
  bulk?: boolean
}

/** Adds a mail to the outbox. The mail is sent only if the transaction commits. */
export async function enqueueMail<T extends MailTemplate>(tx: Tx, deps: Deps, mail: NewMail<T>): Promise<void> {
  if (mail.replaceKey !== undefined) {
    await tx
      .updateTable('mail_outbox')
      .set({ status: 'DROPPED', encrypted: null, last_error: 'replaced by a newer mail' })
      .where('replace_key', '=', mail.replaceKey)
      .where('status', '=', 'WAITING')
      .execute()
  }
  await enqueueMails(tx, deps, [mail])
}

/**
 * Adds many mails that replace none. Leaves out those to `@invalid`: accounts without an address, such as imported members whose address
 * another account has.
 */
export async function enqueueMails<T extends MailTemplate>(tx: Tx, deps: Deps, mails: readonly NewMail<T>[]): Promise<void> {
  const now = deps.clock.now()
  const rows = mails
    .filter(({ to }) => !to.endsWith('@invalid'))
    .map((mail) => ({
      public_id: deps.ids.publicId(),
      recipient: mail.to,
      template: mail.template,
      replace_key: mail.replaceKey ?? null,
      bulk: mail.bulk ?? false,
      encrypted: encrypt(
        deps.config,
        encryptedMails.purpose,
        JSON.stringify(renderMail(deps.config, mail.template, mail.data, mail.language)),
        mail.to,
      ),
      next_attempt_at: now,
      not_after: mail.notAfter ?? new Date(now.getTime() + DEFAULT_LIFE_MS),
      created_at: now,
    }))
  await insertRows(tx, 'mail_outbox', rows)
}

/** Returns true if at least this number of mails is due in the outbox. Mails that wait for another attempt delay no other mail. */
export async function hasDueMails(db: Db, now: Date, count: number): Promise<boolean> {
  const rows = await db
    .selectFrom('mail_outbox')
    .select('id')
    .where('status', '=', 'WAITING')
    .where('next_attempt_at', '<=', now)
    .limit(count)
    .execute()
  return rows.length >= count
}

export interface ClaimedMail {
  id: bigint
  attempts: number
  /** Undefined if decryption fails: the key is missing, or the recipient was changed. */
  mail: Mail | undefined
}

/** Claims the next due mail until `until`, bulk mails last. After a crash it is due again then. */
export async function claimMail(db: Db, deps: Deps, until: Date): Promise<ClaimedMail | undefined> {
  const now = deps.clock.now()
  const row = await db
    .updateTable('mail_outbox')
    .set((expression) => ({ attempts: expression('attempts', '+', 1), next_attempt_at: until }))
    .where('id', '=', (query) =>
      query
        .selectFrom('mail_outbox')
        .select('id')
        .where('status', '=', 'WAITING')
        .where('next_attempt_at', '<=', now)
        .where('not_after', '>', now)
        .orderBy('bulk')
        .orderBy('next_attempt_at')
        .orderBy('id')
        .limit(1)
        .forUpdate()
        .skipLocked(),
    )
    .returning(['id', 'public_id', 'recipient', 'encrypted', 'attempts', 'created_at'])
    .executeTakeFirst()
  if (row === undefined) return undefined
  const contents = row.encrypted === null ? undefined : decrypt(deps.config, encryptedMails.purpose, row.encrypted, row.recipient)
  const rendered: ReturnType<typeof renderMail> | undefined = contents === undefined ? undefined : JSON.parse(contents)
  const mail = rendered === undefined ? undefined : { id: row.public_id, to: row.recipient, date: row.created_at, ...rendered }
  return { id: row.id, attempts: row.attempts, mail }
}

/** Makes mails due again that wait longer than any retry. This happens after the clock was set back. */
export async function makePostponedMailsDue(db: Db, now: Date, longestMs: number): Promise<void> {
  await db
    .updateTable('mail_outbox')
    .set({ next_attempt_at: now })
    .where('status', '=', 'WAITING')
    .where('next_attempt_at', '>', new Date(now.getTime() + longestMs))
    .execute()
}

/** Marks a mail as sent and erases its contents. */
export async function markSent(db: Db, id: bigint, at: Date): Promise<void> {
  await db
    .updateTable('mail_outbox')
    .set({ status: 'SENT', encrypted: null, sent_at: at, last_error: null })
    .where('id', '=', id)
    .where('status', '=', 'WAITING')
    .execute()
}

/** Marks a mail as dropped and erases its contents. */
export async function markMailDropped(db: Db, id: bigint, why: string): Promise<void> {
  await db
    .updateTable('mail_outbox')
    .set({ status: 'DROPPED', encrypted: null, last_error: why.slice(0, 300) })
    .where('id', '=', id)
    .where('status', '=', 'WAITING')
    .execute()
}

/** Schedules a mail for another attempt. */
export async function retryMail(db: Db, id: bigint, at: Date, why: string): Promise<void> {
  await db
    .updateTable('mail_outbox')
    .set({ next_attempt_at: at, last_error: why.slice(0, 300) })
    .where('id', '=', id)
    .where('status', '=', 'WAITING')
    .execute()
}

/**
 * Drops expired mails.
 * @returns their number
 */
export async function deleteExpiredMails(db: Db, now: Date): Promise<number> {
  const dropped = await db
    .updateTable('mail_outbox')
    .set({ status: 'DROPPED', encrypted: null, last_error: 'expired before it could be sent' })
    .where('status', '=', 'WAITING')
    .where('not_after', '<=', now)
    .executeTakeFirst()
  return Number(dropped.numUpdatedRows)
}
