-- Other modules may read these tables, because their lists show names and referral counts.
-- published: member, member_referrals

-- Accounts, staff included. Registration fixes `sponsor_id` (invariant I11): it is never updated.
create table member (
  id bigint generated always as identity primary key,
  public_id text not null unique,
  name text not null,
  email text not null unique check (email = lower(email)),
  phone text not null,
  password_hash text not null,
  is_verified boolean not null default false,
  is_active boolean not null default true,
  role text not null default 'MEMBER' check (role in ('MEMBER', 'SUPPORT', 'FINANCE', 'ADMIN', 'AUDITOR')),
  is_special_rcm boolean not null default false,
  rank text,
  -- Set if staff granted the rank, which the programme then does not change (RO-17).
  rank_by_staff boolean not null default false,
  referral_code text not null unique check (referral_code = upper(referral_code)),
  sponsor_id bigint references member (id) check (sponsor_id < id),
  profile_image text,
  second_factor boolean not null default false,
  -- Time of the last password reset by a mailed link. Staff see this time next to requests.
  password_reset_at timestamptz,
  -- Time of the last change of the password. A new hash of the same password does not count.
  password_changed_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- True if the person who set the password has proved the address. Otherwise sign-in requires a mailed code.
  password_proved boolean not null default true,
  -- End and cause of the payout freeze, and the time at which the member stopped payouts.
  payouts_frozen_until timestamptz,
  payouts_frozen_for text check (payouts_frozen_for in ('password', 'second-factor', 'contact', 'device', 'restore')),
  payouts_stopped_at timestamptz,
  -- Staff only: end of the last suspension of the person's rights, and time at which the person last suspended a colleague alone.
  suspended_until timestamptz,
  suspended_colleague_at timestamptz,
  -- Time of the first proof of the address (set by the trigger `set_verified_at`).
  verified_at timestamptz,
  -- End of the grace period of a closing account. Until then the account is blocked, and a sign-in cancels the closing.
  closes_at timestamptz,
  closed_at timestamptz,
  -- Time from which the personal data of a closed account is erased, and the time when it was.
  erases_at timestamptz,
  erased_at timestamptz,
  -- Language of mails and pages that the member chose; null if the browser decides.
  language text check (length(language) <= 12),
  check (closes_at is null or not is_active),
  check (closed_at is null or closes_at is not null),
  check (erases_at is null or closed_at is not null),
  check (erased_at is null or erases_at is not null)
);
create index member_erased on member (id) where erased_at is not null;
create index member_to_erase on member (erases_at) where erased_at is null and erases_at is not null;
create trigger member_erased_once before update of erased_at, closed_at on member
  for each row when (old.erased_at is not null) execute function reject_change();
create index member_to_close on member (closes_at) where closed_at is null and closes_at is not null;
create index member_by_sponsor on member (sponsor_id, id desc);
-- Finds the registrations and verifications of a day, for staff.
create index member_by_time on member using brin (created_at) with (autosummarize = on);
create index member_by_verification on member (verified_at) where verified_at is not null;

-- Number of direct referrals with a verified email address per member, so that the cost of a team page does not grow with the team.
create table member_referrals (
  member_id bigint primary key references member (id),
  direct_count int not null
);
create trigger member_verification before insert or update of is_verified on member
  for each row when (new.is_verified and new.verified_at is null) execute function set_verified_at();
create trigger member_sponsor_fixed before update of sponsor_id on member
  for each row when (old.sponsor_id is distinct from new.sponsor_id) execute function reject_sponsor_change();
create trigger member_counted after insert on member
  for each row when (new.sponsor_id is not null and new.is_verified) execute function count_referral();
create trigger member_counted_later after update of is_verified on member
  for each row when (new.sponsor_id is not null and old.is_verified <> new.is_verified) execute function count_referral();

-- For the team search by name or email prefix.
create index member_by_name_start on member (lower(name) text_pattern_ops);
create index member_by_email_start on member (email text_pattern_ops);

-- For the staff search by prefixes in names and phone numbers, and for the few flagged members.
create index member_by_name_word on member using gin (to_tsvector('simple'::regconfig, name));
create index member_by_phone on member (regexp_replace(phone, '\D', '', 'g') text_pattern_ops);
create index member_blocked on member (id) where not is_active;
create index member_unverified on member (id) where not is_verified;
create index member_special on member (id) where is_special_rcm;
create index member_staff on member (id) where role <> 'MEMBER';
-- Finds members whose password hash comes from another platform and was not renewed yet.
create index member_imported_hash on member (id) where password_hash not like '$argon2id$v=19$m=19456,t=2,p=1$%';
-- Finds the few members who earn no rewards (RW-12), so that a run does not read all members.
create index member_not_earning on member (id) where not (is_verified and is_active);
