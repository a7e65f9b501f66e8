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
  chain_sweep_problem: 'a sweep, or a day without an attempt: gateways/chain/sweeping/token-sweep-problems.queries.ts',
  event_outbox: 'deleted by the next run of move-events',
  import_mail: 'deleted with the mail to the member: modules/import/import-mails.ts',
  import_member: 'deleted when its import is applied or refused, or with its import',
  import_nft: 'deleted when its import is applied or refused, or with its import',
  import_stake: 'deleted when its import is applied or refused, or with its import',
  member_view: 'deleted with its session',
  notification_event: 'deleted by the next run of send-notices',
  payout_notification: 'deleted by the next run of notify-member, which sends a mail',
  reward_liability_pending: 'added to reward_liability, which deletes days with 0',
  reward_liability: 'one row per future day and kind',
  reward_partition: 'deleted when its run is summed',
  reward_payment_claim: 'deleted when it is paid',
  screening_entry: 'deleted when a later list is in force',
  screening_key: 'deleted when a later list is in force',
  screening_list: 'deleted when a later list is in force',
  screening_task: 'deleted when it is compared',
  staff_presence: 'old rows are deleted by the next one',
  team_pending_delta: 'added to team_total and team_month',
  trust_leaf: 'deleted with its tree',
  trust_node: 'deleted with its tree',
  trust_tree: 'the newest three stay: modules/trust/publish-balances.ts',
}

/** Tables bounded by members, staff, wallets, machines or products, regardless of time. */
const OF_THE_INSTANCE =
  /^(account_recovery|calendar_link|chain_(check|checkpoint|cursor|reserve)|clock_offset|command_last_run|hot_wallet|job_lease|known_device|ledger_(account|new_money_debt)|ledger_closed_balance|member(_referrals|_list_counter)?|nft(_next|_supply)?|notification_choice|passkey|payee_name|recovery_code|reward_(coverage_version|counter)|saved_(reply|segment)|second_factor|linked_account|staff_(link|view_limit)|stake_plan(_next)?|team_(member|total)|terms_of_use_mail|unconfirmed_transfer|audit_check|schema_bodies)$/

/** Tables kept forever, with the reason. */
const KEPT: Readonly<Record<string, string>> = {
  business_day: 'a row a day: figures for the overview of the business',
  business_first_step: 'three rows a member at most: when each first deposited, bought and staked',
  business_team_day: 'rows of the teams that bought, staked or grew on a day, for the overview of the business',
  access_journal: 'ended access, which no restore may revive: one row per role, block, passkey, app and address',
  announcement: 'shown to members',
  brand: 'one row for each brand that two people approve',
  terms_of_use: 'one row for each version that two people approve',
  terms_of_use_acceptance: 'a row per member and version: the proof of the acceptance',
  brand_logo: 'those that a brand names; at most 50 others, deleted after 30 days',
  audit_anchor: 'one row per day: heads of the log, which are also mailed',
  audit_event: 'the audit log: its chain reveals deleted rows',
  chain_address: 'a member may pay to an assigned address at any time',
  chain_address_generation: 'one row per hour: each address belongs to one',
  chain_address_recovery: 'one row per restore, and per command that scans the chain again',
  chain_incident: 'answered by two people',
  chain_move: 'sent by the platform',
  chain_transfer: 'evidence of a credit',
  coin_purchase: 'a history of members, and the cause of transfers',
  deposit: 'a history of members, and the cause of transfers',
  deposit_decision: 'decisions about money',
  daily_total: 'a few rows per day, for the charts of the console',
  import_balance: 'a balance of an applied import, and the cause of its transfer',
  import_history: 'a movement before the move, which the member reads and erasure deletes',
  invoice_transfer: 'evidence of a credit: it identifies a repeated transfer',
  hot_wallet_empty: 'a nonce and its gas, which the ledger contains',
  ledger_new_money_return: 'the ledger',
  ledger_reversal: 'the ledger',
  accounting_export: 'one row per month, format and chart of accounts',
  ledger_close: 'one row per month',
  ledger_stop: 'one row per pause',
  ledger_transfer: 'the ledger (docs/decisions/0021-period-close.md)',
  network_cost: 'cause of ledger transfers',
  nft_purchase: 'a history of members: at most 200,000',
  payment_credit: 'evidence of a credit: it identifies a repeated payment',
  payout_address: 'addresses of a member with their times, shown to staff',
  payout_request: 'a history of members, and the cause of transfers',
  cold_move: 'one row for each move that two people approve',
  proceeds_payout: 'one row for each payout that two people approve; the cause of transfers',
  return_request: 'up to three rows for each asset of an invoice with uncredited payments',
  payment_return: 'one row for each return that two people approve; the cause of transfers',
  payout_sending: 'payments with their nonces, so that none is repeated',
  signed_transaction: 'payments with their nonces, so that none is repeated',
  provider_payment: 'evidence of a credit: it identifies a repeated payment',
  reward_credit: 'rewards of a member, for lists and receipts (docs/decisions/0021-period-close.md)',
  reward_day: 'one row per day',
  reward_accrual: 'rewards of a member, for lists and receipts: it prevents a second payment',
  reward_halt: 'one row per halt of payments',
  reward_instant: 'rewards of a member, for lists and receipts',
  reward_payment: 'at most three rows per run',
  reward_policy: 'one row per decision',
  reward_programme: 'earlier sales keep their version',
  reward_rank_bonus: 'one row per member and rank with a started bonus',
  reward_rank_share: 'the parts of a bonus',
  reward_sent_coin: 'reversals by bridges in a hold period: a bridge may return at any time',
  reward_month: 'one row per member, month and kind with a reward',
  reward_run: "cause of a member's rewards",
  reward_source: "cause of a member's rewards",
  reward_week: 'one row per member, kind and week with a reward, for a chart',
  sell_request: 'a history of members',
  sell_request_sale: 'the sales of a request: its proof',
  payout_rules: 'payouts keep the version that decided them',
  setting: 'earlier sales keep their version',
  screening_hit: 'matches with their verdict, which a later list does not repeat',
  staff_case: 'cases about members, with their outcome',
  staff_proposal: 'decisions of two people',
  staff_incident: 'incidents, and the staff who took them',
  staff_note: 'notes of staff about a member',
  stake: 'a history of members, and the cause of transfers',
  team_month: 'one row per member and month with a sale below, for a chart',
  ticket: 'a history of members',
  ticket_image: 'never deleted: a ticket stays readable',
  ticket_message: 'a history of members',
  trust_digest_transaction: "a few rows per day: publication of a statement's digest",
  trust_signature: 'one row per day: signature of a published statement',
  trust_statement: 'one row per day: members compare it with the one they have seen',
  wallet_day: 'one row per day',
  wallet_exchange: 'a history of members, and the cause of transfers',
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
  const documented = [...rows].flatMap(([, days, names = '']) => [...names.matchAll(/`(\w+)`/g)].map(([, name]) => `${name} ${days}`))
  expect(documented.toSorted()).toEqual(retentions.map(({ table, days }) => `${table} ${days}`).toSorted())
})

it('no rule names a missing table', () => {
  expect([...Object.keys(TAKEN_AWAY), ...Object.keys(KEPT)].filter((name) => !tables.includes(name))).toEqual([])
})
