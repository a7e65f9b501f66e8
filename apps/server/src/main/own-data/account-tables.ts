import { sql } from 'kysely'
import { SECRET, CONTROL, STAFF, OTHER, REPEATED, INTERNAL, member, ownTickets, words, type OwnTable } from './own-table.ts'

/** Profile, access, people, messages and the audit log. */
export const accountTables: readonly OwnTable[] = [
  {
    file: 'profile',
    table: 'member',
    of: member('id'),
    key: ['id'],
    columns: words(`
      public_id name email phone role rank rank_by_staff referral_code profile_image is_verified is_active
      is_special_rcm second_factor created_at updated_at verified_at password_changed_at password_reset_at
      payouts_held_until payouts_held_for payouts_stopped_at suspended_until closes_at closed_at suspended_colleague_at
    `),
    omitted: {
      [INTERNAL]: words('id'),
      [SECRET]: words('password_hash'),
      [CONTROL]: words('password_proved'),
      [OTHER]: words('sponsor_id'),
    },
  },
  {
    file: 'email-changes',
    table: 'email_change',
    of: member('member_id'),
    key: ['id'],
    columns: words('email previous_email created_at expires_at stoppable_until confirmed_at stopped_at'),
    omitted: {
      [INTERNAL]: words('id'),
      [REPEATED]: words('member_id'),
      [SECRET]: words('confirm_digest stop_digest'),
    },
  },
  {
    file: 'devices',
    table: 'known_device',
    of: member('member_id'),
    key: ['id'],
    columns: words('id created_at last_seen_at trusted_from returned'),
    omitted: {
      [REPEATED]: words('member_id'),
      [SECRET]: words('token_digest'),
    },
  },
  {
    file: 'sessions',
    table: 'session',
    of: member('member_id'),
    key: ['id'],
    columns: words(`
      public_id created_at last_seen_at expires_at ended_at end_reason ip network user_agent device device_id
      time_zone second_factor_at
    `),
    omitted: {
      [INTERNAL]: words('id'),
      [REPEATED]: words('member_id'),
      [CONTROL]: words('idle_seconds address_proved awaits_code'),
    },
  },
  {
    file: 'passkeys',
    table: 'passkey',
    of: member('member_id'),
    key: ['id'],
    columns: words('public_id name credential_id public_key transports may_sync synced created_at last_used_at'),
    omitted: {
      [INTERNAL]: words('id'),
      [REPEATED]: words('member_id'),
      [CONTROL]: words('counter'),
    },
  },
  {
    file: 'account-recovery',
    table: 'account_recovery',
    of: member('member_id'),
    key: ['member_id'],
    columns: words('second_factor address_proved_at completes_at remind_at'),
    omitted: {
      [REPEATED]: words('member_id'),
      [INTERNAL]: words('email_change_id'),
    },
  },
  {
    file: 'authenticator-app',
    table: 'second_factor',
    of: member('member_id'),
    key: ['member_id'],
    columns: words('created_at confirmed_at'),
    omitted: {
      [REPEATED]: words('member_id'),
      [SECRET]: words('encrypted_secret last_step'),
    },
  },
  {
    file: 'recovery-codes',
    table: 'recovery_code',
    of: member('member_id'),
    key: ['id'],
    columns: words('public_id created_at'),
    omitted: {
      [INTERNAL]: words('id'),
      [REPEATED]: words('member_id'),
      [SECRET]: words('salt code_digest'),
    },
  },
  {
    file: 'calendar-link',
    table: 'calendar_link',
    of: member('member_id'),
    key: ['member_id'],
    columns: words('created_at'),
    omitted: {
      [REPEATED]: words('member_id'),
      [SECRET]: words('token_digest'),
    },
  },
  {
    file: 'address-book',
    table: 'payout_address',
    of: member('member_id'),
    key: ['id'],
    columns: words('public_id network address label created_at confirmed_at usable_from removed_at'),
    omitted: {
      [INTERNAL]: words('id'),
      [REPEATED]: words('member_id'),
      [CONTROL]: words('address_key'),
    },
  },
  {
    file: 'referrals',
    table: 'member',
    of: member('sponsor_id'),
    key: ['id'],
    // The fields of the member's own list (API-56).
    columns: words('name email referral_code updated_at'),
  },
  {
    file: 'tickets',
    table: 'ticket',
    of: member('member_id'),
    key: ['id'],
    columns: words(`
      id public_id title description image_id status created_at last_message_at first_answered_at closed_at
      about_kind about_id tags
    `),
    omitted: {
      [REPEATED]: words('member_id'),
      [CONTROL]: words('awaits_staff'),
      [STAFF]: words('assignee_id'),
    },
  },
  {
    file: 'ticket-messages',
    table: 'ticket_message',
    of: ownTickets('ticket_id'),
    key: ['id'],
    columns: words('ticket_id role message image_id created_at receipts'),
    omitted: {
      [INTERNAL]: words('id'),
      [STAFF]: words('author_id'),
    },
  },
  {
    file: 'notes-of-staff-about-you',
    table: 'staff_note',
    of: member('member_id'),
    key: ['id'],
    columns: words('text created_at'),
    omitted: {
      [INTERNAL]: words('id'),
      'null in these rows': words('ticket_id'),
      [REPEATED]: words('member_id'),
      [STAFF]: words('author_id'),
    },
  },
  {
    file: 'notes-of-staff-on-your-tickets',
    table: 'staff_note',
    of: ownTickets('ticket_id'),
    key: ['id'],
    columns: words('ticket_id text created_at'),
  },
  {
    file: 'notifications',
    table: 'notice',
    of: member('member_id'),
    key: ['id'],
    columns: words('event cause asset facts created_at in_inbox read_at mailed_at'),
    amounts: words('amount'),
    omitted: {
      [INTERNAL]: words('id'),
      [REPEATED]: words('member_id'),
      [CONTROL]: words('awaits_mail'),
    },
  },
  {
    file: 'notification-choices',
    table: 'notification_choice',
    of: member('member_id'),
    key: ['event'],
    columns: words('event via since'),
    omitted: {
      [REPEATED]: words('member_id'),
    },
  },
  {
    file: 'audit-log-of-your-actions',
    table: 'audit_event',
    of: member('actor_id'),
    key: ['id'],
    columns: words('id at actor_role action subject_type subject_id reason outcome ip detail'),
    omitted: {
      [REPEATED]: words('actor_id'),
      [INTERNAL]: words('request_id'),
      [CONTROL]: words('previous_hash hash'),
    },
  },
  {
    file: 'audit-log-about-you',
    table: 'audit_event',
    of: ({ id, publicId }) =>
      sql<boolean>`subject_type = 'member' and subject_id in (${publicId}, ${String(id)}) and actor_id is distinct from ${id}`,
    key: ['id'],
    columns: words('id at actor_role action reason outcome'),
  },
]
