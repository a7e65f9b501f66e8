import { sql } from 'kysely'
import { CONFIDENTIAL_ACTIONS } from '../../audit/index.ts'
import { SECRET, CONTROL, STAFF, OTHER, REPEATED, INTERNAL, member, ownTickets, ownTable, type OwnTable } from './own-table.ts'

/** Profile, access, people, messages and the audit log. */
export const accountTables: readonly OwnTable[] = [
  ownTable('profile', 'member', {
    of: member('id'),
    columns: `
      public_id name email phone role rank rank_by_staff referral_code profile_image is_verified is_active is_special_rcm
      second_factor created_at updated_at verified_at password_changed_at password_reset_at payouts_frozen_until
      payouts_frozen_for payouts_stopped_at suspended_until closes_at closed_at erases_at erased_at suspended_colleague_at language
    `,
    omitted: { [SECRET]: 'password_hash', [CONTROL]: 'password_proved', [OTHER]: 'sponsor_id' },
  }),
  ownTable('email-changes', 'email_change', {
    columns: 'email previous_email created_at expires_at stoppable_until confirmed_at stopped_at',
    omitted: { [SECRET]: 'confirm_digest stop_digest' },
  }),
  ownTable('devices', 'known_device', {
    columns: 'id created_at last_seen_at trusted_from returned',
    omitted: { [SECRET]: 'token_digest' },
  }),
  ownTable('sessions', 'session', {
    columns: `
      public_id created_at last_seen_at expires_at ended_at end_reason ip network user_agent device device_id time_zone
      second_factor_at
    `,
    omitted: { [CONTROL]: 'idle_seconds address_proved awaits_code' },
  }),
  ownTable('passkeys', 'passkey', {
    columns: 'public_id name credential_id public_key transports may_sync synced created_at last_used_at',
    omitted: { [CONTROL]: 'counter' },
  }),
  ownTable('api-keys', 'api_key', {
    columns: 'public_id kind name rights networks created_at expires_at last_used_at last_used_ip ended_at end_reason',
    omitted: { [SECRET]: 'token_digest' },
  }),
  ownTable('account-recovery', 'account_recovery', {
    key: ['member_id'],
    columns: 'second_factor address_proved_at completes_at remind_at',
    omitted: { [INTERNAL]: 'email_change_id' },
  }),
  ownTable('authenticator-app', 'second_factor', {
    key: ['member_id'],
    columns: 'created_at confirmed_at',
    omitted: { [SECRET]: 'encrypted_secret last_step' },
  }),
  ownTable('recovery-codes', 'recovery_code', {
    columns: 'public_id created_at',
    omitted: { [SECRET]: 'salt code_digest' },
  }),
  ownTable('calendar-link', 'calendar_link', {
    key: ['member_id'],
    columns: 'created_at',
    omitted: { [SECRET]: 'token_digest' },
  }),
  ownTable('address-book', 'payout_address', {
    columns: 'public_id network address label created_at confirmed_at usable_from removed_at proven_at proven_by',
    omitted: { [CONTROL]: 'address_key challenge challenge_at entry_mac' },
  }),
  ownTable('names-of-payees', 'payee_name', {
    key: ['receiver_id'],
    columns: 'name created_at',
    omitted: { [OTHER]: 'receiver_id' },
  }),
  ownTable('referrals', 'member', {
    of: member('sponsor_id'),
    // The fields of the member's own list (API-56).
    columns: 'name email referral_code updated_at',
  }),
  ownTable('terms-accepted', 'terms_of_use_acceptance', {
    key: ['version'],
    columns: 'version hash accepted_at how',
  }),
  ownTable('terms-mail', 'terms_of_use_mail', {
    key: ['member_id'],
    columns: 'version mailed_at',
  }),
  ownTable('tickets', 'ticket', {
    columns: `
      id public_id title description image_id status created_at last_message_at first_answered_at closed_at about_kind
      about_id tags
    `,
    omitted: { [CONTROL]: 'awaits_staff', [STAFF]: 'assignee_id' },
  }),
  ownTable('ticket-messages', 'ticket_message', {
    of: ownTickets('ticket_id'),
    columns: 'ticket_id role message image_id created_at receipts',
    omitted: { [STAFF]: 'author_id' },
  }),
  ownTable('notes-of-staff-about-you', 'staff_note', {
    columns: 'text created_at',
    omitted: { 'null in these rows': 'ticket_id', [STAFF]: 'author_id' },
  }),
  ownTable('notes-of-staff-on-your-tickets', 'staff_note', {
    of: ownTickets('ticket_id'),
    columns: 'ticket_id text created_at',
  }),
  ownTable('notifications', 'notice', {
    columns: 'event cause asset facts created_at in_inbox read_at mailed_at',
    amounts: 'amount',
    omitted: { [CONTROL]: 'awaits_mail message_mac' },
  }),
  ownTable('notification-choices', 'notification_choice', {
    key: ['event'],
    columns: 'event via since',
  }),
  ownTable('audit-log-of-your-actions', 'audit_event', {
    of: member('actor_id'),
    columns: 'id at actor_role action subject_type subject_id reason outcome ip detail',
    omitted: { [REPEATED]: 'actor_id', [INTERNAL]: 'request_id', [CONTROL]: 'previous_hash hash ip_salt reason_salt detail_salt' },
  }),
  ownTable('audit-log-about-you', 'audit_event', {
    of: ({ id, publicId }) =>
      sql<boolean>`subject_type = 'member' and subject_id in (${publicId}, ${String(id)}) and actor_id is distinct from ${id}
        and not action = any(${CONFIDENTIAL_ACTIONS}::text[])`,
    columns: 'id at actor_role action reason outcome',
  }),
]
