import type { Units } from '@tizara/money'
import { sql } from 'kysely'
import { accountOf } from '../src/ledger/chart-of-accounts.ts'
import type { Db } from '../src/platform/db/database.ts'

/** For tests: judges what left members by the ledger and the model of a test. Uses no code of the outflow guard. */

const DAY = 86_400_000

/** System accounts that give something in return, and the holds of requests. */
const NO_DEPARTURE = new Set(['SYS-COIN', 'SYS-SALES', 'SYS-REWARD', 'SYS-HOLD'])

/** Proof of one outflow that counts by the rules of the model. */
export interface Proof {
  kind: 'transfer' | 'withdrawal' | 'bridge'
  amount: Units
  /** Email of the receiver, or the payout address. */
  target: string
}

/** Value that left a member. */
export interface Departure {
  id: bigint
  memberId: bigint
  kind: string
  amount: Units
  target: string
  at: Date
  filedAt: Date
  /** True if a request held the amount first. */
  held: boolean
}

/** Time in which nothing, or no transfer, may leave a member; ledger transfers from `from` to `to`, and before `until`. */
export interface ClosedTime {
  memberId: bigint
  kind: 'stop' | 'freeze'
  from: bigint
  to: bigint | undefined
  until: number
}

/** Returns what left the members, in ledger order. */
export async function departuresOf(db: Db, members: readonly bigint[]): Promise<Departure[]> {
  const { rows } = await sql<Departure & { credited: bigint; receiver: bigint }>`
    select t.id, t.debit_account / 16 as "memberId", t.kind, t.amount, t.credit_account as credited, t.created_at as at,
      coalesce(m.email, '') as target, coalesce(r.created_at, t.created_at) as "filedAt", r.id is not null as held
    from ledger_transfer t left join member m on m.id = t.credit_account / 16 and t.credit_account > 0
    left join payout_request r on r.transfer_id = t.id
    where t.debit_account > 0 and t.debit_account / 16 = any(${members}::bigint[]) and t.credit_account / 16 <> t.debit_account / 16
    union all
    select min(s.id), r.member_id, r.kind, r.amount, 0, min(s.created_at), lower(r.address), r.created_at, true
    from payout_request r join ledger_transfer s on s.resolves = r.hold_id
    where r.status = 'APPROVED' and r.kind <> 'transfer' and r.member_id = any(${members}::bigint[]) group by r.id
    order by 1`.execute(db)
  return rows
    .filter(({ credited }) => {
      const account = credited === 0n ? undefined : accountOf(credited)
      return account === undefined || 'owner' in account || !NO_DEPARTURE.has(account.system)
    })
    .map(({ kind, credited, ...row }) => ({
      ...row,
      kind: kind === 'userToUser' || credited === 0n ? kind.replace('userToUser', 'transfer') : `other: ${kind}`,
    }))
}

/** Returns the broken rules. */
export function judgeOutflows(
  departures: readonly Departure[],
  {
    proofs,
    closed,
    limits,
  }: { proofs: readonly (Proof & { memberId: bigint })[]; closed: readonly ClosedTime[]; limits: { small: Units; day: Units } },
): string[] {
  const unused = new Map<string, number>()
  const keyOf = ({ memberId, kind, amount, target }: Omit<Proof, 'kind'> & { memberId: bigint; kind: string }) =>
    `${memberId} ${kind} ${amount} ${target.toLowerCase()}`
  for (const proof of proofs) unused.set(keyOf(proof), (unused.get(keyOf(proof)) ?? 0) + 1)
  const faults: string[] = []
  const unproven: Departure[] = []
  for (const one of departures) {
    const left = one.held ? (unused.get(keyOf(one)) ?? 0) : 0
    if (left > 0) {
      unused.set(keyOf(one), left - 1)
      continue
    }
    if (one.kind === 'transfer') unproven.push(one)
    else faults.push(`a ${one.kind} of ${one.amount} left without a proof`)
  }
  const timesOf = (list: readonly Departure[], time: (one: Departure) => Date, limit: Units, rule: string) => {
    for (const last of list) {
      const within = list.filter(
        (one) => one.memberId === last.memberId && time(one) <= time(last) && time(one).getTime() > time(last).getTime() - DAY,
      )
      const sum = within.reduce((total, one) => total + one.amount, 0n)
      if (sum > limit) faults.push(`${rule}: ${sum} units within 24 hours`)
    }
  }
  timesOf(unproven, (one) => one.at, limits.small, 'transfers without a proof exceed the small sum')
  timesOf(
    departures.filter(({ kind }) => kind !== 'bridge'),
    (one) => one.filedAt,
    limits.day,
    'outflows exceed the limit of a day',
  )
  for (const { memberId, kind, from, to, until } of closed) {
    const within = departures.filter(
      (one) => one.memberId === memberId && one.id > from && (to === undefined || one.id <= to) && one.at.getTime() < until,
    )
    if (within.length > 0) faults.push(`${within[0]?.kind} of ${within[0]?.amount} left during a ${kind}`)
  }
  return [...new Set(faults)]
}
