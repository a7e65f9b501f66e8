import { words } from './own-table.ts'

/** Tables without a file, by the reason. */
export const omittedTables: Readonly<Record<string, readonly string[]>> = {
  'in the files of the wallets, which have every movement': words(`
    ledger_transfer ledger_account ledger_reversal ledger_new_money_debt ledger_new_money_return ledger_closed_balance
    payment_credit sell_request_sale reward_sent_coin import_balance
  `),
  'the images are files of the archive': words(`
    ticket_image
  `),
  'sums, counters and copies of rows that have files': words(`
    member_list_counter member_referrals reward_counter reward_month reward_week reward_simulation team_member
    team_month team_pending_delta team_total business_first_step business_team_day reward_rank_share notification_event
    event event_outbox payout_sending access_journal trust_leaf unconfirmed_transfer payout_rule_use
  `),
  'deleted within days: secrets, limits and repeated calls': words(`
    mail_code mail_link refresh_token passkey_challenge idempotency rate_limit sign_in_failure wrong_password_hour reset_request
    registration_attempt import_mail import_member import_nft import_stake member_view
  `),
  'deleted within days: encrypted mails, whose causes have files': words(`
    mail_outbox payment_notice background_job background_job_part
  `),
  'work of staff: proposals, incidents, drafts, cases, and links between accounts': words(`
    staff_case screening_hit screening_task linked_account linked_account_progress staff_link staff_incident
    staff_view staff_view_limit staff_presence staff_proposal saved_reply saved_segment payout_rules announcement programme_simulation
  `),
  'transfers and addresses of the public chain; those of the member are in the files of deposits and withdrawals': words(`
    chain_address cold_move chain_address_generation chain_address_recovery chain_block chain_check chain_checkpoint chain_cursor
    chain_difference chain_incident chain_move chain_reserve chain_sweep_problem chain_transfer
    chain_unknown_token hot_wallet hot_wallet_empty network_cost
  `),
  'about the platform, not about a person': words(`
    screening_list screening_entry screening_key accounting_export audit_anchor audit_check brand brand_logo business_day clock_offset command_last_run daily_total import_batch job_lease ledger_close ledger_stop nft nft_next
    nft_supply proceeds_payout provider_scan reward_coverage_version reward_day reward_earned_progress reward_halt reward_liability
    reward_liability_pending reward_partition reward_payment reward_payment_claim reward_policy reward_programme reward_run
    reward_watermark setting setup_end stake_plan stake_plan_next terms_of_use trust_digest_transaction trust_node trust_signature
    trust_statement trust_tree wallet_day webhook_delivery webhook_endpoint
  `),
}
