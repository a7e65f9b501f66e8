-- Other modules may read these tables, because staff compare session origins, and payout rules check for new devices.
-- published: session, known_device

-- Known devices of an account, by the digest of the device's cookie, stored as long as the account. From `trusted_from` on, the
-- password alone proves the member on this device. `returned` is true after the browser has sent the cookie back.
create table known_device (
  id bigint generated always as identity primary key,
  member_id bigint not null references member (id),
  token_digest text not null,
  created_at timestamptz not null,
  last_seen_at timestamptz not null,
  trusted_from timestamptz not null,
  returned boolean not null default false,
  unique (member_id, token_digest)
);

-- Sessions. Access tokens and refresh tokens belong to a session and end with the session.
create table session (
  id bigint generated always as identity primary key,
  public_id text not null unique,
  member_id bigint not null references member (id),
  created_at timestamptz not null,
  last_seen_at timestamptz not null,
  -- Maximum idle time in seconds, and the latest end.
  idle_seconds int not null,
  expires_at timestamptz not null,
  ip text not null,
  user_agent text not null,
  -- Readable name of the device type.
  device text not null,
  -- Null after the member reported an attacker, or after many newer devices.
  device_id bigint references known_device (id) on delete set null,
  ended_at timestamptz,
  end_reason text,
  -- Time of the session's second factor. Staff routes require one.
  second_factor_at timestamptz,
  -- True if a mailed code or link opened the session.
  address_proved boolean not null default false,
  -- True if the password alone opened the session after too many wrong passwords. The session keeps this limit; a mailed code opens
  -- a new session.
  awaits_code boolean not null default false,
  -- Time zone reported by the browser; null if none.
  time_zone text,
  -- The network of `ip` as rate limits count it; null for an office network.
  network text
);
create index session_live_by_member on session (member_id, id) where ended_at is null;
create index session_by_member on session (member_id, id desc);
create index session_by_end on session ((case when ended_at < expires_at then ended_at else expires_at end));
create index session_by_device on session (device_id);
create index session_by_network on session (network, member_id);

-- Refresh tokens of a session, by digest. Each is used once and replaced by the next.
create table refresh_token (
  id bigint generated always as identity primary key,
  session_id bigint not null references session (id),
  token_digest text not null unique,
  created_at timestamptz not null,
  used_at timestamptz
);
create index refresh_token_by_session on refresh_token (session_id);
create index refresh_token_by_age on refresh_token (created_at);

-- Mailed six-digit codes, under a keyed hash. `attempts` rises before each comparison.
create table mail_code (
  id bigint generated always as identity primary key,
  member_id bigint not null references member (id),
  cause text not null check (cause in ('register', 'resend')),
  code_hash text not null,
  attempts int not null default 0 check (attempts between 0 and 5),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index mail_code_by_age on mail_code (created_at);
create index mail_code_by_member on mail_code (member_id, id desc);

-- Mailed links, by token digest.
create table mail_link (
  id bigint generated always as identity primary key,
  member_id bigint not null references member (id),
  purpose text not null check (purpose in ('verify', 'reset')),
  token_digest text not null unique,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index mail_link_by_age on mail_link ((case when purpose = 'reset' then created_at end));
create index mail_link_by_member on mail_link (member_id, purpose, id desc);

-- Requested changes of an email address. `confirm_digest` is null if another account has the new address, because the server then
-- sends no link. The stop link goes to the earlier address and is valid until `stoppable_until`, also after the change.
create table email_change (
  id bigint generated always as identity primary key,
  member_id bigint not null references member (id),
  email text not null check (email = lower(email)),
  previous_email text not null,
  confirm_digest text unique,
  stop_digest text not null unique,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  stoppable_until timestamptz not null,
  confirmed_at timestamptz,
  stopped_at timestamptz
);
create index email_change_by_age on email_change (created_at);
create index email_change_by_member on email_change (member_id, id desc);
create index email_change_by_email on email_change (email, created_at);

-- Repeated registrations for an address whose first registration is unfinished. The mailed link creates the account from this row
-- and deletes the unfinished account. A stranger who registers first therefore cannot set the member's sponsor or password.
create table registration_attempt (
  id bigint generated always as identity primary key,
  email text not null,
  name text not null,
  phone text not null,
  password_hash text not null,
  sponsor_id bigint references member (id),
  token_digest text not null unique,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  language text
);
create index registration_attempt_by_end on registration_attempt (expires_at);
create index registration_attempt_by_email on registration_attempt (email, created_at);

-- Failed passwords and codes, per limit: account and network, known device, or session. Addresses without an account are counted too.
create table sign_in_failure (
  budget_digest text primary key,
  account_digest text not null,
  failures int not null,
  window_start timestamptz not null,
  blocked_until timestamptz
);
create index sign_in_failure_by_age on sign_in_failure (window_start);
create index sign_in_failure_by_account on sign_in_failure (account_digest);

-- Wrong passwords at sign-in per account and hour, over all networks. Addresses without an account are counted too.
create table wrong_password_hour (
  account_digest text not null,
  hour timestamptz not null,
  failures int not null check (failures > 0),
  primary key (account_digest, hour)
);
create index wrong_password_hour_by_age on wrong_password_hour (hour);

-- Requests for a reset link. The call only stores the address, so that the response time does not show whether an account exists.
create table reset_request (
  id bigint generated always as identity primary key,
  email text not null,
  ip text not null,
  request_id text not null,
  created_at timestamptz not null,
  handled_at timestamptz
);
create index reset_request_by_age on reset_request ((case when handled_at is not null then created_at end));
create index reset_request_open on reset_request (id) where handled_at is null;

-- Pending recoveries of accounts whose owner lost the second factor, the mailbox or both. `email_change_id` is the change to the new
-- address, null if the mailbox is not lost. The new address is proved by its mailed link before the recovery is completed.
create table account_recovery (
  member_id bigint primary key references member (id),
  second_factor boolean not null,
  email_change_id bigint unique references email_change (id) on delete cascade,
  address_proved_at timestamptz,
  completes_at timestamptz not null,
  -- When the owner is reminded; null afterwards.
  remind_at timestamptz,
  check (second_factor or email_change_id is not null)
);
create index account_recovery_due on account_recovery (least(completes_at, remind_at));

-- Authenticator apps. The secret is encrypted; `last_step` is the newest accepted time step.
create table second_factor (
  member_id bigint primary key references member (id),
  encrypted_secret bytea not null,
  created_at timestamptz not null,
  confirmed_at timestamptz,
  last_step bigint not null default 0
);

create trigger second_factor_ended after delete on second_factor
  for each row when (old.confirmed_at is not null) execute function record_ended_factor();

-- Unused recovery codes of an authenticator app, under a slow hash with one salt per member. Using a code deletes its row.
create table recovery_code (
  id bigint generated always as identity primary key,
  public_id text not null unique,
  member_id bigint not null references second_factor (member_id) on delete cascade,
  salt bytea not null,
  code_digest text not null,
  created_at timestamptz not null,
  unique (member_id, code_digest)
);
create trigger recovery_code_ended after delete on recovery_code for each row execute function record_ended_access('recovery-code');

-- Staff views on a member's pages: read-only, for a few minutes, and never longer than the staff session.
-- A view is not a member session: the view proves no identity, and session and device lists do not show it.
create table member_view (
  id bigint generated always as identity primary key,
  member_id bigint not null references member (id),
  session_id bigint not null references session (id) on delete cascade,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index member_view_by_session on member_view (session_id);

-- Passkeys, each a second factor next to the authenticator app. `counter` is the key's last value, which exposes a copied key.
-- Keys synchronized between devices always report 0.
create table passkey (
  id bigint generated always as identity primary key,
  public_id text not null unique,
  member_id bigint not null references member (id),
  credential_id text not null unique,
  -- Base64url.
  public_key text not null,
  counter bigint not null check (counter >= 0),
  transports text[] not null default '{}',
  -- True if the key can be synchronized between devices, and if it is.
  may_sync boolean not null,
  synced boolean not null,
  name text not null check (name <> ''),
  created_at timestamptz not null,
  last_used_at timestamptz
);
create index passkey_by_member on passkey (member_id, id);
create trigger passkey_ended after delete on passkey for each row execute function record_ended_access('passkey');

-- Open challenges, each for one response: to add a passkey, to prove identity with a passkey, or to sign in.
-- A challenge to prove identity requires no app code before, so it cannot add a passkey.
create table passkey_challenge (
  public_id text primary key,
  member_id bigint not null references member (id),
  session_id bigint references session (id) on delete cascade,
  purpose text not null check (purpose in ('add', 'show', 'sign-in') and (purpose = 'sign-in') = (session_id is null)),
  challenge text not null,
  expires_at timestamptz not null
);
create index passkey_challenge_by_end on passkey_challenge (expires_at);
create index passkey_challenge_by_session on passkey_challenge (session_id) where session_id is not null;

-- API keys by digest. A key reads the calls of `rights` from `networks` (CIDR; empty: all) for its owner: a member, or a staff member
-- whose key two people approved. Such a key has no digest until its owner fetches it.
create table api_key (
  id bigint generated always as identity primary key,
  public_id text not null unique,
  member_id bigint not null references member (id),
  kind text not null check (kind in ('member', 'operator')),
  token_digest text unique check (token_digest is not null or kind = 'operator'),
  name text not null check (name <> ''),
  rights text[] not null,
  networks text[] not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  -- Written at most once a minute.
  last_used_at timestamptz,
  last_used_ip text,
  ended_at timestamptz,
  end_reason text
);
create index api_key_by_member on api_key (member_id, id desc);
create index api_key_of_operator on api_key (id) where kind = 'operator' and ended_at is null;
create index api_key_by_end on api_key (least(ended_at, expires_at));
