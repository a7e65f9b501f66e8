-- Count and sum of each member's lists, by status (NFTs: by kind). A page reads these rows, so that its cost does not grow with the
-- history. Triggers update the rows in the writer's transaction; the triggers are generated from each list's `history.ts`.
create table member_list_counter (
  member_id bigint not null,
  list text not null,
  bucket text not null,
  rows int not null,
  amount numeric not null,
  primary key (member_id, list, bucket)
) with (fillfactor = 70);
