import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { completeStory } from '../../audited-instance.ts'
import { testDatabase } from '../../database.ts'
import { ledgerChecks, runAudit } from '../../../src/ledger/index.ts'
import { type AuditCheck, runChecks } from '../../../src/ledger/audit.ts'
import { testClock } from '../../../src/platform/runtime/clock.ts'
import { readConfig } from '../../../src/platform/config/config.ts'
import type { Db } from '../../../src/platform/db/database.ts'
import { randomIds } from '../../../src/platform/runtime/ids.ts'
import { createLog } from '../../../src/platform/runtime/log.ts'
import { allChecks, allTransfers } from '../../../src/main/all-checks.ts'
import { seedDemo } from '../../../src/sandbox/demo/seed-demo.ts'
import { createPorts } from '../../../src/main/ports.ts'

const { db } = await testDatabase(4)
const config = readConfig({ NODE_ENV: 'test' })
const deps = { config, clock: testClock('2026-03-02T09:00:00Z'), ids: randomIds, log: createLog('silent') }
await seedDemo(db, deps, createPorts(config, 'http://127.0.0.1:9'))
await completeStory(db, deps)

/** Excludes the ledger's fold, which a consistent forgery passes. The test asks whether the causes reveal it. */
const causeChecks = allChecks.filter(
  (check) => !ledgerChecks.some((own) => own.title === check.title) || check.title.startsWith('the supply was'),
)
/** Transfers between members whose ledger row is the only record, so that only the fold detects another amount. */
const BARE = new Set(['swapNative', 'nftToDeposit', 'userToUser'])

const kindsInLedger = (await sql<{ kind: string }>`select distinct kind from ledger_transfer order by 1`.execute(db)).rows.map(
  (row) => row.kind,
)
// Without moves between shards of one account: they change no account's total.
const legs = (
  await sql<{ id: bigint; kind: string; debit: bigint; credit: bigint }>`
    select distinct on (kind, debit_account > 0) id, kind, debit_account as debit, credit_account as credit
    from ledger_transfer where kind <> 'shardMove' order by kind, debit_account > 0, id desc`.execute(db)
).rows

let connection: Db
let release = () => {}
let baseline: string[] = []
const broken = async () =>
  (await runChecks(connection, allChecks)).filter((result) => result.broken > 0).map((result) => result.check.title)

beforeAll(async () => {
  expect((await runAudit(db, allChecks)).filter((result) => result.broken > 0)).toEqual([])
  await new Promise<void>((ready) => {
    void db.connection().execute(async (own) => {
      connection = own
      ready()
      await new Promise<void>((done) => {
        release = done
      })
    })
  })
  await sql`begin`.execute(connection)
  await sql`alter table ledger_transfer disable trigger user`.execute(connection)
  await sql`alter table ledger_account disable trigger user`.execute(connection)
  await sql`alter table ledger_reversal disable trigger user`.execute(connection)
  const constraints = await sql<{ text: string }>`select format('alter table %s drop constraint %I', conrelid::regclass, conname) as text
    from pg_constraint where contype = 'c' and conrelid::regclass::text !~ '\\.' and conrelid <> 0`.execute(connection)
  for (const { text } of constraints.rows) await sql.raw(text).execute(connection)
  baseline = await broken()
})

afterAll(async () => {
  await sql`rollback`.execute(connection)
  release()
})

/**
 * Returns true if a check detects the damage. Checks whose query mentions a name run first, and the first detection ends it.
 * @param names transfer kinds or tables
 */
async function isNoticed(damage: string, checks: readonly AuditCheck[], names: readonly string[]) {
  await sql`savepoint sound`.execute(connection)
  try {
    const done = await sql.raw(damage).execute(connection)
    expect(done.numAffectedRows).toBe(1n)
    const isNear = (check: AuditCheck) => names.some((name) => check.sql.includes(name))
    for (const check of [...checks.filter(isNear), ...checks.filter((one) => !isNear(one))]) {
      const [result] = await runChecks(connection, [check])
      if (result !== undefined && result.broken > 0 && !baseline.includes(check.title)) return true
    }
    return false
  } finally {
    await sql`rollback to savepoint sound`.execute(connection)
  }
}

/** Returns another account in the same asset: another member's wallet, or the operator's fee account. */
function elsewhere(account: bigint): bigint {
  if (account > 0n) return account + 16n
  const asset = account % 1000n > -200n ? 100n : 200n
  return -((account / 1000n === -11n ? 5000n : 11_000n) + asset)
}

it('[I4] the test ledger has every declared kind of transfer, and no other', () => {
  expect(kindsInLedger.filter((kind) => kind !== 'shardMove')).toEqual(Object.keys(allTransfers).toSorted())
})

describe.each(legs.map((leg) => ({ ...leg, from: leg.debit > 0n ? 'a wallet' : 'a system account' })))(
  '$kind from $from',
  ({ id, kind, debit, credit }) => {
    const where = `where id = ${id}`
    const copy = (changes: Record<string, string>) => {
      const columns = [
        'debit_account',
        'credit_account',
        'amount',
        'debit_balance_after',
        'credit_balance_after',
        'created_at',
        'resolves',
        'rule_version',
        'pending',
        'asset',
        'kind',
        'cause_type',
        'cause_id',
      ]
      const values = columns.map((column) => changes[column] ?? column).join(', ')
      return `insert into ledger_transfer (id, posting_id, ${columns.join(', ')}) select 900000, 900000, ${values} from ledger_transfer ${where}`
    }
    const damages: [name: string, byItsCause: boolean, damage: string][] = [
      ['inserted with an unknown kind', true, copy({ kind: "'gift'" })],
      ['inserted with a missing cause', true, copy({ cause_id: "'no-such-cause'" })],
      ['repeated', !BARE.has(kind), copy({})],
      [
        'to another account',
        !BARE.has(kind) || kind !== 'userToUser',
        `update ledger_transfer set credit_account = ${elsewhere(credit)} ${where}`,
      ],
      ['out of another account', kind !== 'userToUser', `update ledger_transfer set debit_account = ${elsewhere(debit)} ${where}`],
      ['missing', !BARE.has(kind), `delete from ledger_transfer ${where}`],
      ['of another amount', !BARE.has(kind), `update ledger_transfer set amount = amount * 2 + 1 ${where}`],
      ['of another cause', true, `update ledger_transfer set cause_id = 'other' ${where}`],
      ['of another type of cause', true, `update ledger_transfer set cause_type = 'other' ${where}`],
    ]
    it.each(damages)('[I4] is reported when it is %s', async (_, byItsCause, damage) => {
      expect(await isNoticed(damage, byItsCause ? causeChecks : allChecks, [`'${kind}'`])).toBe(true)
    })
  },
)

/** Integer columns that hold no amount, each with the reason. */
const NOT_A_FACT: readonly [RegExp, string][] = [
  [/^ledger_transfer\.(debit|credit)_account$|^ledger_transfer\.resolves$/, 'account numbers and holds: planted above, for every kind'],
  [
    /^(setting|reward_programme|reward_policy|stake_plan|stake_plan_next|nft|nft_next)\./,
    'rules: append-only or proposed by one and approved by another; facts are reckoned against them',
  ],
  [
    /^(ledger_new_money_(debt|return)|reward_sent_coin)\./,
    'no reversed deposit, sale or bridge within a hold in this story: planted in rewards/instant/new-money.test.ts',
  ],
  [/^(team_pending_delta|team_month|team_total)\./, 'team sums: no money moves by them alone'],
  [/^payout_request\.ceiling_left$/, 'what a ceiling left when it stopped a rule: staff read it, no money moves by it'],
  [/^payout_rule_use\./, 'use of the ceilings of a day: the audit counts the payouts of the rules themselves'],
  [/^unconfirmed_transfer\./, 'sums of 24 hours for the limit of transfers without a confirmation: no money moves by them'],
  [
    /^chain_address(_generation)?\.(key_index|first_key_index)$/,
    'derivation index of the address key: gateways/chain/address-generations.test.ts',
  ],
  [
    /^(job_lease|second_factor|reward_coverage_version|reward_watermark|trust_tree|trust_leaf|trust_node|trust_statement|trust_signature|trust_digest_transaction)\./,
    'counters, places in a tree',
  ],
  [
    /^chain_(block|check|checkpoint|cursor|difference|incident|reserve|transfer|unknown_token)\./,
    'responses of a node: they move no money; credits are checked against them in chain-invoices.test.ts',
  ],
  [
    /^(cold_move|proceeds_payout|payment_return|hot_wallet|hot_wallet_empty|payout_sending|signed_transaction)\./,
    'payouts on the chain, which this instance does not have: planted in sending/sending.test.ts',
  ],
  [/^chain_move\./, 'moves between platform addresses: no ledger balance depends on them, and the chain is asked for the rest'],
  [/^passkey\.counter$/, 'last counter of a passkey, to detect a copy'],
  [
    /^import_(stake|nft|history)\.|^import_batch\.(promised_|raised_|progress_from)/,
    'rows of files until their import is applied, what approvers are shown, and progress: compared with the files in import-stakes.test.ts, and texts of the earlier platform',
  ],
  [/^background_job\./, 'progress of a background job, and the size of its file'],
  [/^access_journal\./, 'access that ended, compared with its file: access-journal.test.ts'],
  [/^audit_check\./, 'last checked state of the log: audit-chain.test.ts'],
  [/^(reward_simulation|programme_simulation)\./, 'results of a simulation: they pay nothing'],
  [/^business_/, 'figures for the overview: the audit computes from the facts'],
  [/^(notice|notification_event)\.amount$/, 'text of a notice: no balance depends on it'],
  [/^daily_total\./, 'daily totals for charts: the audit computes from the accounts'],
  [/^reward_(month|earned_progress)\.|^reward_payment\.fell_short$/, 'figures for members and staff: they pay nothing'],
  [/^reward_run\.(seen_source|newest_source)$|^reward_partition\./, 'where an interrupted run continues'],
  [/^ledger_close\.|^ledger_closed_balance\./, 'period closes: planted in close-months.test.ts'],
  [/^reward_payment_claim\./, 'credits that are paid a moment later: planted in runs/assist-runs.test.ts'],
  [/^screening_list\.member_cursor$/, 'progress of the comparison of members with a list'],
  [/^reward_payment\.cursor_(sponsor|member)$/, 'position in the order of credits; earlier ones count as paid'],
]
/** Selects the row that shows the damage, because not every row states the amount. */
const WHICH: Readonly<Record<string, string>> = {
  // The requested amount has no effect after a credit.
  'deposit.amount': 'credited = 0',
  // A team's stake at a rank is historic. It only has to reach the rank.
  'reward_instant.base': 'percent is not null',
  'reward_day.accruals': "status = 'DONE'",
  'reward_day.total_coin': "status = 'DONE'",
  'reward_day.total_usd': "status = 'DONE'",
  'ledger_account.min_balance': 'min_balance = 0',
}

const columns = (
  await sql<{ name: string }>`
    select c.table_name || '.' || c.column_name as name from information_schema.columns c
    join information_schema.tables t using (table_schema, table_name)
    where table_schema = 'public' and t.table_type = 'BASE TABLE' and (c.data_type in ('bigint', 'numeric') or c.udt_name = '_int8')
      and c.column_name !~ '(^|_)(id|by)$' order by 1`.execute(db)
).rows.map((row) => row.name)

it('has a reason for each column that is no money fact', () => {
  for (const [pattern] of NOT_A_FACT)
    expect(
      columns.some((name) => pattern.test(name)),
      String(pattern),
    ).toBe(true)
})

it.each(columns.filter((name) => !NOT_A_FACT.some(([pattern]) => pattern.test(name))))(
  '[I4] reports that %s was rewritten',
  async (name) => {
    const [table = '', column = ''] = name.split('.')
    const which = `${column} is not null and (${WHICH[name] ?? 'true'})`
    const damage = `update ${table} set ${column} = ${column} * 2 + 1 where ctid = (select ctid from ${table} where ${which} order by ctid limit 1)`
    expect(await isNoticed(damage, allChecks, [column, table])).toBe(true)
  },
)
