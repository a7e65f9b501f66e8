-- Proof of balances (docs/proof.md): a sum tree over the amounts owed to each member, a sum tree over each member's liabilities
-- (`promised`), and the published statements.

-- Trees, complete or under construction. A statement refers to a complete tree; the job deletes the other trees.
create table trust_tree (
  id bigint generated always as identity primary key,
  begun_at timestamptz not null,
  -- Highest member id when the amounts were read. The audit requires that the tree contains each member up to this id.
  newest_member bigint not null
);

-- A member's amounts in both trees, in units, and the positions of the member's leaves. The table has no foreign keys, because each
-- day inserts one row per member.
create table trust_leaf (
  tree_id bigint not null,
  member_id bigint not null,
  owed_usd bigint not null check (owed_usd >= 0),
  owed_coin bigint not null check (owed_coin >= 0),
  promised_usd bigint not null check (promised_usd >= 0),
  promised_coin bigint not null check (promised_coin >= 0),
  -- Amounts in wallets, a part of `owed`, and the sum of the wallets' versions. The audit compares members with an unchanged sum.
  wallet_usd bigint not null,
  wallet_coin bigint not null,
  wallet_version bigint not null,
  -- Random seed for the split of the amounts into leaves and for the leaves' salts.
  seed bytea not null check (length(seed) = 32),
  owed_positions int[] not null check (cardinality(owed_positions) = 4),
  promised_positions int[] not null check (cardinality(promised_positions) = 4),
  primary key (tree_id, member_id)
);

-- Nodes of every fifth level, 32 per row, each with hash, USD and coin (48 bytes). The server computes the other levels from these nodes.
create table trust_node (
  tree_id bigint not null,
  tree text not null check (tree in ('owed', 'promised')),
  level int not null,
  chunk int not null,
  nodes bytea not null,
  primary key (tree_id, tree, level, chunk)
);

-- The published statements, one a day, as a hash chain.
create table trust_statement (
  number int primary key check (number > 0),
  day date not null unique,
  at timestamptz not null,
  tree_id bigint not null unique,
  text text not null,
  -- SHA-256 of the text in hex. The next statement contains it.
  digest text not null unique check (digest = encode(sha256(convert_to(text, 'UTF8')), 'hex')),
  -- True if the balances of all accounts summed to zero in each asset.
  balanced boolean not null,
  transfers bigint not null
);
create trigger trust_statement_append_only before update or delete or truncate on trust_statement
  for each statement execute function reject_change();

-- Signatures of statements (EIP-191) with the key of the hot wallet. The worker signs a statement after its commit.
create table trust_signature (
  number int primary key references trust_statement (number),
  -- Address of the key, lower case.
  signer text not null check (signer = lower(signer)),
  signature text not null
);
create trigger trust_signature_append_only before update or delete or truncate on trust_signature
  for each statement execute function reject_change();

-- Signed transactions that publish a statement's digest on the chain. The worker stores a transaction before sending, and sends until
-- one transaction of the statement is final.
create table trust_digest_transaction (
  hash text primary key,
  number int not null references trust_statement (number),
  chain_id int not null,
  -- Address of the key, lower case. The key signs nothing else.
  sender text not null check (sender = lower(sender)),
  nonce int not null,
  -- Wei per unit of gas.
  gas_price numeric not null,
  raw text not null,
  signed_at timestamptz not null,
  -- Block of the transaction once it is final.
  block int
);
create index trust_digest_transaction_number on trust_digest_transaction (number);
