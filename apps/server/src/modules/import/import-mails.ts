import { sql } from 'kysely'
import { enqueueMails, mailLanguage } from '../../gateways/mailer/index.ts'
import type { Job } from '../../jobs/job.ts'
import type { Tx } from '../../platform/db/database.ts'
import { AppError } from '../../platform/runtime/app-error.ts'

/** Time in ms between two batches. Sixty batches at most begin within an hour, so a batch is a sixtieth of the ceiling. */
const BATCH_MS = 60_000

/**
 * Lists the active members of an import for {@link setImportMails}, except those added without their address. Nothing is sent. Call it before
 * the stored members are deleted.
 */
export async function queueMails(tx: Tx, batchId: bigint): Promise<void> {
  const { numAffectedRows } = await sql`insert into import_mail (batch_id, member_id, needs_password)
    select i.batch_id, i.member_id, i.password_hash is null from import_member i join member m on m.id = i.member_id and m.email = i.email
    where i.batch_id = ${batchId} and i.is_active`.execute(tx)
  await tx
    .updateTable('import_batch')
    .set({ mails_waiting: Number(numAffectedRows) })
    .where('id', '=', batchId)
    .execute()
}

/**
 * Starts the mails of an applied import, or changes their ceiling.
 * @param perHour ceiling of mails per hour; null stops them
 * @throws AppError NOT_FOUND if no import with this hash was applied
 */
export async function setImportMails(tx: Tx, hash: string, perHour: number | null): Promise<void> {
  const { numUpdatedRows } = await tx
    .updateTable('import_batch')
    .set({ mails_per_hour: perHour })
    .where('hash', '=', hash)
    .where('status', '=', 'DONE')
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n) throw new AppError('NOT_FOUND')
}

/** Sends the next batch of mails of one import: each active member gets one mail, in the order of the ids. */
export const importMailJob: Job = {
  name: 'import-mails',
  everySeconds: 30,
  group: 'import',
  run: (lease, deps) =>
    lease.inTransaction(async (tx) => {
      const now = deps.clock.now()
      const batch = await tx
        .selectFrom('import_batch')
        .select(['id', 'mails_per_hour', 'mails_waiting'])
        .where('mails_per_hour', 'is not', null)
        .where('mails_waiting', '>', 0)
        .where(({ eb, or }) => or([eb('mailed_at', 'is', null), eb('mailed_at', '<=', new Date(now.getTime() - BATCH_MS))]))
        .orderBy('mailed_at', (order) => order.asc().nullsFirst())
        .limit(1)
        .forUpdate()
        .executeTakeFirst()
      if (batch === undefined) return 0
      const size = Math.floor((batch.mails_per_hour ?? 0) / 60)
      const { rows } = await sql<{ email: string; name: string; language: string | null; active: boolean; needsPassword: boolean }>`
        with taken as (
          delete from import_mail where batch_id = ${batch.id} and member_id in (
            select member_id from import_mail where batch_id = ${batch.id} order by member_id limit ${size})
          returning member_id, needs_password)
        select m.email, m.name, m.language, m.is_active as active, t.needs_password as "needsPassword"
        from taken t join member m on m.id = t.member_id order by t.member_id`.execute(tx)
      // Staff may have blocked a member since the import.
      const mails = rows
        .filter(({ active }) => active)
        .map(({ email: to, name, language, needsPassword }) => {
          const { t } = mailLanguage(deps.config, language)
          const { publicUrl, brand } = deps.config
          const lines = [
            t('Your account has moved to {name}, with your balances, stakes and referral links.', { name: brand.name }),
            needsPassword
              ? t('Your old password cannot be used any more. Set a new one: {link}', { link: `${publicUrl}/auth/forgot-password` })
              : t('Sign in with this address and your old password: {link}', { link: `${publicUrl}/auth/signin` }),
          ]
          return { to, language, template: 'notice' as const, bulk: true, data: { name, title: t('your account has moved'), lines } }
        })
      await enqueueMails(tx, deps, mails)
      await sql`update import_batch set mailed_at = ${now}, mails_sent = mails_sent + ${mails.length},
        mails_waiting = ${rows.length < size ? 0 : batch.mails_waiting - rows.length} where id = ${batch.id}`.execute(tx)
      return mails.length
    }),
}
