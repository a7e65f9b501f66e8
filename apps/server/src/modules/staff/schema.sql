-- Proposals: one staff member proposes a change and another approves it (four eyes, ASVS 2.3.5). The change applies at once or from
-- `starts_at`. `value` contains the new values and `base` the baseline: the object's values at the start, as known when the proposal
-- was made. Both are JSON with amounts as plain decimals. Each kind of `subject` has a file in proposals/kinds.
create table staff_proposal (
  id bigint generated always as identity primary key,
  public_id text not null unique,
  subject text not null,
  value jsonb not null,
  base jsonb not null,
  reason text not null check (reason <> ''),
  status text not null default 'PENDING' check (status in ('PENDING', 'APPROVED', 'REFUSED', 'CANCELLED', 'OUTDATED')),
  proposed_by bigint not null references member (id),
  created_at timestamptz not null,
  decided_by bigint references member (id),
  decision_reason text,
  decided_at timestamptz,
  -- Start of the change. Null: at the approval.
  starts_at timestamptz check (starts_at > created_at),
  -- Effect of the change, computed with the amounts of that day: {rows, basedOn, hash, at}.
  effect jsonb,
  -- Time at which a person cancelled the proposal before its start, or at which it expired. A proposal expires if the baseline
  -- changes, or if proposer or approver lose the right to decide.
  ended_at timestamptz,
  ended_by bigint references member (id),
  end_reason text,
  -- The simulation shown to the proposer of a programme (`programme_simulation`).
  simulation text,
  -- MAC over the proposal, `subject` included, and the proposer. The key is not in the database, so a row inserted by SQL cannot be
  -- approved.
  proposer_mac bytea not null,
  check ((subject = 'programme') = (simulation is not null)),
  check (status not in ('PENDING', 'OUTDATED') or decided_at is null or starts_at is not null),
  check (status <> 'PENDING' or decided_at is null),
  check (status not in ('APPROVED', 'REFUSED', 'CANCELLED') or decided_at is not null),
  check ((decided_by is null) = (decided_at is null)),
  check ((status in ('CANCELLED', 'OUTDATED')) = (ended_at is not null)),
  constraint staff_proposal_ends_before_its_start check (decided_at is null or ended_at < starts_at),
  -- Proposer and approver are different people. A proposer can only withdraw the proposal.
  constraint staff_proposal_proposer_is_not_approver check (status in ('PENDING', 'REFUSED') or decided_by is distinct from proposed_by)
);
create index staff_proposal_pending on staff_proposal (id) where status = 'PENDING';
create index staff_proposal_planned on staff_proposal (starts_at, id) where status = 'APPROVED' and starts_at is not null;
-- Finds the proposal that set a value.
create index staff_proposal_of on staff_proposal (subject, id desc) where status = 'APPROVED';
create trigger staff_proposal_fixed before update or delete on staff_proposal for each row execute function keep_staff_proposal();

-- Simulations of draft programmes over past days. A proposal of a programme and its approval require a recent simulation.
create table programme_simulation (
  -- Public id of the background job with the result and the file.
  id text primary key,
  asked_by bigint not null references member (id),
  -- Hashes. `rules`: the draft's rules. `input_hash`: rules, days, runs and maximum group gain. `hash`: the same with the results.
  rules text not null,
  first_day date not null,
  last_day date not null,
  input_hash text not null,
  hash text not null,
  made_at timestamptz not null,
  -- Number in the order of completion.
  number bigint generated always as identity
);
create index programme_simulation_of on programme_simulation (rules, number desc);
create index programme_simulation_by_time on programme_simulation (made_at);

-- Linked accounts: a member shares a network, browser or payout address with one of the five members above, who earn from the member.
-- Both accounts may belong to one person, who would earn from their own purchases; staff decide. A job reads new sessions and payouts only. Rows stay after the sessions
-- are deleted.
create table linked_account (
  id bigint generated always as identity primary key,
  member_id bigint not null references member (id),
  upline_id bigint not null references member (id),
  level smallint not null check (level between 1 and 5),
  same_address boolean not null,
  same_device boolean not null,
  same_payout_address boolean not null,
  first_seen_at timestamptz not null,
  last_seen_at timestamptz not null,
  -- Number of batches of new sessions and payouts in which the job found the link.
  times int not null default 1,
  -- Staff's verdict: a household, or a person to monitor.
  verdict text check (verdict in ('harmless', 'watch')),
  reviewed_by bigint references member (id),
  reviewed_at timestamptz,
  review_reason text,
  check ((verdict is null) = (reviewed_at is null) and (verdict is null) = (reviewed_by is null) and (verdict is null) = (review_reason is null)),
  unique (member_id, upline_id),
  -- A sponsor registers before the members below.
  check (upline_id < member_id),
  check (same_address or same_payout_address),
  check (same_address or not same_device)
);
create index linked_account_by_verdict on linked_account (coalesce(verdict, 'open'), id desc);
create index linked_account_by_upline on linked_account (upline_id, id desc);
create table linked_account_progress (
  one boolean primary key default true check (one),
  session_id bigint not null default 0,
  payout_id bigint not null default 0
);
insert into linked_account_progress default values;

-- Pairs of staff who shared a network before one of the two became staff. A pair counts as one person until its confirmation.
create table staff_link (
  id bigint generated always as identity primary key,
  one_id bigint not null references member (id),
  other_id bigint not null references member (id),
  found_at timestamptz not null,
  confirmed_at timestamptz,
  check (one_id < other_id),
  unique (one_id, other_id)
);
create index staff_link_by_other on staff_link (other_id);

-- Staff notes on a ticket or a member. Notes have a separate table, so that no query for members can return a note.
create table staff_note (
  id bigint generated always as identity primary key,
  ticket_id bigint references ticket (id),
  member_id bigint references member (id),
  author_id bigint not null references member (id),
  text text not null check (text <> ''),
  created_at timestamptz not null,
  check (num_nonnulls(ticket_id, member_id) = 1)
);
create index staff_note_by_ticket on staff_note (ticket_id, id desc) where ticket_id is not null;
create index staff_note_by_member on staff_note (member_id, id desc) where member_id is not null;
create trigger staff_note_append_only before update or delete on staff_note for each row execute function keep_staff_note();

-- Cases: a suspicion about one member, with an owner, a due date and an outcome. Actions on a case are in the audit log.
create table staff_case (
  id bigint generated always as identity primary key,
  public_id text not null unique,
  member_id bigint not null references member (id),
  title text not null check (title <> ''),
  reason text not null check (reason <> ''),
  -- Null for a case that screening opened, until staff take it.
  owner_id bigint references member (id),
  opened_at timestamptz not null,
  due_at timestamptz not null,
  -- Time of the mail about the passed due date.
  reminded_at timestamptz,
  outcome text check (outcome in ('cleared', 'acted', 'reported')),
  outcome_reason text,
  closed_by bigint references member (id),
  closed_at timestamptz,
  check (due_at > opened_at),
  check (num_nonnulls(outcome, outcome_reason, closed_by, closed_at) in (0, 4))
);
create unique index staff_case_open_of on staff_case (member_id) where closed_at is null;
create index staff_case_open on staff_case (due_at, id) where closed_at is null;
create index staff_case_to_remind on staff_case (due_at) where closed_at is null and reminded_at is null;
create index staff_case_by_member on staff_case (member_id, id);
create index staff_case_closed on staff_case (closed_at desc, id desc) where closed_at is not null;

-- Saved replies. Placeholders such as {firstName} must be filled before sending.
create table saved_reply (
  id bigint generated always as identity primary key,
  public_id text not null unique,
  name text not null,
  text text not null,
  tags text[] not null default '{}',
  uses int not null default 0,
  written_by bigint not null references member (id),
  updated_at timestamptz not null,
  dropped_at timestamptz
);
create index saved_reply_kept on saved_reply (uses desc, id) where dropped_at is null;
-- Segments of members that staff saved under a name. The audit log has their earlier criteria.
create table saved_segment (
  id bigint generated always as identity primary key,
  public_id text not null unique,
  name text not null check (name <> ''),
  -- JSON of the contract's `segmentEntries`.
  criteria jsonb not null,
  saved_by bigint not null references member (id),
  saved_at timestamptz not null
);
create unique index saved_segment_by_name on saved_segment (lower(name));

-- Pages that staff have open, shown to other staff. A row expires after 45 seconds.
create table staff_presence (
  member_id bigint not null references member (id),
  location text not null,
  activity text not null check (activity in ('viewing', 'writing', 'noting')),
  at timestamptz not null,
  primary key (member_id, location)
);

-- Staff views of members' personal data within a day, for the hourly limits (docs/decisions/0046-limits-for-personal-data.md).
-- The audit log stores each view permanently.
create table staff_view (
  member_id bigint not null references member (id),
  -- The viewed page: a member, or a call with its input.
  page text not null,
  -- Number of viewed pages, 50 rows each.
  pages int not null check (pages > 0),
  is_reveal boolean not null,
  at timestamptz not null,
  primary key (member_id, page)
);
create index staff_view_by_age on staff_view (at);
-- The last times at which a staff member reached a limit, and at which another person allowed more views.
create table staff_view_limit (
  member_id bigint primary key references member (id),
  reached_at timestamptz not null,
  allowed_at timestamptz,
  allowed_by bigint references member (id),
  check ((allowed_at is null) = (allowed_by is null)),
  check (allowed_by <> member_id)
);

-- Incidents of the platform, from detection to end (watch-platform.ts). Some incidents of level red start an emergency pause.
create table staff_incident (
  id bigint generated always as identity primary key,
  public_id text not null unique,
  name text not null,
  level text not null check (level in ('amber', 'red')),
  text text not null,
  since timestamptz not null,
  taken_by bigint references member (id),
  taken_at timestamptz,
  ended_at timestamptz,
  check ((taken_by is null) = (taken_at is null))
);
create unique index staff_incident_open on staff_incident (name) where ended_at is null;

-- Balance of each system account at the end of each past UTC day, with the incoming and outgoing amounts of that day. Transfers between
-- shards of one account are excluded (daily-totals.ts).
create table daily_total (
  day date not null,
  system text not null,
  asset text not null,
  balance bigint not null,
  came_in bigint not null,
  went_out bigint not null,
  primary key (day, system, asset)
);

-- Business figures of each past UTC day, written once, some minutes after the end of the day (close-business-days.ts). Amounts are in
-- units. A later reversal or return counts on the later day. The columns from `total_registered` on are totals at the end of the day.
create table business_day (
  day date primary key,
  -- Number of members who took the step for the first time on this day.
  registered bigint not null,
  verified bigint not null,
  deposited bigint not null,
  bought bigint not null,
  staked bigint not null,
  usd_deposited bigint not null,
  coin_deposited bigint not null,
  coin_sold bigint not null,
  usd_for_coin bigint not null,
  coin_bought_back bigint not null,
  usd_for_bought_back bigint not null,
  nfts_sold bigint not null,
  usd_for_nfts bigint not null,
  usd_fees bigint not null,
  coin_fees bigint not null,
  stakes_started bigint not null,
  stakes_ended bigint not null,
  coin_staked bigint not null,
  coin_unstaked bigint not null,
  withdrawals_requested bigint not null,
  withdrawals_paid bigint not null,
  withdrawals_rejected bigint not null,
  withdrawals_returned bigint not null,
  usd_requested bigint not null,
  usd_paid bigint not null,
  coin_bridged bigint not null,
  usd_proceeds bigint not null,
  total_registered bigint not null,
  total_verified bigint not null,
  total_deposited bigint not null,
  total_bought bigint not null,
  total_staked bigint not null,
  stakes_active bigint not null,
  coin_in_stakes bigint not null
);
create trigger business_day_fixed before update on business_day for each row execute function reject_change();

-- Volume of teams on each past UTC day. A team is a leader and all members below. At level 0 the leaders have no sponsor; the leaders
-- of level 1 are direct referrals of those of level 0.
create table business_team_day (
  day date not null,
  level smallint not null check (level in (0, 1)),
  leader_id bigint not null references member (id),
  verified bigint not null,
  usd_taken bigint not null,
  coin_staked bigint not null,
  primary key (day, level, leader_id)
);
create trigger business_team_day_fixed before update on business_team_day for each row execute function reject_change();

-- The day on which each member first deposited, bought and staked.
create table business_first_step (
  member_id bigint not null references member (id),
  step text not null check (step in ('deposited', 'bought', 'staked')),
  day date not null,
  primary key (member_id, step)
);

-- The audit log's head at the start of each UTC day, queued for export: to a file in the data folder and by mail to the admins.
-- Checks use the exported copies; this table only lists the heads to export.
create table audit_anchor (
  day date primary key,
  event_id bigint not null,
  hash text not null,
  at timestamptz not null,
  saved_at timestamptz
);
create index audit_anchor_unsaved on audit_anchor (day) where saved_at is null;
-- Result of the last full check of the audit log.
create table audit_check (
  one boolean primary key default true check (one),
  checked_at timestamptz not null,
  took_ms bigint not null,
  rows bigint not null,
  last_row bigint not null,
  bad_row bigint,
  bad_what text check (bad_what in ('CHANGED', 'CUT', 'FORGED', 'UNSIGNED')),
  anchor_row bigint,
  anchor_hash text,
  anchor_at timestamptz,
  check ((bad_row is null) = (bad_what is null))
);

create trigger staff_incident_event after insert on staff_incident for each row execute function record_incident_event('incident.opened');
create trigger staff_incident_ended_event after update of ended_at on staff_incident
  for each row when (old.ended_at is null and new.ended_at is not null) execute function record_incident_event('incident.ended');

-- Digest of the first file of each month, format and chart of accounts. A later file must be equal
-- (docs/decisions/0069-accounting-export.md).
create table accounting_export (
  month date not null,
  format text not null check (format in ('csv', 'hledger', 'beancount')),
  chart_digest text not null,
  file_digest text not null,
  exported_at timestamptz not null,
  primary key (month, format, chart_digest)
);
create trigger accounting_export_append_only before update or delete or truncate on accounting_export
  for each statement execute function reject_change();
