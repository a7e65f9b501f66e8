import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { type Liabilities, readLiabilities } from './liabilities.ts'

/** Amounts of one member, in units. */
interface MemberRow {
  id: bigint
  publicId: string
  owedUsd: bigint
  owedCoin: bigint
  promisedUsd: bigint
  promisedCoin: bigint
  walletUsd: bigint
  walletCoin: bigint
  walletVersion: bigint
}

export const memberColumns = [
  'owedUsd',
  'owedCoin',
  'promisedUsd',
  'promisedCoin',
  'walletUsd',
  'walletCoin',
  'walletVersion',
] as const satisfies readonly (keyof MemberRow)[]

/** Amounts of all members at one time, as columns, because the amounts of a million members must fit into memory. */
export interface MemberAmounts extends Record<(typeof memberColumns)[number], BigInt64Array> {
  ids: BigInt64Array
  publicIds: string[]
  /** 32 random bytes per member. */
  seeds: Buffer
}

/** Everything that a day's trees are built from. */
export interface DayFigures {
  members: MemberAmounts
  liabilities: Liabilities[]
  /** True if all accounts of each asset sum to zero. */
  balanced: boolean
  /** Newest transfer. */
  transfers: bigint
  /** Highest member id. The audit needs the id separately from the members' amounts. */
  newestMember: bigint
}

/** Rows per fetch. */
const FETCH_ROWS = 10_000

/**
 * Reads the members' amounts and the totals on one snapshot.
 * @param db a read-only transaction with repeatable reads
 * @returns undefined while a run records accruals, because its rewards are neither liabilities nor owed yet
 */
export async function readDay(db: Db): Promise<DayFigures | undefined> {
  await sql`set local statement_timeout = 0`.execute(db)
  const counting = await sql`select from reward_run where status = 'RECORDING' limit 1`.execute(db)
  if (counting.rows.length > 0) return undefined
  const facts = await sql<{ balanced: boolean; transfers: bigint; members: bigint; newestMember: bigint }>`
    select not exists (select 1 from ledger_account group by asset having sum(balance) <> 0) as balanced,
      coalesce((select max(id) from ledger_transfer), 0) as transfers, (select count(*) from member) as members,
      coalesce((select max(id) from member), 0) as "newestMember"`.execute(db)
  const [found] = facts.rows
  if (found === undefined) throw new Error('the ledger has no figures')
  const liabilities = await readLiabilities(db)
  const { balanced, transfers, newestMember } = found
  return { members: await readMembers(db, Number(found.members)), liabilities, balanced, transfers, newestMember }
}

async function readMembers(db: Db, count: number): Promise<MemberAmounts> {
  const column = () => new BigInt64Array(count)
  const members: MemberAmounts = {
    ids: column(),
    publicIds: [],
    owedUsd: column(),
    owedCoin: column(),
    promisedUsd: column(),
    promisedCoin: column(),
    walletUsd: column(),
    walletCoin: column(),
    walletVersion: column(),
    seeds: randomBytes(count * 32),
  }
  await sql`declare proof_members no scroll cursor for
    select m.id, m.public_id as "publicId", coalesce(l.wallet_usd, 0) as "walletUsd", coalesce(l.wallet_coin, 0) as "walletCoin",
      coalesce(l.wallet_version, 0) as "walletVersion",
      coalesce(l.wallet_usd, 0) + coalesce(l.hold_usd, 0) + coalesce(u.usd, 0) as "owedUsd",
      coalesce(l.wallet_coin, 0) + coalesce(l.hold_coin, 0) + coalesce(u.coin, 0) as "owedCoin",
      coalesce(p.usd, 0) as "promisedUsd", coalesce(p.coin, 0) as "promisedCoin"
    from member m left join ledger_owed_by_member() l on l.member_id = m.id left join reward_unpaid_by_member() u on u.member_id = m.id
    left join reward_liability_by_member() p on p.member_id = m.id order by m.id`.execute(db)
  for (let read = 0; ;) {
    const { rows } = await sql<MemberRow>`fetch forward ${sql.lit(FETCH_ROWS)} from proof_members`.execute(db)
    for (const row of rows) {
      members.ids[read] = row.id
      members.publicIds.push(row.publicId)
      for (const name of memberColumns) members[name][read] = row[name]
      read += 1
    }
    if (rows.length < FETCH_ROWS) break
  }
  await sql`close proof_members`.execute(db)
  if (members.publicIds.length !== count) throw new Error('the members changed while they were read')
  return members
}
