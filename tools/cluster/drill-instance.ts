import { emailOf, fill, instanceDeps, LEADERS, PASSWORD } from '../../bench/lib/money-instance.ts'
import { ADDRESS } from '../../bench/lib/money-routes.ts'
import { ONE } from '@tizara/money'
import { postBatch } from '../../apps/server/src/ledger/index.ts'
import { hashPassword } from '../../apps/server/src/modules/auth/index.ts'
import { applySettings } from '../../apps/server/src/modules/settings/index.ts'
import { confirmPayoutAddress } from '../../apps/server/test/members.ts'
import { inTransaction, openDatabase } from '../../apps/server/src/platform/db/database.ts'

/** Number of members who can receive transfers, and ids of the members who send, each with funds. */
export const MEMBERS = 2_000
export const SENDERS = Array.from({ length: 24 }, (_, index) => LEADERS + 1 + index)
/** Staff: the person who decides payouts, the proposer of credits and funding, and the approver. */
export const STAFF = ['finance@gmail.com', 'treasury@gmail.com', 'checker@gmail.com'] as const

/** Fills the drill's database: members with money, unlimited products, and staff with solo approval. */
export async function fillForDrill(ownerUrl: string): Promise<void> {
  const instance = openDatabase({ url: ownerUrl }, { max: 2, limits: false })
  await fill(instance, MEMBERS + LEADERS + 1, SENDERS)
  // Sets the maximum supply that the audit allows, because a sold-out kind would reject all later purchases.
  await instance.pool.query(
    `update nft_supply set cap = case kind when 'dome' then 10000 when 'wagon' then 25000 when 'hotelAndResort' then 55000 else 110000 end`,
  )
  await instance.pool.query(
    `insert into member (public_id, name, email, phone, password_hash, is_verified, referral_code, role, created_at, updated_at)
     select split_part(email, '@', 1), 'Ada Byron', email, '+12025550199', $2, true, upper(split_part(email, '@', 1)), 'FINANCE', now(), now()
     from unnest($1::text[]) email`,
    [STAFF, await hashPassword(PASSWORD)],
  )
  // Staff see payouts to an address in the address book at once, because these need no mailed confirmation.
  const senders = await instance.db.selectFrom('member').select('id').where('email', 'in', SENDERS.map(emailOf)).execute()
  for (const { id } of senders) for (const network of [0, 1] as const) await confirmPayoutAddress(instance.db, id, ADDRESS, { network })
  // Adds funds of the operator, because members may sell coin before others buy, and uncovered liabilities would pause the platform.
  await postBatch(instance.db, [
    {
      kind: 'testFunds',
      cause: { type: 'test', id: '0' },
      at: new Date(),
      transfers: [
        { from: { system: 'SYS-OPERATOR', asset: 'USD' }, to: { system: 'SYS-REWARD', asset: 'USD' }, amount: 10_000_000n * ONE },
      ],
    },
  ])
  await inTransaction(instance.db, async (tx) => {
    const changes = { fourEyesAboveUsd: 1_000_000n * ONE, fourEyesAboveCoin: 10_000_000n * ONE }
    await applySettings(tx, instanceDeps(), { changes, actorId: null, reason: 'drill' })
  })
  await instance.close()
}
