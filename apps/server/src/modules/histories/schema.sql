-- How many rows each list of a member has and what they add up to, by status (by kind for NFTs), so that the figures of
-- a page cost the same for any history. Kept by triggers, which follow from the lists' `history.ts`: whoever writes a row,
-- the figures move in its transaction.
create table member_list_counter (
  member_id bigint not null,
  list text not null,
  bucket text not null,
  rows int not null,
  amount numeric not null,
  primary key (member_id, list, bucket)
) with (fillfactor = 70);
