import { sql } from 'kysely'
import { enqueueMail } from '../../gateways/mailer/index.ts'
import { DAY_MS } from '../../platform/runtime/clock.ts'
import { type Db, inTransaction } from '../../platform/db/database.ts'
import type { Deps } from '../../platform/runtime/deps.ts'
import { memberById } from '../members/index.ts'
import { termsToken } from './terms-token.ts'
import { termsAt } from './terms.queries.ts'

/**
 * Mails the member a link that accepts the terms, after a rejected money call, at most once a day for each version. Clients that do not ask
 * for the acceptance need it. Concurrent rejections send one mail, because they write the same row.
 */
export async function mailTerms(db: Db, deps: Deps, memberId: bigint): Promise<void> {
  await inTransaction(db, async (tx) => {
    const now = deps.clock.now()
    const [terms, member] = [await termsAt(tx, now), await memberById(tx, memberId)]
    if (terms === undefined || member === undefined) return
    const { version, hash } = terms
    const due = await tx
      .insertInto('terms_of_use_mail')
      .values({ member_id: memberId, version, mailed_at: now })
      .onConflict((conflict) =>
        conflict
          .column('member_id')
          .doUpdateSet({ version, mailed_at: now })
          .where(
            sql<boolean>`terms_of_use_mail.version <> ${version} or terms_of_use_mail.mailed_at <= ${new Date(now.getTime() - DAY_MS)}`,
          ),
      )
      .returning('version')
      .executeTakeFirst()
    if (due === undefined) return
    const { name, email: to, language } = member
    const token = termsToken(deps, { id: member.public_id, version, hash })
    await enqueueMail(tx, deps, { to, language, template: 'terms', data: { name, token }, replaceKey: `terms ${memberId}` })
  })
}
