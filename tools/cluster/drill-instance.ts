import { emailOf, fill, instanceDeps, LEADERS, PASSWORD } from '../../bench/lib/money-instance.ts'
import { ADDRESS } from '../../bench/lib/money-routes.ts'
import { ONE } from '@tizara/money'
import { postBatch } from '../../apps/server/src/ledger/index.ts'
import { hashPassword } from '../../apps/server/src/modules/auth/index.ts'
import { applySettings } from '../../apps/server/src/modules/settings/index.ts'
import { inTransaction, openDatabase } from '../../apps/server/src/platform/db/database.ts'

/** Members who may be paid, and the payers among them, each with funds. */
export const MEMBERS = 2_000
export const SENDERS = Array.from({ length: 24 }, (_, index) => LEADERS + 1 + index)
/** Staff: the payout decider, the maker of credits and funding, and the checker. */
export const STAFF = ['finance@gmail.com', 'treasury@gmail.com', 'checker@gmail.com'] as const

/** Fills the drill's database: members with money, unlimited products, and staff with solo approval. */
export async function fillForDrill(ownerUrl: string): Promise<void> {
  const instance = openDatabase({ url: ownerUrl }, { max: 2, limits: false })
  await fill(instance, MEMBERS + LEADERS + 1, SENDERS)
  // Sets the audit's maximum supply, because a sold-out kind refuses every later purchase.
  await instance.pool.query(
    `update nft_supply set cap = case kind when 'dome' then 10000 when 'wagon' then 25000 when 'hotelAndResort' then 55000 else 110000 end`,
  )
  await instance.pool.query(
    `insert into member (public_id, name, email, phone, password_hash, is_verified, referral_code, role, created_at, updated_at)
     select split_part(email, '@', 1), 'Ada Byron', email, '+12025550199', $2, true, upper(split_part(email, '@', 1)), 'FINANCE', now(), now()
     from unnest($1::text[]) email`,
    [STAFF, await hashPassword(PASSWORD)],
  )
  // Payouts to an address book entry need no mailed confirmation, so staff see them at once.
  await instance.pool.query(
    `insert into payout_address (public_id, member_id, network, address, address_key, label, created_at, confirmed_at, usable_from)
     select format('drill-%s-%s', m.id, network), m.id, network, $1, lower($1), 'drill', now() - interval '9 days', now() - interval '9 days', now() - interval '5 days'
     from member m cross join (values (0), (1)) n (network) where m.email = any ($2)`,
    [ADDRESS, SENDERS.map(emailOf)],
  )
  // Adds operator funds. Members sell coin before others buy, and uncovered liabilities pause the platform.
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
