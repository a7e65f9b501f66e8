-- Other modules may read these tables, because reward runs join one level of uplines at a time, ranks use the totals, and the audit
-- compares totals and pending deltas with the stakes.
-- published: team_member, team_total, team_pending_delta

-- The sponsor tree and its branch totals (invariant I11, API-83 to API-88).
-- A sponsor exists before the referrals, so the graph cannot contain a cycle. `jump_id` is an ancestor further up, so that a query
-- reaches any ancestor in a logarithmic number of steps.
create table team_member (
  member_id bigint primary key references member (id),
  sponsor_id bigint references team_member (member_id) check (sponsor_id < member_id),
  depth int not null check (depth >= 0),
  jump_id bigint not null,
  jump_depth int not null,
  check ((sponsor_id is null) = (depth = 0)),
  check (jump_depth <= depth)
);
create index team_member_by_sponsor on team_member (sponsor_id, member_id desc);
create trigger team_member_fixed before update or delete on team_member for each row execute function keep_team_place();

-- Totals of the branch below a member, without the member. Only one job writes this table, so that registrations and stakes never wait
-- for a leader's row.
create table team_total (
  member_id bigint primary key,
  people int not null,
  stake bigint not null,
  -- Coin in stakes that run at present (RW-05).
  running bigint not null default 0,
  -- The member's own running stakes, and their sum with the running stakes below, which counts for the sponsor's rank.
  own_running bigint not null default 0,
  branch_running bigint not null generated always as (running + own_running) stored,
  sponsor_id bigint
) with (fillfactor = 80);
-- Finds the largest branch below a member, without reading branches that have no stakes.
create index team_total_by_branch on team_total (sponsor_id, branch_running desc) where branch_running > 0;

-- Totals by UTC month: coin staked, and NFTs bought in USD.
create table team_month (
  member_id bigint not null,
  month date not null,
  stake bigint not null,
  nft bigint not null,
  primary key (member_id, month)
) with (fillfactor = 80);

-- Changes that are not in the totals yet. Readers add these changes to the totals.
create table team_pending_delta (
  id bigint generated always as identity primary key,
  member_id bigint not null,
  month date not null,
  people int not null default 0,
  stake bigint not null default 0,
  nft bigint not null default 0,
  running bigint not null default 0
);
create trigger member_placed after insert on member for each row execute function place_member();
create trigger member_in_team after insert on member
  for each row when (new.sponsor_id is not null and new.is_verified) execute function count_in_team();
create trigger member_in_team_later after update of is_verified on member
  for each row when (new.sponsor_id is not null and old.is_verified <> new.is_verified) execute function count_in_team();
