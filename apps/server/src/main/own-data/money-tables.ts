import { SECRET, CONTROL, STAFF, OTHER, REPEATED, INTERNAL, member, ownDeposits, ownPayouts, words, type OwnTable } from './own-table.ts'

/** Deposits, purchases, payouts and rewards. */
export const moneyTables: readonly OwnTable[] = [
  {
    file: 'deposits',
    table: 'deposit',
    of: member('member_id'),
    key: ['id'],
    columns: words(`
      public_id method asset description status created_at decided_at expires_at watched_until address
      provider_invoice_id invoice_url state state_reason problem by_hand
    `),
    amounts: words('amount credited usd_amount reversed_usd'),
    omitted: {
      [INTERNAL]: words('id'),
      [REPEATED]: words('member_id'),
      [CONTROL]: words('next_check_at idempotency_key provider_asked_at first_mac'),
      [STAFF]: words('first_approved_by first_approved_at'),
    },
  },
  {
    file: 'deposit-decisions',
    table: 'deposit_decision',
    of: ownDeposits('deposit_id'),
    key: ['id'],
    columns: words('deposit_id decided_at outcome reason'),
    amounts: words('credited'),
    omitted: {
      [INTERNAL]: words('id'),
      [REPEATED]: words('member_id'),
      [STAFF]: words('first_approved_by first_approved_at decided_by'),
      [CONTROL]: words('first_mac'),
    },
  },
  {
    file: 'deposit-transfers-on-the-chain',
    table: 'invoice_transfer',
    of: ownDeposits('deposit_id'),
    key: ['transfer_key'],
    columns: words('asset tx_hash block_time confirmations held held_at decided_at credited_at transfer_id'),
    amounts: words('amount usd_amount'),
    omitted: {
      [INTERNAL]: words('transfer_key deposit_id return_id'),
      [CONTROL]: words('is_live'),
    },
  },
  {
    file: 'deposit-returns',
    table: 'payment_return',
    of: member('member_id'),
    key: ['id'],
    columns: words('public_id deposit asset address created_at settings_version'),
    amounts: words('amount network_fee received'),
    omitted: {
      [INTERNAL]: words('id'),
      [REPEATED]: words('member_id'),
    },
  },
  {
    file: 'deposit-payments',
    table: 'provider_payment',
    of: ownDeposits('deposit_id'),
    key: ['payment_id'],
    columns: words('payment_id status pay_currency paid_text review_reason reviewed_at updated_at'),
    amounts: words('actually_paid credited_amount'),
    omitted: {
      [INTERNAL]: words('deposit_id'),
    },
  },
  {
    file: 'coin-purchases',
    table: 'coin_purchase',
    of: member('member_id'),
    key: ['id'],
    columns: words('public_id created_at reversed_at posting_id settings_version'),
    amounts: words('coin_amount coin_price total_price charged'),
    omitted: {
      [INTERNAL]: words('id'),
      [REPEATED]: words('member_id'),
    },
  },
  {
    file: 'sell-requests',
    table: 'sell_request',
    of: member('member_id'),
    key: ['id'],
    columns: words('public_id status created_at expires_at closed_at'),
    amounts: words('amount lowest_price sold received'),
    omitted: {
      [INTERNAL]: words('id'),
      [REPEATED]: words('member_id'),
    },
  },
  {
    file: 'exchanges',
    table: 'wallet_exchange',
    of: member('member_id'),
    key: ['id'],
    columns: words('public_id created_at posting_id settings_version'),
    amounts: words('amount'),
    omitted: {
      [INTERNAL]: words('id'),
      [REPEATED]: words('member_id'),
    },
  },
  {
    file: 'stakes',
    table: 'stake',
    of: member('member_id'),
    key: ['id'],
    columns: words(`
      public_id plan_name is_omega wallet duration_days status started_at matures_at matured_at reversed_at
      transfer_id programme_version
    `),
    amounts: words('amount apy daily_reward'),
    omitted: {
      [INTERNAL]: words('id plan_id'),
      [REPEATED]: words('member_id'),
    },
  },
  {
    file: 'nfts',
    table: 'nft_purchase',
    of: member('member_id'),
    key: ['id'],
    columns: words(`
      public_id kind name paid_from paid_asset duration_months status purchased_at reversed_at transfer_id
      programme_version
    `),
    amounts: words('price paid_amount coin_price total_percent monthly_reward'),
    omitted: {
      [INTERNAL]: words('id nft_id'),
      [REPEATED]: words('member_id'),
    },
  },
  {
    file: 'withdrawals-and-bridges',
    table: 'payout_request',
    of: member('member_id'),
    key: ['id'],
    columns: words(`
      public_id kind status address network created_at confirm_by confirmed_at confirmed_how decided_at reason
      tx_hash returned_at return_reason transfer_id settings_version rule_version rule_outcome
    `),
    amounts: words('amount platform_fee network_fee received'),
    omitted: {
      [INTERNAL]: words('id hold_id'),
      [REPEATED]: words('member_id'),
      [STAFF]: words('first_approved_by first_approved_at decided_by rule_name'),
      [CONTROL]: words('first_mac owner_mac'),
      [SECRET]: words('step_up_digest'),
      [OTHER]: words('receiver_id'),
    },
  },
  {
    file: 'payout-transactions',
    table: 'payout_transaction',
    of: ownPayouts('request_id'),
    key: ['hash'],
    columns: words('hash purpose made_at sent_at block block_hash'),
    omitted: {
      [INTERNAL]: words('request_id'),
      [CONTROL]: words('raw gas_price gas_used gas_paid'),
    },
  },
  {
    file: 'payout-mails',
    table: 'payout_notification',
    of: ownPayouts('request', 'public_id'),
    key: ['id'],
    columns: words('request step said_at'),
    omitted: {
      [INTERNAL]: words('id'),
    },
  },
  {
    file: 'daily-and-monthly-rewards',
    table: 'reward_accrual',
    of: member('member_id'),
    key: ['stream', 'due_at', 'source_id'],
    columns: words('stream source_id ordinal due_at programme_version run_id'),
    amounts: words('amount'),
    omitted: {
      [REPEATED]: words('member_id'),
    },
  },
  {
    file: 'level-rewards',
    table: 'reward_credit',
    of: member('member_id'),
    key: ['stream', 'run_id'],
    columns: words('stream run_id eligible n0 n1 n2 n3 n4 n5'),
    amounts: words('daily b1 b2 b3 b4 b5 amount'),
    omitted: {
      [REPEATED]: words('member_id'),
      [OTHER]: words('sponsor_id'),
    },
  },
  {
    file: 'instant-rewards',
    table: 'reward_instant',
    of: member('beneficiary_id'),
    key: ['kind', 'id'],
    columns: words(`
      kind cause_type level asset status rank created_at release_at settled_at transfer_id cancel_reason unearned_reason
      programme_version
    `),
    amounts: words('base percent amount reversed base_returned new_money'),
    omitted: {
      [INTERNAL]: words('id'),
      [REPEATED]: words('beneficiary_id'),
      [OTHER]: words('source_member_id cause_id cause_public_id cause_amount'),
      [CONTROL]: words('in_counters is_liability'),
    },
  },
  {
    file: 'reward-sources',
    table: 'reward_source',
    of: member('member_id'),
    key: ['id'],
    columns: words(`
      id stream public_id label steps starts_at ends_at processed distributed_at reversed_at rank_settled_at
      programme_version
    `),
    amounts: words('principal percent amount bounty distributed rank_budget'),
    omitted: {
      [REPEATED]: words('member_id'),
    },
  },
  {
    file: 'rank-bonuses',
    table: 'reward_rank_bonus',
    of: member('member_id'),
    key: ['rank'],
    columns: words('rank started_at completed_at programme_version'),
    amounts: words('team_stake bonus filled'),
    omitted: {
      [REPEATED]: words('member_id'),
    },
  },
]
