import { sql } from 'kysely'
import { afterEach, expect, it } from 'vitest'
import { testDatabase } from '../../test/database.ts'
import { ledgerChecks } from './audit-checks.ts'
import { formatAudit, hold, openAccounts, post, runAudit, settle } from './index.ts'

const { db } = await testDatabase(4)
const at = new Date('2026-03-01T10:00:00Z')
const cause = { type: 'test', id: '1' }
await openAccounts(db, 1n)
await openAccounts(db, 2n)
const deposits = { system: 'SYS-DEPOSIT', asset: 'USD' } as const
const first = { owner: 1n, kind: 'depositWallet' } as const
const second = { owner: 2n, kind: 'depositWallet' } as const
await post(db, { kind: 'deposit', cause, at, transfers: [{ from: deposits, to: first, amount: 1_000n }] })
const paid = await post(db, {
  kind: 'pay',
  cause,
  at,
  key: 'pay-1',
  transfers: [
    { from: first, to: second, amount: 100n },
    { from: first, to: { system: 'SYS-FEE', asset: 'USD' }, amount: 1n },
  ],
})
const held = await hold(db, { from: first, amount: 50n, kind: 'withdrawal', cause, at })
const open = await hold(db, { from: first, amount: 60n, kind: 'withdrawal', cause, at })
await settle(db, { holdId: held.holdId, kind: 'payout', cause, at, legs: [{ to: { system: 'SYS-WITHDRAW', asset: 'USD' }, amount: 50n }] })

const broken = async () => (await runAudit(db, ledgerChecks)).filter((result) => result.broken > 0)
const titles = async () => (await broken()).map((result) => `${result.check.invariant} ${result.check.title}`).join('; ')

afterEach(async () => {
  expect(await titles()).toBe('')
})

/** Damages the stored data as a superuser could, runs the audit on it, and undoes the damage. */
async function titlesAfter(...statements: string[]): Promise<string> {
  const connectionWork = db.connection().execute(async (connection) => {
    await sql`begin`.execute(connection)
    try {
      await sql`alter table ledger_transfer disable trigger ledger_transfer_append_only`.execute(connection)
      await sql`alter table ledger_account disable trigger ledger_account_stays`.execute(connection)
      for (const statement of statements) await sql.raw(statement).execute(connection)
      await sql`alter table ledger_transfer enable always trigger ledger_transfer_append_only`.execute(connection)
      await sql`alter table ledger_account enable always trigger ledger_account_stays`.execute(connection)
      const found: string[] = []
      for (const check of ledgerChecks) {
        const rows = await sql.raw(check.sql).execute(connection)
        if (rows.rows.length > 0) found.push(`${check.invariant} ${check.title}`)
      }
      return found.join('; ')
    } finally {
      await sql`rollback`.execute(connection)
    }
  })
  return connectionWork
}

it('holds on intact data, and prints that', async () => {
  const results = await runAudit(db, ledgerChecks)
  expect(results).toHaveLength(ledgerChecks.length)
  expect(formatAudit(results)).toMatch(/All \d+ checks hold\.$/)
})

const noCheck = 'alter table ledger_account drop constraint ledger_account_covered'
const noAmountCheck = 'alter table ledger_transfer drop constraint ledger_transfer_amount_check'
const planted = (amount: number) => `insert into ledger_transfer (id, posting_id, debit_account, credit_account, amount,
    debit_balance_after, credit_balance_after, created_at, pending, asset, kind, cause_type, cause_id)
  select 900000, 900000, debit_account, credit_account, ${amount}, debit_balance_after - ${amount}, credit_balance_after + ${amount},
    created_at, false, asset, kind, cause_type, cause_id from ledger_transfer where id = ${paid.postingId}`
const damages: [name: string, finds: RegExp, ...statements: string[]][] = [
  ['a raised balance', /I1 .*I2 each stored balance/, 'update ledger_account set balance = balance + 1 where id = 17'],
  [
    'money moved between balances without a transfer',
    /^I2 each stored balance/,
    'update ledger_account set balance = balance + 7 where id = 17',
    'update ledger_account set balance = balance - 7 where id = 33',
  ],
  ['a changed version', /I2 each stored/, 'update ledger_account set version = version + 1 where id = 17'],
  ['an inserted transfer of zero', /I2 no balance was ever below/, noAmountCheck, planted(0)],
  ['an inserted transfer of a negative amount', /I2 no balance was ever below/, noAmountCheck, planted(-5)],
  ['a member below 0', /I2 no account is below/, noCheck, 'update ledger_account set balance = -5 where id = 33'],
  [
    'a member account allowed to go below 0',
    /I2 no account is below/,
    'alter table ledger_account drop constraint ledger_account_member_owes_nothing',
    'update ledger_account set min_balance = -100 where id = 33',
  ],
  [
    'a transfer with a changed amount',
    /I2 each stored.*I3 on each account/,
    `update ledger_transfer set amount = amount + 1 where id = ${paid.postingId}`,
  ],
  ['a deleted transfer', /I2 each stored/, `delete from ledger_transfer where id = ${paid.postingId}`],
  ['a transfer between assets', /I1 the entries/, `update ledger_transfer set credit_account = 34 where id = ${paid.postingId}`],
  ['a transfer to a missing account', /I1 the entries/, `update ledger_transfer set credit_account = 999999 where id = ${paid.postingId}`],
  ['a changed balance-after', /^I3 on each account/, `update ledger_transfer set credit_balance_after = 7 where id = ${paid.postingId}`],
  ['a transfer moved to another posting', /I3 a posting has/, `update ledger_transfer set posting_id = 1 where id = ${paid.postingId}`],
  ['a changed cause', /I3 a posting has/, `update ledger_transfer set cause_id = 'other' where id = ${paid.transfers[1]?.id}`],
  [
    'a duplicate key',
    /I3 the constraints.*I5 a key/,
    'drop index ledger_transfer_by_key',
    `update ledger_transfer set key = 'pay-1' where id = ${held.holdId}`,
  ],
  ['a hold turned into an ordinary transfer', /I7 SYS-HOLD/, `update ledger_transfer set pending = false where id = ${open.holdId}`],
  ['a hold with two endings', /I7 a hold ends/, `update ledger_transfer set resolves = ${held.holdId} where id = ${paid.postingId}`],
  [
    'an ending of another hold',
    /I7 a hold ends.*I7 each shard/,
    `update ledger_transfer set resolves = ${open.holdId} where resolves = ${held.holdId}`,
  ],
  ['coin issued to a member', /I9/, `update ledger_transfer set credit_account = 18 where id = 3`],
  ['coin issued beyond the supply', /I9/, `update ledger_transfer set amount = amount + 1 where id = 3`],
  [
    'a missing guard',
    /I3 the append-only/,
    'drop trigger ledger_transfer_append_only on ledger_transfer',
    'create trigger ledger_transfer_append_only before insert on ledger_transfer for each statement execute function ledger_reject_change()',
  ],
  [
    'a guard without effect',
    /I3 the append-only/,
    "create or replace function ledger_reject_change() returns trigger language plpgsql as 'begin return null; end'",
  ],
  ['a missing constraint', /I3 the constraints/, noCheck],
]

it.each(damages)('finds %s', async (_, finds, ...statements) => {
  expect(await titlesAfter(...statements)).toMatch(finds)
})

it('finds a disabled guard', async () => {
  await sql`alter table ledger_transfer enable trigger ledger_transfer_append_only`.execute(db)
  expect(await titles()).toMatch(/I3 the append-only/)
  await sql`alter table ledger_transfer enable always trigger ledger_transfer_append_only`.execute(db)
})

it('the database rejects changes of posted transfers', async () => {
  const refused = async (text: string) => expect(sql.raw(text).execute(db)).rejects.toThrow(/append-only/)
  await refused('update ledger_transfer set amount = 1')
  await refused('delete from ledger_transfer where id = 1')
  await refused('truncate ledger_transfer')
  await refused("insert into ledger_transfer select * from ledger_transfer where id = 1 on conflict (id) do update set kind = 'x'")
  await refused('update ledger_account set min_balance = -1 where id = 17')
  await refused('update ledger_account set owner_id = 2 where id = 17')
  await refused('delete from ledger_account where id = 17')
  await refused('truncate ledger_account')
})

it('the database rejects balances below the floor and unknown accounts', async () => {
  const refused = async (text: string) => expect(sql.raw(text).execute(db)).rejects.toThrow(/check constraint/)
  await refused('update ledger_account set balance = -1 where id = 17')
  await refused("update ledger_account set balance = -1500000000000000001 where kind = 'SYS-ISSUE'")
  await refused("insert into ledger_account (id, owner_id, kind, asset) values (49, 3, 'nativeWallet', 'COIN')")
  await refused("insert into ledger_account (id, owner_id, kind, asset, min_balance) values (49, 3, 'depositWallet', 'USD', -1)")
  await refused("insert into ledger_account (id, owner_id, kind, asset) values (56, 3, 'otherWallet', 'USD')")
})
