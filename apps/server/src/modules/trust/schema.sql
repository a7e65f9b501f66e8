-- Published balance trees. Members can verify that the root includes their balances (invariant I1).
create table trust_snapshot (
  id bigint generated always as identity primary key,
  public_id text not null unique,
  day date not null unique,
  at timestamptz not null,
  root text not null,
  members bigint not null,
  levels int not null,
  -- True if all accounts of each asset summed to zero, with the last transfer included.
  balanced boolean not null,
  transfers bigint not null,
  secret text not null
);
create table trust_leaf (
  snapshot_id bigint not null references trust_snapshot (id),
  member_id bigint not null,
  position bigint not null,
  leaf text not null,
  primary key (snapshot_id, member_id)
);
create table trust_node (
  snapshot_id bigint not null references trust_snapshot (id),
  level int not null,
  position bigint not null,
  hash bytea not null,
  primary key (snapshot_id, level, position)
);

-- On-chain reserves, as last signed with the key of the hot wallet.
create table trust_reserve (
  one boolean primary key default true check (one),
  at timestamptz not null,
  chain_id bigint not null,
  signer text not null check (signer = lower(signer)),
  -- By address and token; amounts in units, as text.
  holdings jsonb not null,
  said text not null,
  signature text not null
);
