// Made by `npm run db:make`. Do not edit.
import type { ColumnType, Generated } from 'kysely'

/** A JSON document: read as a value, written as text. */
export type Json = ColumnType<unknown, string, string>
/** A JSON document with a default. */
export type GivenJson = ColumnType<unknown, string | undefined, string>

export interface AccessJournalTable {
  id: Generated<bigint>
  line: bigint | null
  mark: Generated<string>
  at: Generated<Date>
  kind: string
  subject: string
  value: string
}

export interface AccountRecoveryTable {
  member_id: bigint
  second_factor: boolean
  email_change_id: bigint | null
  address_proved_at: Date | null
  completes_at: Date
  remind_at: Date | null
}

export interface AccountingExportTable {
  month: string
  format: string
  chart_digest: string
  file_digest: string
  exported_at: Date
}

export interface AnnouncementTable {
  id: Generated<bigint>
  title: string
  message: string
  is_active: boolean
  created_at: Date
  created_by: bigint | null
  starts_at: Date
}

export interface ApiKeyTable {
  id: Generated<bigint>
  public_id: string
  member_id: bigint
  kind: string
  token_digest: string | null
  name: string
  rights: string[]
  networks: string[]
  created_at: Date
  expires_at: Date
  last_used_at: Date | null
  last_used_ip: string | null
  ended_at: Date | null
  end_reason: string | null
}

export interface AuditAnchorTable {
  day: string
  event_id: bigint
  hash: string
  at: Date
  saved_at: Date | null
}

export interface AuditCheckTable {
  one: Generated<boolean>
  checked_at: Date
  took_ms: bigint
  rows: bigint
  last_row: bigint
  bad_row: bigint | null
  bad_what: string | null
  anchor_row: bigint | null
  anchor_hash: string | null
  anchor_at: Date | null
}

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
  ip_salt: Buffer | null
  reason_salt: Buffer | null
  detail_salt: Buffer | null
}

export interface BackgroundJobTable {
  id: Generated<bigint>
  public_id: string
  kind: string
  owner_id: bigint
  input: Json
  input_mac: Buffer
  state: Generated<string>
  checkpoint: Json | null
  done: Generated<bigint>
  total: Generated<bigint>
  attempts: Generated<number>
  result: Json | null
  error: string | null
  file_name: string | null
  file_type: string | null
  parts: Generated<number>
  bytes: Generated<bigint>
  created_at: Date
  started_at: Date | null
  finished_at: Date | null
}

export interface BackgroundJobPartTable {
  job_id: bigint
  number: number
  content: Buffer
}

export interface BrandTable {
  version: Generated<number>
  starts_at: Date
  name: string
  sender_name: string | null
  accent: string | null
  logo: string | null
  logo_dark: string | null
  terms: string | null
  privacy: string | null
  imprint: string | null
  support: string | null
  created_at: Date
  created_by: bigint | null
}

export interface BrandLogoTable {
  hash: string
  mark: Buffer
  icon: Buffer
  uploaded_at: Date
  uploaded_by: bigint
}

export interface BusinessDayTable {
  day: string
  registered: bigint
  verified: bigint
  deposited: bigint
  bought: bigint
  staked: bigint
  usd_deposited: bigint
  coin_deposited: bigint
  coin_sold: bigint
  usd_for_coin: bigint
  coin_bought_back: bigint
  usd_for_bought_back: bigint
  nfts_sold: bigint
  usd_for_nfts: bigint
  usd_fees: bigint
  coin_fees: bigint
  stakes_started: bigint
  stakes_ended: bigint
  coin_staked: bigint
  coin_unstaked: bigint
  withdrawals_requested: bigint
  withdrawals_paid: bigint
  withdrawals_rejected: bigint
  withdrawals_returned: bigint
  usd_requested: bigint
  usd_paid: bigint
  coin_bridged: bigint
  usd_proceeds: bigint
  total_registered: bigint
  total_verified: bigint
  total_deposited: bigint
  total_bought: bigint
  total_staked: bigint
  stakes_active: bigint
  coin_in_stakes: bigint
}

export interface BusinessFirstStepTable {
  member_id: bigint
  step: string
  day: string
}

export interface BusinessTeamDayTable {
  day: string
  level: number
  leader_id: bigint
  verified: bigint
  usd_taken: bigint
  coin_staked: bigint
}

export interface CalendarLinkTable {
  member_id: bigint
  token_digest: string
  created_at: Date
}

export interface ChainAddressTable {
  address: string
  key_index: bigint
  invoice_id: string | null
}

export interface ChainAddressGenerationTable {
  generation: number
  first_key_index: bigint
  database: string
}

export interface ChainAddressRecoveryTable {
  id: Generated<bigint>
  database: string
  begun_at: Date
  next_generation: number
  last_generation: number
  ended_at: Date | null
}

export interface ChainBlockTable {
  chain_id: bigint
  number: bigint
  hash: string
  block_time: Date
}

export interface ChainCheckTable {
  chain_id: bigint
  after_key_index: bigint
  checked_at: Date
  after_transfer: Generated<bigint>
}

export interface ChainCheckpointTable {
  id: Generated<bigint>
  chain_id: bigint
  part: string
  until: Date
  until_block: bigint
  sums: Json
  mac: Buffer
}

export interface ChainCursorTable {
  chain_id: bigint
  block: bigint
  block_hash: string
  block_time: Date
  final_block: bigint
  seen_at: Date
  head_at: Date | null
  second_head_at: Date | null
  tokens_scanned_to: bigint | null
  rejected_tokens: GivenJson
}

export interface ChainDifferenceTable {
  kind: string
  subject: string
  expected: string
  found: string
  first_seen_at: Date
  last_seen_at: Date
}

export interface ChainIncidentTable {
  id: Generated<bigint>
  kind: string
  noted_at: Date
  from_block: bigint
  transfers: Json
  answered_at: Date | null
}

export interface ChainMoveTable {
  id: Generated<bigint>
  chain_id: bigint
  kind: string
  wallet: string
  nonce: bigint
  address: string
  to_address: string
  token: string | null
  amount: string
  state: string
  made_at: Date
  ended_at: Date | null
  check_at: Date | null
}

export interface ChainReserveTable {
  chain_id: bigint
  wallet: string
  token: string
  balance: string
  paid: string
  seen_at: Date
  ceiling: string | null
  above_since: Date | null
}

export interface ChainSweepProblemTable {
  chain_id: bigint
  address: string
  token: string
  problem: string
  since: Date
  tried_at: Date
}

export interface ChainTransferTable {
  id: Generated<bigint>
  chain_id: bigint
  tx_hash: string
  address: string
  ordinal: number
  token: string
  exact_amount: string
  amount: bigint
  block: bigint
  block_time: Date
  state: string
  balance_fits: Generated<boolean>
  final_mac: Buffer | null
  swept_by: bigint | null
}

export interface ChainUnknownTokenTable {
  chain_id: bigint
  address: string
  token: string
  transfers: bigint
  tx_hash: string
  seen_at: Date
}

export interface ClockOffsetTable {
  id: Generated<boolean>
  seconds: Generated<number>
  moved_to: Date | null
}

export interface CoinPurchaseTable {
  id: Generated<bigint>
  public_id: string
  member_id: bigint
  coin_amount: bigint
  coin_price: bigint
  total_price: bigint
  charged: bigint
  settings_version: number
  posting_id: bigint
  created_at: Date
  reversed_at: Date | null
}

export interface ColdMoveTable {
  id: Generated<bigint>
  public_id: string
  asset: string
  amount: bigint
  address: string
  created_at: Date
}

export interface CommandLastRunTable {
  name: string
  finished_at: Date
  succeeded: boolean
  detail: string
}

export interface DailyTotalTable {
  day: string
  system: string
  asset: string
  balance: bigint
  came_in: bigint
  went_out: bigint
}

export interface DepositTable {
  id: Generated<bigint>
  public_id: string
  member_id: bigint
  method: string
  asset: Generated<string>
  description: string
  amount: bigint
  credited: Generated<bigint>
  usd_amount: bigint
  reversed_usd: Generated<bigint>
  status: Generated<string>
  created_at: Date
  decided_at: Date | null
  next_check_at: Date | null
  idempotency_key: string | null
  provider_asked_at: Date | null
  provider_invoice_id: string | null
  invoice_url: string | null
  address: string | null
  expires_at: Date | null
  watched_until: Date | null
  state: string | null
  state_reason: string | null
  problem: string | null
  first_approved_by: bigint | null
  first_approved_at: Date | null
  first_mac: Buffer | null
  by_hand: Generated<boolean>
}

export interface DepositDecisionTable {
  id: Generated<bigint>
  deposit_id: bigint
  member_id: bigint
  first_approved_by: bigint | null
  first_approved_at: Date | null
  first_mac: Buffer | null
  decided_by: bigint
  decided_at: Date
  outcome: string
  credited: bigint
  reason: string
}

export interface EmailChangeTable {
  id: Generated<bigint>
  member_id: bigint
  email: string
  previous_email: string
  confirm_digest: string | null
  stop_digest: string
  created_at: Date
  expires_at: Date
  stoppable_until: Date
  confirmed_at: Date | null
  stopped_at: Date | null
}

export interface EventTable {
  id: Generated<bigint>
  event_id: string
  kind: string
  subject: string
  member_id: bigint | null
  at: Date
}

export interface EventOutboxTable {
  seed: Generated<string>
  at: Generated<Date>
  kind: string
  objects: string
}

export interface HotWalletTable {
  chain_id: bigint
  address: string
  next_nonce: bigint
  opened_at: Date | null
}

export interface HotWalletEmptyTable {
  hash: string
  chain_id: bigint
  wallet: string
  nonce: bigint
  raw: string
  gas_paid: string
  ended_at: Date
}

export interface IdempotencyTable {
  member_id: bigint
  operation: string
  key: string
  request_digest: string
  status: number
  answer: string
  created_at: Date
  headers: Json | null
}

export interface ImportBalanceTable {
  id: Generated<bigint>
  batch_id: bigint
  member_id: bigint
  wallet: string
  amount: bigint
}

export interface ImportBatchTable {
  id: Generated<bigint>
  hash: string
  status: string
  members: number
  referrals: number
  usd: bigint
  coin: bigint
  promised_coin: Generated<bigint>
  promised_usd: Generated<bigint>
  balances: Generated<number>
  totals: Generated<string>
  staged_at: Date
  approved_at: Date | null
  ended_at: Date | null
  refusal: string | null
  mac: Buffer | null
  attempts: Generated<number>
  progress_from: bigint | null
  written: string | null
  raised_coin: bigint | null
  raised_usd: bigint | null
  mails_per_hour: number | null
  mails_waiting: Generated<number>
  mails_sent: Generated<number>
  mailed_at: Date | null
  without_address: Generated<string[]>
  report: string | null
}

export interface ImportHistoryTable {
  id: Generated<bigint>
  batch_id: bigint
  member_id: bigint
  happened_at: Date
  title: string
  reference: string
  is_incoming: boolean
  asset: string
  amount: bigint
}

export interface ImportMailTable {
  batch_id: bigint
  member_id: bigint
  needs_password: boolean
}

export interface ImportMemberTable {
  member_id: bigint
  batch_id: bigint
  sponsor_id: bigint | null
  public_id: string
  email: string
  name: string
  phone: string
  referral_code: string
  joined_at: Date
  is_verified: boolean
  is_active: boolean
  password_hash: string | null
  rank: string | null
  is_special: Generated<boolean>
}

export interface ImportNftTable {
  id: Generated<bigint>
  batch_id: bigint
  member_id: bigint
  nft_id: bigint
  price: bigint
  percent: bigint
  months: number
  bought_at: Date
  paid_months: number
}

export interface ImportStakeTable {
  id: Generated<bigint>
  batch_id: bigint
  member_id: bigint
  plan_id: bigint
  wallet: string
  amount: bigint
  apy: bigint
  duration_days: number
  started_at: Date
  paid_days: number
}

export interface InvoiceTransferTable {
  transfer_key: string
  deposit_id: bigint
  asset: string
  amount: bigint
  tx_hash: string
  block_time: Date
  confirmations: number
  is_live: Generated<boolean>
  held: string | null
  held_at: Date | null
  decided_at: Date | null
  credited_at: Date | null
  usd_amount: bigint | null
  transfer_id: bigint | null
  return_id: bigint | null
}

export interface JobLeaseTable {
  name: string
  holder: string | null
  fencing_token: Generated<bigint>
  held_until: Date | null
  last_started_at: Date | null
  last_finished_at: Date | null
  last_error: string | null
  failing_since: Date | null
  failures: Generated<number>
}

export interface KnownDeviceTable {
  id: Generated<bigint>
  member_id: bigint
  token_digest: string
  created_at: Date
  last_seen_at: Date
  trusted_from: Date
  returned: Generated<boolean>
}

export interface LedgerAccountTable {
  id: bigint
  owner_id: bigint | null
  balance: Generated<bigint>
  min_balance: Generated<bigint>
  version: Generated<bigint>
  shard: Generated<number>
  asset: string
  kind: string
  new_money: Generated<bigint>
}

export interface LedgerCloseTable {
  month: string
  after_id: bigint
  last_id: bigint
  transfers: bigint
  transfers_hash: string
  balances_hash: string
  previous: string
  close_hash: string
  closed_at: Date
}

export interface LedgerClosedBalanceTable {
  account: bigint
  balance: bigint
  version: bigint
  new_money: bigint
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

export interface LedgerNewMoneyDebtTable {
  account: bigint
  owed: bigint
}

export interface LedgerNewMoneyReturnTable {
  transfer_id: bigint
  amount: bigint
}

export interface LedgerReversalTable {
  reverses: bigint
  reversed_by: bigint
  proposal_id: string
  created_at: Date
  loss: Generated<bigint>
}

export interface LedgerStopTable {
  id: Generated<bigint>
  since: Date
  why: string
  lifted_at: Date | null
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
  new_money: bigint | null
}

export interface LinkedAccountTable {
  id: Generated<bigint>
  member_id: bigint
  upline_id: bigint
  level: number
  same_address: boolean
  same_device: boolean
  same_payout_address: boolean
  first_seen_at: Date
  last_seen_at: Date
  times: Generated<number>
  verdict: string | null
  reviewed_by: bigint | null
  reviewed_at: Date | null
  review_reason: string | null
}

export interface LinkedAccountProgressTable {
  one: Generated<boolean>
  session_id: Generated<bigint>
  payout_id: Generated<bigint>
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
  bulk: Generated<boolean>
  encrypted: Buffer | null
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
  rank_by_staff: Generated<boolean>
  referral_code: string
  sponsor_id: bigint | null
  profile_image: string | null
  second_factor: Generated<boolean>
  password_reset_at: Date | null
  password_changed_at: Date | null
  created_at: Date
  updated_at: Date
  password_proved: Generated<boolean>
  payouts_frozen_until: Date | null
  payouts_frozen_for: string | null
  payouts_stopped_at: Date | null
  suspended_until: Date | null
  suspended_colleague_at: Date | null
  verified_at: Date | null
  closes_at: Date | null
  closed_at: Date | null
  erases_at: Date | null
  erased_at: Date | null
  language: string | null
}

export interface MemberListCounterTable {
  member_id: bigint
  list: string
  bucket: string
  rows: number
  amount: string
}

export interface MemberReferralsTable {
  member_id: bigint
  direct_count: number
}

export interface MemberViewTable {
  id: Generated<bigint>
  member_id: bigint
  session_id: bigint
  created_at: Date
  expires_at: Date
}

export interface NetworkCostTable {
  hash: string
  source: string
  wei: string
  price: bigint
  usd: bigint
  ended_at: Date
  booked_at: Date
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
  starts_at: Date | null
}

export interface NftNextTable {
  nft_id: bigint
  starts_at: Date
  kind: string
  name: string
  title: string
  price: bigint
  duration_months: number
  total_percent: bigint
  status: string
}

export interface NftPurchaseTable {
  id: Generated<bigint>
  public_id: string
  member_id: bigint
  nft_id: bigint
  kind: string
  name: string
  price: bigint
  paid_from: string
  paid_asset: string
  paid_amount: bigint
  coin_price: bigint | null
  duration_months: number
  total_percent: bigint
  monthly_reward: bigint
  status: Generated<string>
  programme_version: number
  purchased_at: Date
  transfer_id: bigint | null
  reversed_at: Date | null
  imported_at: Date | null
  imported_months: Generated<number>
}

export interface NftSupplyTable {
  kind: string
  cap: number
  sold: Generated<number>
}

export interface NoticeTable {
  id: Generated<bigint>
  member_id: bigint
  event: string
  cause: string
  amount: bigint | null
  asset: string | null
  facts: Json
  message_mac: Buffer | null
  created_at: Date
  in_inbox: boolean
  read_at: Date | null
  awaits_mail: boolean
  mailed_at: Date | null
}

export interface NotificationChoiceTable {
  member_id: bigint
  event: string
  via: string
  since: Date
}

export interface NotificationEventTable {
  member_id: bigint
  event: string
  cause: string
  amount: bigint | null
  asset: string | null
  facts: Json
  message_mac: Buffer | null
  created_at: Date
}

export interface PasskeyTable {
  id: Generated<bigint>
  public_id: string
  member_id: bigint
  credential_id: string
  public_key: string
  counter: bigint
  transports: Generated<string[]>
  may_sync: boolean
  synced: boolean
  name: string
  created_at: Date
  last_used_at: Date | null
}

export interface PasskeyChallengeTable {
  public_id: string
  member_id: bigint
  session_id: bigint | null
  purpose: string
  challenge: string
  expires_at: Date
}

export interface PayeeNameTable {
  member_id: bigint
  receiver_id: bigint
  name: string
  created_at: Date
}

export interface PaymentCreditTable {
  payment_id: string
  part: number
  amount: bigint
  credited_at: Date
  transfer_id: bigint
}

export interface PaymentNoticeTable {
  id: Generated<bigint>
  received_at: Date
  payment_id: string
  order_id: string
  body: string
}

export interface PaymentReturnTable {
  id: Generated<bigint>
  public_id: string
  member_id: bigint
  deposit: string
  asset: string
  amount: bigint
  network_fee: bigint
  received: bigint
  settings_version: number
  address: string
  created_at: Date
}

export interface PayoutAddressTable {
  id: Generated<bigint>
  public_id: string
  member_id: bigint
  network: number
  address: string
  address_key: string
  label: string
  created_at: Date
  confirmed_at: Date | null
  usable_from: Date | null
  removed_at: Date | null
  challenge: string | null
  challenge_at: Date | null
  proven_at: Date | null
  proven_by: string | null
  entry_mac: Buffer | null
}

export interface PayoutNotificationTable {
  id: Generated<bigint>
  request: string
  step: string
  created_at: Date
}

export interface PayoutRequestTable {
  id: Generated<bigint>
  public_id: string
  kind: string
  member_id: bigint
  amount: bigint
  platform_fee: bigint
  network_fee: bigint
  received: bigint
  address: string
  network: number
  status: Generated<string>
  hold_id: bigint
  settings_version: number
  created_at: Date
  first_approved_by: bigint | null
  first_approved_at: Date | null
  first_mac: Buffer | null
  decided_by: bigint | null
  decided_at: Date | null
  reason: string | null
  tx_hash: string | null
  confirm_by: Date
  confirmed_at: Date | null
  confirmed_how: string | null
  step_up_digest: string | null
  owner_mac: Buffer
  return_reason: string | null
  returned_at: Date | null
  receiver_id: bigint | null
  transfer_id: bigint | null
  rule_version: number | null
  rule_name: string | null
  rule_outcome: string | null
  ceiling_of: string | null
  ceiling_left: bigint | null
  ceiling_free_at: Date | null
}

export interface PayoutRuleUseTable {
  day: Date
  scope: string
  subject: string
  number: number
  amount: bigint
}

export interface PayoutRulesTable {
  version: Generated<number>
  starts_at: Date
  rules: string
  created_at: Date
  created_by: bigint | null
  reason: string
  rules_mac: Buffer
}

export interface PayoutSendingTable {
  request_id: bigint
  kind: Generated<string>
  payout_id: Generated<bigint | null>
  cold_move_id: Generated<bigint | null>
  payment_return_id: Generated<bigint | null>
  proceeds_id: Generated<bigint | null>
  chain_id: bigint
  token: string
  to_address: string
  exact_amount: string
  approval_mac: Buffer
  queued_at: Date
  state: Generated<string>
  wallet: string | null
  nonce: bigint | null
  nonce_taken_by: string | null
  signed_at: Date | null
  problem: string | null
  cancel_asked_at: Date | null
  answer: string | null
  ended_at: Date | null
}

export interface ProceedsPayoutTable {
  id: Generated<bigint>
  public_id: string
  amount: bigint
  address: string
  created_at: Date
}

export interface ProgrammeSimulationTable {
  id: string
  asked_by: bigint
  rules: string
  first_day: string
  last_day: string
  input_hash: string
  hash: string
  made_at: Date
  number: Generated<bigint>
}

export interface ProviderPaymentTable {
  payment_id: string
  deposit_id: bigint
  status: string
  pay_currency: string
  actually_paid: bigint
  paid_text: string
  credited_amount: Generated<bigint>
  review_reason: string | null
  updated_at: Date
  reviewed_at: Date | null
}

export interface ProviderScanTable {
  one: Generated<boolean>
  scanned_at: Date
  listed_to: Date
  month_at: Date
  unknown: string[]
  missing: string[]
}

export interface RateLimitTable {
  key: string
  window_start: Date
  hits: number
}

export interface RecoveryCodeTable {
  id: Generated<bigint>
  public_id: string
  member_id: bigint
  salt: Buffer
  code_digest: string
  created_at: Date
}

export interface RefreshTokenTable {
  id: Generated<bigint>
  session_id: bigint
  token_digest: string
  created_at: Date
  used_at: Date | null
}

export interface RegistrationAttemptTable {
  id: Generated<bigint>
  email: string
  name: string
  phone: string
  password_hash: string
  sponsor_id: bigint | null
  token_digest: string
  created_at: Date
  expires_at: Date
  language: string | null
}

export interface ResetRequestTable {
  id: Generated<bigint>
  email: string
  ip: string
  request_id: string
  created_at: Date
  handled_at: Date | null
}

export interface ReturnRequestTable {
  id: Generated<bigint>
  deposit_id: bigint
  asset: string
  address: string
  requested_at: Date
  closed_at: Date | null
}

export interface RewardAccrualTable {
  run_id: bigint
  stream: number
  source_id: bigint
  member_id: bigint
  ordinal: number
  programme_version: number
  amount: bigint
  due_at: Date
}

export interface RewardCounterTable {
  member_id: bigint
  kind: string
  status: string
  rows: bigint
  amount: bigint
}

export interface RewardCoverageVersionTable {
  asset: string
  version: Generated<bigint>
}

export interface RewardCreditTable {
  run_id: bigint
  stream: number
  member_id: bigint
  sponsor_id: bigint
  eligible: boolean
  n0: number
  n1: number
  n2: number
  n3: number
  n4: number
  n5: number
  daily: bigint
  b1: bigint
  b2: bigint
  b3: bigint
  b4: bigint
  b5: bigint
  amount: bigint
}

export interface RewardDayTable {
  day: string
  status: string
  runs: Generated<number>
  accruals: Generated<bigint>
  total_coin: Generated<bigint>
  total_usd: Generated<bigint>
  hash: string | null
  opened_at: Date
  closed_at: Date | null
}

export interface RewardEarnedProgressTable {
  one: Generated<boolean>
  run_id: Generated<bigint>
  stream: Generated<number>
  sponsor_id: Generated<bigint>
  member_id: Generated<bigint>
}

export interface RewardHaltTable {
  id: Generated<bigint>
  behind_since: string
  automatic_through: string
  noticed_at: Date
  ended_at: Date | null
}

export interface RewardInstantTable {
  id: Generated<bigint>
  kind: string
  beneficiary_id: bigint
  source_member_id: bigint | null
  cause_type: string
  cause_id: bigint
  level: number
  base: bigint
  percent: bigint | null
  amount: bigint
  reversed: Generated<bigint>
  asset: string
  programme_version: number
  rank: string | null
  status: string
  created_at: Date
  release_at: Date
  settled_at: Date | null
  transfer_id: bigint | null
  in_counters: Generated<boolean>
  base_returned: Generated<bigint>
  is_liability: Generated<boolean>
  cancel_reason: string | null
  cause_public_id: string | null
  cause_amount: bigint | null
  new_money: bigint | null
  unearned_reason: string | null
}

export interface RewardLiabilityTable {
  day: string
  kind: string
  amount: bigint
}

export interface RewardLiabilityPendingTable {
  id: Generated<bigint>
  kind: string
  step: string
  starts_at: Date
  steps: number
  amount: bigint
  run_id: bigint | null
}

export interface RewardMonthTable {
  member_id: bigint
  month: string
  kind: string
  amount: bigint
}

export interface RewardPartitionTable {
  run_id: bigint
  part: string
  number: number
  low: bigint
  high: bigint
  done: Generated<boolean>
  accruals: Generated<bigint>
  first_due: Date | null
  last_due: Date | null
}

export interface RewardPaymentTable {
  run_id: bigint
  stream: number
  credits: bigint
  total: bigint
  paid_credits: Generated<bigint>
  paid: Generated<bigint>
  taken: Generated<bigint>
  fell_short: Generated<bigint>
  cursor_sponsor: Generated<bigint>
  cursor_member: Generated<bigint>
}

export interface RewardPaymentClaimTable {
  run_id: bigint
  stream: number
  shard: number
  after_sponsor: bigint
  after_member: bigint
  last_sponsor: bigint
  last_member: bigint
  members: number
  total: bigint
}

export interface RewardPolicyTable {
  id: Generated<bigint>
  committed_coin: bigint
  committed_usd: bigint
  reason: string
  created_by: bigint | null
  created_at: Date
}

export interface RewardProgrammeTable {
  version: number
  starts_at: Date
  referral_percent: bigint
  level_percents: bigint[]
  bounty_percents: bigint[]
  stake_log_level_percents: bigint[]
  stake_log_bounty_percents: bigint[]
  nft_level_percents: bigint[]
  nft_bounty_percents: bigint[]
  ranks: Json
  reason: string
  created_by: bigint | null
  created_at: Date
  full_level_share_days: Generated<number>
}

export interface RewardProgressTable {
  public_id: string
  processed: number
  steps: number
  distributed: bigint
  distributed_at: Date
}

export interface RewardRankBonusTable {
  member_id: bigint
  rank: string
  programme_version: number
  team_stake: bigint
  bonus: bigint
  filled: bigint
  started_at: Date
  completed_at: Date | null
}

export interface RewardRankShareTable {
  source_id: bigint
  member_id: bigint
  rank: string
  amount: bigint
  at: Date
}

export interface RewardRunTable {
  id: Generated<bigint>
  day: string
  through: Date
  status: string
  accruals: Generated<bigint>
  first_due: Date | null
  last_due: Date | null
  hash: string | null
  by_hand: boolean
  started_by: string | null
  started_at: Date
  finished_at: Date | null
  is_small: Generated<boolean>
  written_through: Date | null
  seen_source: bigint | null
  newest_source: bigint | null
}

export interface RewardSentCoinTable {
  payout_id: bigint
  reward_id: bigint
  coin: bigint
}

export interface RewardSimulationTable {
  simulation: string
  member_id: bigint
  kind: string
  before: bigint
  after: bigint
  begun_at: Date
}

export interface RewardSourceTable {
  id: Generated<bigint>
  stream: number
  public_id: string
  label: string
  member_id: bigint
  principal: bigint
  percent: bigint
  amount: bigint
  bounty: bigint
  steps: number
  starts_at: Date
  ends_at: Generated<Date>
  programme_version: number
  processed: Generated<number>
  distributed: Generated<bigint>
  distributed_at: Date | null
  reversed_at: Date | null
  rank_budget: Generated<bigint>
  rank_settled_at: Date | null
  is_imported: Generated<boolean>
}

export interface RewardWatermarkTable {
  one: Generated<boolean>
  written_through: Date | null
  seen_source: Generated<bigint>
  ranked_version: Generated<number>
}

export interface RewardWeekTable {
  member_id: bigint
  starts_on: string
  kind: string
  amount: bigint
}

export interface SavedReplyTable {
  id: Generated<bigint>
  public_id: string
  name: string
  text: string
  tags: Generated<string[]>
  uses: Generated<number>
  written_by: bigint
  updated_at: Date
  dropped_at: Date | null
}

export interface SavedSegmentTable {
  id: Generated<bigint>
  public_id: string
  name: string
  criteria: Json
  saved_by: bigint
  saved_at: Date
}

export interface ScreeningEntryTable {
  list_id: bigint
  source: string
  reference: string
  name: string
  listed_on: string | null
}

export interface ScreeningHitTable {
  id: Generated<bigint>
  public_id: string
  member_id: bigint
  kind: string
  key: string
  source: string
  reference: string
  listed_name: string
  listed_on: string | null
  cause: string
  found_at: Date
  verdict: string | null
  decided_at: Date | null
}

export interface ScreeningKeyTable {
  list_id: bigint
  kind: string
  key: string
  source: string
  reference: string
}

export interface ScreeningListTable {
  id: Generated<bigint>
  hash: string
  status: string
  entries: number
  staged_at: Date
  activated_at: Date | null
  address_cursor: Generated<string>
  member_cursor: Generated<bigint>
}

export interface ScreeningTaskTable {
  id: Generated<bigint>
  member_id: bigint
  cause: string
  address: string | null
}

export interface SecondFactorTable {
  member_id: bigint
  encrypted_secret: Buffer
  created_at: Date
  confirmed_at: Date | null
  last_step: Generated<bigint>
}

export interface SellRequestTable {
  id: Generated<bigint>
  public_id: string
  member_id: bigint
  amount: bigint
  lowest_price: bigint
  sold: Generated<bigint>
  received: Generated<bigint>
  status: Generated<string>
  created_at: Date
  expires_at: Date
  closed_at: Date | null
}

export interface SellRequestSaleTable {
  transfer_id: bigint
  request_id: bigint
}

export interface SentOrderTable {
  id: bigint
  public_id: string
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
  device_id: bigint | null
  ended_at: Date | null
  end_reason: string | null
  second_factor_at: Date | null
  address_proved: Generated<boolean>
  awaits_code: Generated<boolean>
  time_zone: string | null
  network: string | null
}

export interface SettingTable {
  version: Generated<number>
  starts_at: Date
  coin_price: bigint
  min_coin: bigint
  max_coin: bigint
  convert_rate: bigint
  buy_price: bigint
  sell_price: bigint
  buy_rate: bigint
  exchange_limit: bigint
  exchange_cooldown_hours: number
  platform_fee_percent: bigint
  network_fee_percent: bigint
  bridge_fee_percent: bigint
  bridge_minimum: bigint
  buy_token_credit_wallet: string
  reward_hold_days: number
  four_eyes_above_usd: bigint
  four_eyes_above_coin: bigint
  allowed_email_domains: string[] | null
  created_at: Date
  created_by: bigint | null
  reason: string
  open_invoices: Generated<number>
  payout_confirm_hours: Generated<number>
  address_delay_hours: Generated<number>
  payout_hold_hours: Generated<number>
  proven_delay_hours: Generated<number>
  payout_target_hours: Generated<number>
  deposit_target_hours: Generated<number>
  change_target_hours: Generated<number>
  answer_target_hours: Generated<number>
  payout_day_count: Generated<number>
  unconfirmed_transfer_day_usd: Generated<bigint>
  payout_day_usd: Generated<bigint>
  payout_day_coin: Generated<bigint>
  proof_above_usd: Generated<bigint>
  proof_above_coin: Generated<bigint>
  payout_day_total_usd: Generated<bigint>
  payout_day_total_coin: Generated<bigint>
  bound_warning_percent: Generated<bigint>
  reversal_days: Generated<number>
  personal_pages_per_hour: Generated<number>
  reveals_per_hour: Generated<number>
}

export interface SetupEndTable {
  one: Generated<boolean>
  at: Date
}

export interface SignInFailureTable {
  budget_digest: string
  account_digest: string
  failures: number
  window_start: Date
  blocked_until: Date | null
}

export interface SignedTransactionTable {
  hash: string
  move_id: bigint | null
  request_id: bigint | null
  purpose: Generated<string>
  raw: string
  gas_price: string
  made_at: Date
  sent_at: Date | null
  block: bigint | null
  block_hash: string | null
  gas_used: bigint | null
  gas_paid: string | null
}

export interface StaffCaseTable {
  id: Generated<bigint>
  public_id: string
  member_id: bigint
  title: string
  reason: string
  owner_id: bigint | null
  opened_at: Date
  due_at: Date
  reminded_at: Date | null
  outcome: string | null
  outcome_reason: string | null
  closed_by: bigint | null
  closed_at: Date | null
}

export interface StaffIncidentTable {
  id: Generated<bigint>
  public_id: string
  name: string
  level: string
  text: string
  since: Date
  taken_by: bigint | null
  taken_at: Date | null
  ended_at: Date | null
}

export interface StaffLinkTable {
  id: Generated<bigint>
  one_id: bigint
  other_id: bigint
  found_at: Date
  confirmed_at: Date | null
}

export interface StaffNoteTable {
  id: Generated<bigint>
  ticket_id: bigint | null
  member_id: bigint | null
  author_id: bigint
  text: string
  created_at: Date
}

export interface StaffPresenceTable {
  member_id: bigint
  location: string
  activity: string
  at: Date
}

export interface StaffProposalTable {
  id: Generated<bigint>
  public_id: string
  subject: string
  value: Json
  base: Json
  reason: string
  status: Generated<string>
  proposed_by: bigint
  created_at: Date
  decided_by: bigint | null
  decision_reason: string | null
  decided_at: Date | null
  starts_at: Date | null
  effect: Json | null
  ended_at: Date | null
  ended_by: bigint | null
  end_reason: string | null
  simulation: string | null
  proposer_mac: Buffer
}

export interface StaffViewTable {
  member_id: bigint
  page: string
  pages: number
  is_reveal: boolean
  at: Date
}

export interface StaffViewLimitTable {
  member_id: bigint
  reached_at: Date
  allowed_at: Date | null
  allowed_by: bigint | null
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
  transfer_id: bigint | null
  matured_at: Date | null
  reversed_at: Date | null
  imported_at: Date | null
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
  starts_at: Date | null
}

export interface StakePlanNextTable {
  plan_id: bigint
  starts_at: Date
  name: string
  duration_days: number
  minimum: bigint
  apy: bigint
  is_omega: boolean
  status: string
}

export interface TeamMemberTable {
  member_id: bigint
  sponsor_id: bigint | null
  depth: number
  jump_id: bigint
  jump_depth: number
}

export interface TeamMonthTable {
  member_id: bigint
  month: string
  stake: bigint
  nft: bigint
}

export interface TeamPendingDeltaTable {
  id: Generated<bigint>
  member_id: bigint
  month: string
  people: Generated<number>
  stake: Generated<bigint>
  nft: Generated<bigint>
  running: Generated<bigint>
}

export interface TeamRankStakeTable {
  member_id: bigint
  running: bigint
  counted: bigint
}

export interface TeamTotalTable {
  member_id: bigint
  people: number
  stake: bigint
  running: Generated<bigint>
  own_running: Generated<bigint>
  branch_running: Generated<bigint>
  sponsor_id: bigint | null
}

export interface TermsOfUseTable {
  version: Generated<number>
  starts_at: Date
  text: string | null
  link: string | null
  hash: string
  created_at: Date
  created_by: bigint | null
}

export interface TermsOfUseAcceptanceTable {
  member_id: bigint
  version: number
  hash: string
  accepted_at: Date
  how: string
}

export interface TermsOfUseMailTable {
  member_id: bigint
  version: number
  mailed_at: Date
}

export interface TicketTable {
  id: Generated<bigint>
  public_id: string
  member_id: bigint
  title: string
  description: string
  image_id: string | null
  status: Generated<string>
  awaits_staff: Generated<boolean>
  created_at: Date
  last_message_at: Date
  first_answered_at: Date | null
  closed_at: Date | null
  about_kind: string | null
  about_id: string | null
  assignee_id: bigint | null
  tags: Generated<string[]>
}

export interface TicketImageTable {
  id: string
  member_id: bigint
  content_type: string
  bytes: Buffer
  created_at: Date
}

export interface TicketMessageTable {
  id: Generated<bigint>
  ticket_id: bigint
  author_id: bigint
  role: string
  message: string
  image_id: string | null
  created_at: Date
  receipts: GivenJson
}

export interface TrustDigestTransactionTable {
  hash: string
  number: number
  chain_id: number
  sender: string
  nonce: number
  gas_price: string
  raw: string
  signed_at: Date
  block: number | null
}

export interface TrustLeafTable {
  tree_id: bigint
  member_id: bigint
  owed_usd: bigint
  owed_coin: bigint
  promised_usd: bigint
  promised_coin: bigint
  wallet_usd: bigint
  wallet_coin: bigint
  wallet_version: bigint
  seed: Buffer
  owed_positions: number[]
  promised_positions: number[]
}

export interface TrustNodeTable {
  tree_id: bigint
  tree: string
  level: number
  chunk: number
  nodes: Buffer
}

export interface TrustSignatureTable {
  number: number
  signer: string
  signature: string
}

export interface TrustStatementTable {
  number: number
  day: string
  at: Date
  tree_id: bigint
  text: string
  digest: string
  balanced: boolean
  transfers: bigint
}

export interface TrustTreeTable {
  id: Generated<bigint>
  begun_at: Date
  newest_member: bigint
}

export interface UnconfirmedTransferTable {
  member_id: bigint
  times: Date[]
  amounts: bigint[]
}

export interface WalletDayTable {
  day: string
  last_transfer_id: bigint
  marked_at: Date
}

export interface WalletExchangeTable {
  id: Generated<bigint>
  public_id: string
  member_id: bigint
  amount: bigint
  settings_version: number
  posting_id: bigint
  created_at: Date
}

export interface WebhookDeliveryTable {
  id: Generated<bigint>
  endpoint_id: bigint
  event_id: string
  kind: string
  subject: string
  body: string
  state: string
  attempts: Generated<number>
  next_attempt_at: Date | null
  created_at: Date
  attempted_at: Date | null
  status: number | null
  answer: string | null
  duration_ms: number | null
  error: string | null
}

export interface WebhookEndpointTable {
  id: Generated<bigint>
  public_id: string
  name: string
  url: string
  kinds: string[]
  state: string
  off_reason: string | null
  secret: Buffer | null
  previous_secret: Buffer | null
  previous_until: Date | null
  last_event_id: bigint
  failing_since: Date | null
  fault: string | null
  failures: Generated<number>
  rests_until: Date | null
  created_at: Date
  changed_at: Date
}

export interface WrongPasswordHourTable {
  account_digest: string
  hour: Date
  failures: number
}

/** All tables and views. */
export interface DB {
  access_journal: AccessJournalTable
  account_recovery: AccountRecoveryTable
  accounting_export: AccountingExportTable
  announcement: AnnouncementTable
  api_key: ApiKeyTable
  audit_anchor: AuditAnchorTable
  audit_check: AuditCheckTable
  audit_event: AuditEventTable
  background_job: BackgroundJobTable
  background_job_part: BackgroundJobPartTable
  brand: BrandTable
  brand_logo: BrandLogoTable
  business_day: BusinessDayTable
  business_first_step: BusinessFirstStepTable
  business_team_day: BusinessTeamDayTable
  calendar_link: CalendarLinkTable
  chain_address: ChainAddressTable
  chain_address_generation: ChainAddressGenerationTable
  chain_address_recovery: ChainAddressRecoveryTable
  chain_block: ChainBlockTable
  chain_check: ChainCheckTable
  chain_checkpoint: ChainCheckpointTable
  chain_cursor: ChainCursorTable
  chain_difference: ChainDifferenceTable
  chain_incident: ChainIncidentTable
  chain_move: ChainMoveTable
  chain_reserve: ChainReserveTable
  chain_sweep_problem: ChainSweepProblemTable
  chain_transfer: ChainTransferTable
  chain_unknown_token: ChainUnknownTokenTable
  clock_offset: ClockOffsetTable
  coin_purchase: CoinPurchaseTable
  cold_move: ColdMoveTable
  command_last_run: CommandLastRunTable
  daily_total: DailyTotalTable
  deposit: DepositTable
  deposit_decision: DepositDecisionTable
  email_change: EmailChangeTable
  event: EventTable
  event_outbox: EventOutboxTable
  hot_wallet: HotWalletTable
  hot_wallet_empty: HotWalletEmptyTable
  idempotency: IdempotencyTable
  import_balance: ImportBalanceTable
  import_batch: ImportBatchTable
  import_history: ImportHistoryTable
  import_mail: ImportMailTable
  import_member: ImportMemberTable
  import_nft: ImportNftTable
  import_stake: ImportStakeTable
  invoice_transfer: InvoiceTransferTable
  job_lease: JobLeaseTable
  known_device: KnownDeviceTable
  ledger_account: LedgerAccountTable
  ledger_close: LedgerCloseTable
  ledger_closed_balance: LedgerClosedBalanceTable
  ledger_entry: LedgerEntryTable
  ledger_new_money_debt: LedgerNewMoneyDebtTable
  ledger_new_money_return: LedgerNewMoneyReturnTable
  ledger_reversal: LedgerReversalTable
  ledger_stop: LedgerStopTable
  ledger_transfer: LedgerTransferTable
  linked_account: LinkedAccountTable
  linked_account_progress: LinkedAccountProgressTable
  mail_code: MailCodeTable
  mail_link: MailLinkTable
  mail_outbox: MailOutboxTable
  member: MemberTable
  member_list_counter: MemberListCounterTable
  member_referrals: MemberReferralsTable
  member_view: MemberViewTable
  network_cost: NetworkCostTable
  nft: NftTable
  nft_next: NftNextTable
  nft_purchase: NftPurchaseTable
  nft_supply: NftSupplyTable
  notice: NoticeTable
  notification_choice: NotificationChoiceTable
  notification_event: NotificationEventTable
  passkey: PasskeyTable
  passkey_challenge: PasskeyChallengeTable
  payee_name: PayeeNameTable
  payment_credit: PaymentCreditTable
  payment_notice: PaymentNoticeTable
  payment_return: PaymentReturnTable
  payout_address: PayoutAddressTable
  payout_notification: PayoutNotificationTable
  payout_request: PayoutRequestTable
  payout_rule_use: PayoutRuleUseTable
  payout_rules: PayoutRulesTable
  payout_sending: PayoutSendingTable
  proceeds_payout: ProceedsPayoutTable
  programme_simulation: ProgrammeSimulationTable
  provider_payment: ProviderPaymentTable
  provider_scan: ProviderScanTable
  rate_limit: RateLimitTable
  recovery_code: RecoveryCodeTable
  refresh_token: RefreshTokenTable
  registration_attempt: RegistrationAttemptTable
  reset_request: ResetRequestTable
  return_request: ReturnRequestTable
  reward_accrual: RewardAccrualTable
  reward_counter: RewardCounterTable
  reward_coverage_version: RewardCoverageVersionTable
  reward_credit: RewardCreditTable
  reward_day: RewardDayTable
  reward_earned_progress: RewardEarnedProgressTable
  reward_halt: RewardHaltTable
  reward_instant: RewardInstantTable
  reward_liability: RewardLiabilityTable
  reward_liability_pending: RewardLiabilityPendingTable
  reward_month: RewardMonthTable
  reward_partition: RewardPartitionTable
  reward_payment: RewardPaymentTable
  reward_payment_claim: RewardPaymentClaimTable
  reward_policy: RewardPolicyTable
  reward_programme: RewardProgrammeTable
  reward_progress: RewardProgressTable
  reward_rank_bonus: RewardRankBonusTable
  reward_rank_share: RewardRankShareTable
  reward_run: RewardRunTable
  reward_sent_coin: RewardSentCoinTable
  reward_simulation: RewardSimulationTable
  reward_source: RewardSourceTable
  reward_watermark: RewardWatermarkTable
  reward_week: RewardWeekTable
  saved_reply: SavedReplyTable
  saved_segment: SavedSegmentTable
  screening_entry: ScreeningEntryTable
  screening_hit: ScreeningHitTable
  screening_key: ScreeningKeyTable
  screening_list: ScreeningListTable
  screening_task: ScreeningTaskTable
  second_factor: SecondFactorTable
  sell_request: SellRequestTable
  sell_request_sale: SellRequestSaleTable
  sent_order: SentOrderTable
  session: SessionTable
  setting: SettingTable
  setup_end: SetupEndTable
  sign_in_failure: SignInFailureTable
  signed_transaction: SignedTransactionTable
  staff_case: StaffCaseTable
  staff_incident: StaffIncidentTable
  staff_link: StaffLinkTable
  staff_note: StaffNoteTable
  staff_presence: StaffPresenceTable
  staff_proposal: StaffProposalTable
  staff_view: StaffViewTable
  staff_view_limit: StaffViewLimitTable
  stake: StakeTable
  stake_plan: StakePlanTable
  stake_plan_next: StakePlanNextTable
  team_member: TeamMemberTable
  team_month: TeamMonthTable
  team_pending_delta: TeamPendingDeltaTable
  team_rank_stake: TeamRankStakeTable
  team_total: TeamTotalTable
  terms_of_use: TermsOfUseTable
  terms_of_use_acceptance: TermsOfUseAcceptanceTable
  terms_of_use_mail: TermsOfUseMailTable
  ticket: TicketTable
  ticket_image: TicketImageTable
  ticket_message: TicketMessageTable
  trust_digest_transaction: TrustDigestTransactionTable
  trust_leaf: TrustLeafTable
  trust_node: TrustNodeTable
  trust_signature: TrustSignatureTable
  trust_statement: TrustStatementTable
  trust_tree: TrustTreeTable
  unconfirmed_transfer: UnconfirmedTransferTable
  wallet_day: WalletDayTable
  wallet_exchange: WalletExchangeTable
  webhook_delivery: WebhookDeliveryTable
  webhook_endpoint: WebhookEndpointTable
  wrong_password_hour: WrongPasswordHourTable
}
