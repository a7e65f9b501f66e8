// Written by `npm run db:types` from the migrations. Do not edit.
import type { ColumnType, Generated } from 'kysely'

/** A JSON document: read as a value, written as text. */
export type Json = ColumnType<unknown, string, string>
/** A JSON document with a default. */
export type GivenJson = ColumnType<unknown, string | undefined, string>

export interface AuditEventTable {
  id: Generated<bigint>
  at: Date
  actor_id: bigint | null
  actor_role: string
  action: string
  subject_type: string | null
  subject_id: string | null
  reason: string | null
  outcome: string
  ip: string | null
  request_id: string | null
  detail: GivenJson
  previous_hash: string
  hash: string
}

export interface CalendarLinkTable {
  member_id: bigint
  token_digest: string
  created_at: Date
}

export interface DepositTable {
  id: Generated<bigint>
  public_id: string
  member_id: bigint
  way: string
  description: string
  amount: bigint
  credited: Generated<bigint>
  usd_amount: bigint
  status: Generated<string>
  created_at: Date
  decided_at: Date | null
  idempotency_key: string | null
  request_digest: string | null
  provider_asked_at: Date | null
  provider_invoice_id: string | null
  invoice_url: string | null
  next_check_at: Date | null
  address: string | null
  expires_at: Date | null
  watched_until: Date | null
  state: string | null
  state_reason: string | null
}

export interface IdempotencyTable {
  member_id: bigint
  operation: string
  key: string
  request_digest: string
  status: number
  answer: string
  created_at: Date
}

export interface InvoiceTransferTable {
  transfer_key: string
  deposit_id: bigint
  amount: bigint
  tx_hash: string
  block_time: Date
  confirmations: number
  is_live: Generated<boolean>
  credited_at: Date | null
}

export interface JobLeaseTable {
  name: string
  holder: string | null
  token: Generated<bigint>
  held_until: Date | null
  last_started_at: Date | null
  last_finished_at: Date | null
  last_error: string | null
}

export interface LedgerAccountTable {
  id: bigint
  owner_id: bigint | null
  balance: Generated<bigint>
  min_balance: Generated<bigint>
  version: Generated<bigint>
  slot: Generated<number>
  asset: string
  kind: string
}

export interface LedgerEntryTable {
  transfer_id: bigint
  posting_id: bigint
  account_id: bigint
  amount: bigint
  balance_after: bigint
  other_account_id: bigint
  asset: string
  kind: string
  cause_type: string
  cause_id: string
  rule_version: number
  pending: boolean
  created_at: Date
}

export interface LedgerTransferTable {
  id: Generated<bigint>
  posting_id: bigint
  debit_account: bigint
  credit_account: bigint
  amount: bigint
  debit_balance_after: bigint
  credit_balance_after: bigint
  created_at: Date
  resolves: bigint | null
  rule_version: number | null
  pending: Generated<boolean>
  asset: string
  kind: string
  cause_type: string
  cause_id: string
  key: string | null
}

export interface MailCodeTable {
  id: Generated<bigint>
  member_id: bigint
  cause: string
  code_hash: string
  attempts: Generated<number>
  created_at: Date
  expires_at: Date
  used_at: Date | null
}

export interface MailLinkTable {
  id: Generated<bigint>
  member_id: bigint
  purpose: string
  token_digest: string
  created_at: Date
  expires_at: Date
  used_at: Date | null
}

export interface MailOutboxTable {
  id: Generated<bigint>
  public_id: string
  recipient: string
  template: string
  replace_key: string | null
  sealed: Buffer | null
  status: Generated<string>
  attempts: Generated<number>
  next_attempt_at: Date
  not_after: Date
  last_error: string | null
  created_at: Date
  sent_at: Date | null
}

export interface MemberTable {
  id: Generated<bigint>
  public_id: string
  name: string
  email: string
  phone: string
  password_hash: string
  is_verified: Generated<boolean>
  is_active: Generated<boolean>
  role: Generated<string>
  is_special_rcm: Generated<boolean>
  rank: string | null
  referral_code: string
  sponsor_id: bigint | null
  profile_image: string | null
  second_factor: Generated<boolean>
  password_reset_at: Date | null
  created_at: Date
  updated_at: Date
}

export interface MemberReferralsTable {
  member_id: bigint
  direct_count: number
}

export interface NftTable {
  id: Generated<bigint>
  public_id: string
  kind: string
  name: string
  title: Generated<string>
  price: bigint
  duration_months: number
  total_percent: bigint
  status: string
  created_at: Date
}

export interface NftPurchaseTable {
  id: Generated<bigint>
  public_id: string
  member_id: bigint
  nft_id: bigint
  kind: string
  name: string
  price: bigint
  paid_by: string
  paid_asset: string
  paid_amount: bigint
  coin_price: bigint | null
  duration_months: number
  total_percent: bigint
  monthly_reward: bigint
  months_paid: Generated<number>
  total_paid: Generated<bigint>
  last_distribution_date: Date | null
  status: Generated<string>
  programme_version: number
  purchased_at: Date
}

export interface NftSupplyTable {
  kind: string
  cap: number
  sold: Generated<number>
}

export interface PaymentNoticeTable {
  id: Generated<bigint>
  received_at: Date
  payment_id: string
  order_id: string
  body: string
}

export interface ProviderPaymentTable {
  payment_id: string
  deposit_id: bigint
  status: string
  pay_currency: string
  actually_paid: bigint
  credited_amount: bigint | null
  credited_at: Date | null
  review_reason: string | null
  updated_at: Date
}

export interface RateLimitTable {
  key: string
  window_start: Date
  hits: number
}

export interface RefreshTokenTable {
  id: Generated<bigint>
  session_id: bigint
  token_digest: string
  created_at: Date
  used_at: Date | null
}

export interface ResetRequestTable {
  id: Generated<bigint>
  email: string
  ip: string
  request_id: string
  created_at: Date
  handled_at: Date | null
}

export interface SandboxTransferTable {
  id: Generated<bigint>
  address: string
  amount: bigint
  tx_hash: string
  block_time: Date
  mined_at: Date
}

export interface SecondFactorTable {
  member_id: bigint
  sealed_secret: Buffer
  created_at: Date
  confirmed_at: Date | null
  last_step: Generated<bigint>
}

export interface SessionTable {
  id: Generated<bigint>
  public_id: string
  member_id: bigint
  created_at: Date
  last_seen_at: Date
  idle_seconds: number
  expires_at: Date
  ip: string
  user_agent: string
  device: string
  ended_at: Date | null
  end_reason: string | null
}

export interface SignInFailureTable {
  account_digest: string
  failures: number
  window_start: Date
  blocked_until: Date | null
}

export interface StakeTable {
  id: Generated<bigint>
  public_id: string
  member_id: bigint
  plan_id: bigint
  plan_name: string
  is_omega: boolean
  wallet: string
  amount: bigint
  apy: bigint
  duration_days: number
  daily_reward: bigint
  programme_version: number
  started_at: Date
  matures_at: Generated<Date | null>
  status: Generated<string>
  paid_days: Generated<number>
  matured_at: Date | null
}

export interface StakePlanTable {
  id: Generated<bigint>
  public_id: string
  name: string
  duration_days: number
  minimum: bigint
  apy: bigint
  is_omega: Generated<boolean>
  status: string
  created_at: Date
}

/** All tables and views. */
export interface DB {
  audit_event: AuditEventTable
  calendar_link: CalendarLinkTable
  deposit: DepositTable
  idempotency: IdempotencyTable
  invoice_transfer: InvoiceTransferTable
  job_lease: JobLeaseTable
  ledger_account: LedgerAccountTable
  ledger_entry: LedgerEntryTable
  ledger_transfer: LedgerTransferTable
  mail_code: MailCodeTable
  mail_link: MailLinkTable
  mail_outbox: MailOutboxTable
  member: MemberTable
  member_referrals: MemberReferralsTable
  nft: NftTable
  nft_purchase: NftPurchaseTable
  nft_supply: NftSupplyTable
  payment_notice: PaymentNoticeTable
  provider_payment: ProviderPaymentTable
  rate_limit: RateLimitTable
  refresh_token: RefreshTokenTable
  reset_request: ResetRequestTable
  sandbox_transfer: SandboxTransferTable
  second_factor: SecondFactorTable
  session: SessionTable
  sign_in_failure: SignInFailureTable
  stake: StakeTable
  stake_plan: StakePlanTable
}
