-- Reward runs climb the tree in sets, one join per level. Ranks use the totals, and the stake audit compares totals and deltas with
-- stakes.
-- published: team_member, team_total, team_pending_delta

-- The sponsor tree and its branch totals (invariant I11, API-83 to API-88).
-- Sponsors exist before their referrals, so the graph is a forest by construction. `jump_id` is a higher ancestor, selected so that any
-- ancestor is reached in logarithmically many steps.
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

-- Totals for the branch below a member, without the member. Only one job writes here, so that registrations and stakes in a branch never
-- wait for its leader's row.
create table team_total (
  member_id bigint primary key,
  people int not null,
  stake bigint not null,
  -- Coin in running stakes: all staked at the same time (RW-05).
  running bigint not null default 0,
  -- The member's own running stakes, and the branch that counts for the sponsor's rank: they and the stakes below.
  own_running bigint not null default 0,
  branch_running bigint not null generated always as (running + own_running) stored,
  sponsor_id bigint
) with (fillfactor = 80);
-- Finds the largest branch below a member, however many free accounts are there.
create index team_total_by_branch on team_total (sponsor_id, branch_running desc) where branch_running > 0;

-- Totals by UTC month: coin staked, and NFTs bought in USD.
create table team_month (
  member_id bigint not null,
  month date not null,
  stake bigint not null,
  nft bigint not null,
  primary key (member_id, month)
) with (fillfactor = 80);

-- Changes that are not in the totals yet. Reads add them.
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
