import { readFileSync } from 'node:fs'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { testDatabase } from '../../database.ts'
import { retentions } from '../../../src/main/jobs.ts'

const { db } = await testDatabase()

/** Tables whose rows are deleted by work, and where. */
const TAKEN_AWAY: Readonly<Record<string, string>> = {
  background_job_part: 'goes with its job',
  chain_block: 'blocks further back than a reorganisation is followed: gateways/chain/chain-cursor.ts',
  chain_difference: 'once a round finds it no more: modules/reconciliation/check-addresses.ts',
  chain_sweep_problem: 'a sweep, or a day without an attempt: gateways/chain/sweeping/sweep-problems.queries.ts',
  member_view: 'goes with its session',
  notification_event: 'the next turn of send-notices takes it in',
  payout_notification: 'the next turn of notify-member makes a mail of it',
  reward_promise_pending: 'folded into reward_promise, whose days of 0 go',
  reward_promise: 'a row a day and kind that is still to come',
  reward_slice: 'goes when its run is summed up',
  reward_taken: 'goes when it is paid',
  staff_presence: 'signs that are old, at the next sign',
  team_pending_delta: 'folded into team_total and team_month',
  trust_leaf: 'deleted with its tree',
  trust_node: 'deleted with its tree',
  trust_tree: 'the newest three stay: modules/trust/publish-balances.ts',
}

/** Tables bounded by members, staff, wallets, machines or products, regardless of time. */
const OF_THE_INSTANCE =
  /^(calendar_link|chain_(check|checkpoint|cursor|reserve)|command_log|hot_wallet|job_lease|known_device|ledger_(account|new_money_debt)|ledger_closed_balance|member(_referrals|_list_counter)?|nft(_next|_supply)?|notification_choice|passkey|reward_(cover|earned(_progress)?|counter)|saved_reply|second_factor|linked_account|staff_link|stake_plan(_next)?|team_(member|total)|audit_check|schema_bodies)$/

/** Tables kept forever, with the reason. */
const KEPT: Readonly<Record<string, string>> = {
  access_journal: 'access that ended, which no restore revives: a row for each role, block, passkey, app and address',
  announcement: 'what members were told',
  audit_anchor: 'a row a day: heads of the log that stand outside too',
  audit_event: 'the log: who cuts it is found by its chain',
  chain_address: 'an address that was given to a member may be paid to for ever',
  chain_address_generation: 'a row an hour: an address belongs to one',
  chain_address_recovery: 'a row for each restore, and for each command that reads the chain again',
  chain_incident: 'what two people answered',
  chain_move: 'what the house sent',
  chain_move_transaction: 'what the house sent',
  chain_transfer: 'what a credit rests on',
  coin_purchase: 'the history of members, and what the ledger rests on',
  deposit: 'the history of members, and what the ledger rests on',
  deposit_decision: 'who decided about money',
  daily_total: 'a few rows a day, for the drawing of the house',
  invoice_transfer: 'what a credit rests on: a transfer that comes again is known by it',
  hot_wallet_empty: 'a nonce and its gas, which the ledger shows',
  ledger_new_money_return: 'the ledger',
  ledger_reversal: 'the ledger',
  ledger_close: 'a row a month',
  ledger_stop: 'a row a stop',
  ledger_transfer: 'the ledger (docs/decisions/0021-period-close.md)',
  network_cost: 'what the books of the house rest on',
  nft_purchase: 'the history of members: 200,000 at most',
  payment_credit: 'what a credit rests on: a payment that is told again is known by it',
  payout_address: 'where a member could be paid and when, which staff look back at',
  payout_request: 'the history of members, and what the ledger rests on',
  payout_sending: 'what was paid, and by which nonce: never twice',
  payout_transaction: 'what was paid, and by which nonce: never twice',
  provider_payment: 'what a credit rests on: a payment that is told again is known by it',
  reward_credit: 'what a member got, for lists and receipts (docs/decisions/0021-period-close.md)',
  reward_day: 'a row a day',
  reward_fact: 'what a member got, for lists and receipts: that nothing is paid twice rests on it',
  reward_halt: 'a row each time that payment stood still',
  reward_instant: 'what a member got, for lists and receipts',
  reward_payment: 'three rows a run at most',
  reward_policy: 'a row a decision',
  reward_programme: 'what was sold before keeps its version',
  reward_rank_bonus: 'a row a member and rank with a bonus that was begun',
  reward_rank_share: 'what filled a bonus that a member got',
  reward_sent_coin: 'what bridges reversed within a hold period: one may come back at any time',
  reward_run: 'what a member got rests on it',
  reward_source: 'what a member got rests on it',
  reward_week: 'a row a member, kind and week with a reward, for the drawing of a list',
  setting: 'what was sold before keeps its version',
  staff_change: 'what two people decided',
  staff_incident: 'what the house said of itself, and who took it up',
  staff_note: 'what staff know of a member',
  stake: 'the history of members, and what the ledger rests on',
  team_month: 'a row a member and month with a sale below, for the drawing of a team',
  ticket: 'the history of members',
  ticket_image: 'goes with nothing: what was said in a ticket stays readable',
  ticket_message: 'the history of members',
  trust_digest_transaction: 'few rows a day: where the digest of a statement was published',
  trust_signature: 'a row a day: the signature of a published statement',
  trust_statement: 'a row a day: members compare it with what they have seen',
  wallet_day: 'a row a day',
  wallet_exchange: 'the history of members, and what the ledger rests on',
}

/** All tables except those with one row by key. */
const tables = (
  await sql<{ name: string }>`select table_name as name from information_schema.tables t
    where table_schema = 'public' and table_type = 'BASE TABLE' and table_name !~ '^(schema_)?migration'
      and not exists (select from information_schema.columns c where c.table_name = t.table_name and c.column_name = 'one') order by 1`.execute(
    db,
  )
).rows.map((row) => row.name)
const swept = new Set<string>(retentions.map(({ table }) => table))
const saying = (name: string) => [swept.has(name), name in TAKEN_AWAY, OF_THE_INSTANCE.test(name), name in KEPT].filter(Boolean).length

it.each(tables)('rows of %s are deleted by a retention rule, or have a reason to stay', (name) => {
  expect(saying(name)).toBe(1)
})

it('docs/operations.md lists each retention rule with its days', () => {
  const text = readFileSync(new URL('../../../../../docs/operations.md', import.meta.url), 'utf8')
  const rows =
    text
      .split('## Data retention')[1]
      ?.split('\n## ')[0]
      ?.matchAll(/^\| (\d+) \|(.+)\|$/gm) ?? []
  const told = [...rows].flatMap(([, days, names = '']) => [...names.matchAll(/`(\w+)`/g)].map(([, name]) => `${name} ${days}`))
  expect(told.toSorted()).toEqual(retentions.map(({ table, days }) => `${table} ${days}`).toSorted())
})

it('no rule names a missing table', () => {
  expect([...Object.keys(TAKEN_AWAY), ...Object.keys(KEPT)].filter((name) => !tables.includes(name))).toEqual([])
})
