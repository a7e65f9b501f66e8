import { fillText } from '@tizara/contract/response-texts'
import { type RawBuilder, sql } from 'kysely'
import { mailAmount } from '../../gateways/mailer/index.ts'
import { balancesOf, walletKinds } from '../../ledger/index.ts'
import type { ObstaclesOf } from '../auth/index.ts'
import { walletLabel } from '../wallets/index.ts'

const USD_WALLETS: readonly string[] = ['depositWallet', 'nftWallet']

/** Open rows of a member that prevent the closing of the account, with one sentence per kind. Each query uses an index of open rows. */
const OPEN: readonly { text: string; rows: (memberId: bigint) => RawBuilder<unknown> }[] = [
  { text: 'A stake is running.', rows: (id) => sql`select from stake where member_id = ${id} and status = 'ACTIVE'` },
  { text: 'An NFT is active.', rows: (id) => sql`select from nft_purchase where member_id = ${id} and status = 'ACTIVE'` },
  { text: 'A deposit is open.', rows: (id) => sql`select from deposit where member_id = ${id} and status = 'PENDING'` },
  {
    text: 'A payment on the blockchain awaits a decision.',
    rows: (id) =>
      sql`select from invoice_transfer t join deposit d on d.id = t.deposit_id
        where d.member_id = ${id} and t.held is not null and t.decided_at is null`,
  },
  {
    text: 'A withdrawal, bridge or transfer is open.',
    rows: (id) => sql`select from payout_request where member_id = ${id} and status = 'PENDING'`,
  },
  {
    text: 'A withdrawal or bridge is being sent.',
    rows: (id) =>
      sql`select from payout_request r join payout_sending s on s.request_id = r.id
        where r.member_id = ${id} and s.ended_at is null`,
  },
  {
    text: 'A payment on the blockchain is being returned.',
    rows: (id) =>
      sql`select from payment_return r join payout_sending s on s.request_id = r.id
        where r.member_id = ${id} and s.ended_at is null`,
  },
  { text: 'A request to sell coin is open.', rows: (id) => sql`select from sell_request where member_id = ${id} and status = 'OPEN'` },
  {
    text: 'Rewards are pending.',
    rows: (id) => sql`select from reward_instant where beneficiary_id = ${id} and status in ('held', 'owed')`,
  },
  {
    text: 'Rewards of a stake or NFT are still to be paid.',
    rows: (id) =>
      sql`select from reward_source where member_id = ${id} and reversed_at is null and processed < steps
        union all select from reward_payment p join reward_credit c on c.run_id = p.run_id and c.stream = p.stream and c.member_id = ${id}
        where p.paid < p.total`,
  },
  { text: 'A support ticket is open.', rows: (id) => sql`select from ticket where member_id = ${id} and status = 'OPEN'` },
]

/** Returns the obstacles to closing an account: money, running stakes and NFTs, and open requests. */
export const closingObstacles: ObstaclesOf = async (db, { id, role }) => {
  const balances = await balancesOf(db, id)
  const checks = OPEN.map((one, index) => sql`exists (${one.rows(id)}) as ${sql.ref(`open ${index}`)}`)
  const { rows } = await sql<Record<string, boolean>>`select ${sql.join(checks)}`.execute(db)
  return [
    ...(role === 'MEMBER' ? [] : ['You are a member of staff: an administrator must end your role first.']),
    ...walletKinds.flatMap((kind) => {
      const amount = balances[kind]
      if (amount === 0n) return []
      const values = { wallet: walletLabel(kind), amount: mailAmount(amount, '').trimEnd() }
      return [USD_WALLETS.includes(kind) ? fillText('{wallet} has {amount} USD.', values) : fillText('{wallet} has {amount} coin.', values)]
    }),
    ...OPEN.flatMap(({ text }, index) => (rows[0]?.[`open ${index}`] === true ? [text] : [])),
  ]
}
