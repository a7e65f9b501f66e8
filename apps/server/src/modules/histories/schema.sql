-- Counts and sums each member's lists, by status (by kind for NFTs), so that page figures cost the same for any history. Triggers
-- generated from the lists' `history.ts` update them in the writer's transaction.
create table member_list_counter (
  member_id bigint not null,
  list text not null,
  bucket text not null,
  rows int not null,
  amount numeric not null,
  primary key (member_id, list, bucket)
) with (fillfactor = 70);
