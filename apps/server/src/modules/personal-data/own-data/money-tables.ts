import { SECRET, CONTROL, STAFF, OTHER, REPEATED, INTERNAL, member, ownDeposits, ownPayouts, ownTable, type OwnTable } from './own-table.ts'

/** Deposits, purchases, payouts and rewards. */
export const moneyTables: readonly OwnTable[] = [
  ownTable('deposits', 'deposit', {
    columns: `
      public_id method asset description status created_at decided_at expires_at watched_until address provider_invoice_id
      invoice_url state state_reason problem by_hand
    `,
    amounts: 'amount credited usd_amount reversed_usd',
    omitted: { [CONTROL]: 'next_check_at idempotency_key provider_asked_at first_mac', [STAFF]: 'first_approved_by first_approved_at' },
  }),
  ownTable('deposit-decisions', 'deposit_decision', {
    of: ownDeposits('deposit_id'),
    columns: 'deposit_id decided_at outcome reason',
    amounts: 'credited',
    omitted: { [REPEATED]: 'member_id', [STAFF]: 'first_approved_by first_approved_at decided_by', [CONTROL]: 'first_mac' },
  }),
  ownTable('deposit-transfers-on-the-chain', 'invoice_transfer', {
    of: ownDeposits('deposit_id'),
    key: ['transfer_key'],
    columns: 'asset tx_hash block_time confirmations held held_at decided_at credited_at transfer_id',
    amounts: 'amount usd_amount',
    omitted: { [INTERNAL]: 'transfer_key deposit_id return_id', [CONTROL]: 'is_live' },
  }),
  ownTable('deposit-return-requests', 'return_request', {
    of: ownDeposits('deposit_id'),
    columns: 'deposit_id asset address requested_at closed_at',
  }),
  ownTable('deposit-returns', 'payment_return', {
    columns: 'public_id deposit asset address created_at settings_version',
    amounts: 'amount network_fee received',
  }),
  ownTable('deposit-payments', 'provider_payment', {
    of: ownDeposits('deposit_id'),
    key: ['payment_id'],
    columns: 'payment_id status pay_currency paid_text review_reason reviewed_at updated_at',
    amounts: 'actually_paid credited_amount',
    omitted: { [INTERNAL]: 'deposit_id' },
  }),
  ownTable('coin-purchases', 'coin_purchase', {
    columns: 'public_id created_at reversed_at posting_id settings_version',
    amounts: 'coin_amount coin_price total_price charged',
  }),
  ownTable('sell-requests', 'sell_request', {
    columns: 'public_id status created_at expires_at closed_at',
    amounts: 'amount lowest_price sold received',
  }),
  ownTable('exchanges', 'wallet_exchange', {
    columns: 'public_id created_at posting_id settings_version',
    amounts: 'amount',
  }),
  ownTable('stakes', 'stake', {
    columns: `
      public_id plan_name is_omega wallet duration_days status started_at matures_at matured_at reversed_at imported_at transfer_id
      programme_version
    `,
    amounts: 'amount apy daily_reward',
    omitted: { [INTERNAL]: 'plan_id' },
  }),
  ownTable('nfts', 'nft_purchase', {
    columns: `
      public_id kind name paid_from paid_asset duration_months status purchased_at reversed_at transfer_id programme_version
      imported_at imported_months
    `,
    amounts: 'price paid_amount coin_price total_percent monthly_reward',
    omitted: { [INTERNAL]: 'nft_id' },
  }),
  ownTable('movements-before-the-move', 'import_history', {
    columns: 'id happened_at title reference is_incoming asset',
    amounts: 'amount',
    omitted: { [INTERNAL]: 'batch_id' },
  }),
  ownTable('withdrawals-and-bridges', 'payout_request', {
    columns: `
      public_id kind status address network created_at confirm_by confirmed_at confirmed_how decided_at reason tx_hash
      returned_at return_reason transfer_id settings_version rule_version rule_outcome
    `,
    amounts: 'amount platform_fee network_fee received',
    omitted: {
      [INTERNAL]: 'hold_id',
      [STAFF]: 'first_approved_by first_approved_at decided_by rule_name ceiling_of ceiling_left ceiling_free_at',
      [CONTROL]: 'first_mac owner_mac',
      [SECRET]: 'step_up_digest',
      [OTHER]: 'receiver_id',
    },
  }),
  ownTable('payout-transactions', 'signed_transaction', {
    of: ownPayouts('request_id'),
    key: ['hash'],
    columns: 'hash purpose made_at sent_at block block_hash',
    omitted: { [INTERNAL]: 'request_id move_id', [CONTROL]: 'raw gas_price gas_used gas_paid' },
  }),
  ownTable('payout-mails', 'payout_notification', {
    of: ownPayouts('request', 'public_id'),
    columns: 'request step created_at',
  }),
  ownTable('daily-and-monthly-rewards', 'reward_accrual', {
    key: ['stream', 'due_at', 'source_id'],
    columns: 'stream source_id ordinal due_at programme_version run_id',
    amounts: 'amount',
  }),
  ownTable('level-rewards', 'reward_credit', {
    key: ['stream', 'run_id'],
    columns: 'stream run_id eligible n0 n1 n2 n3 n4 n5',
    amounts: 'daily b1 b2 b3 b4 b5 amount',
    omitted: { [OTHER]: 'sponsor_id' },
  }),
  ownTable('instant-rewards', 'reward_instant', {
    of: member('beneficiary_id'),
    key: ['kind', 'id'],
    columns: `
      kind cause_type level asset status rank created_at release_at settled_at transfer_id cancel_reason unearned_reason
      programme_version
    `,
    amounts: 'base percent amount reversed base_returned new_money',
    omitted: {
      [INTERNAL]: 'id',
      [REPEATED]: 'beneficiary_id',
      [OTHER]: 'source_member_id cause_id cause_public_id cause_amount',
      [CONTROL]: 'in_counters is_liability',
    },
  }),
  ownTable('reward-sources', 'reward_source', {
    columns: `
      id stream public_id label steps starts_at ends_at processed distributed_at reversed_at rank_settled_at programme_version
      is_imported
    `,
    amounts: 'principal percent amount bounty distributed rank_budget',
  }),
  ownTable('rank-bonuses', 'reward_rank_bonus', {
    key: ['rank'],
    columns: 'rank started_at completed_at programme_version',
    amounts: 'team_stake bonus filled',
  }),
]
